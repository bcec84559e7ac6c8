import type { Answer } from '@steward/contract/api/endpoint';
import { PERMIT_ROWS_MAX } from '@steward/contract/api/limits';
import type { beginPermit, PermitRow, takePermit } from '@steward/contract/connections/connector';
import type { KeptReason } from '@steward/contract/connections/fields';
import type { Trx } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import { refuse } from '#platform/http/errors.ts';
import type { BridgeCall } from '../connector-guard.ts';
import { shareMapping, waitForHolds } from '../mappings.store.ts';
import { LIST_HOURS } from '../mirror/reading.store.ts';
import { findConnectedRules, selectCurrentThreads } from '../rules/connected-rules.store.ts';
import { findServer } from '../servers.store.ts';
import { closeIfDone } from './orders.actions.ts';
import type { OpenRow, StoredOrder } from './orders.store.ts';
import * as orders from './orders.store.ts';
import { endPermit } from './outcomes.actions.ts';
import * as permits from './permits.store.ts';
import { findThreadStates, type ThreadState } from './threads.store.ts';

type Taken = Answer<typeof takePermit>;
type Reason = Taken['reason'];

const without = (reason: Reason, channel_id = ''): Taken => ({ permit: null, reason, channel_id });

/**
 * The next permit of a server. A permit that was begun comes first, even of an order that was stopped: a deletion that was
 * interrupted has already lost files. One that wasn't begun is void as soon as another one is taken. Open orders take turns, so
 * that neither a large one nor one whose channel can't be listed keeps the others waiting.
 */
export async function takeNextPermit(trx: Trx, call: BridgeCall): Promise<Taken> {
  const { serverId } = call;
  const open = await permits.findOpenPermit(trx, serverId);
  if (open && !open.is_begun) await permits.voidPermit(trx, open.id);
  const again = open?.is_begun ? await giveAgain(trx, call, open) : undefined;
  if (again) return again;
  let reason: Reason = 'nothing';
  for (const id of await orders.listOrdersInTurn(trx, serverId)) {
    const taken = await takeFromOrder(trx, call, id);
    if (taken.permit || taken.reason === '' || taken.reason === 'list') return taken;
    reason = taken.reason;
  }
  return without(reason);
}

/** Undefined for a permit that no bridge finishes: it ends, and others go on. */
async function giveAgain(trx: Trx, call: BridgeCall, { id, order_id }: permits.StoredPermit) {
  await orders.lockOrder(trx, order_id);
  const permit = await permits.lockPermit(trx, call.serverId, id);
  if (!permit || permit.is_closed) return undefined;
  if (permit.is_lost) {
    await endPermit(trx, call, permit);
    return undefined;
  }
  await permits.countGiven(trx, id);
  return { permit: await describePermit(trx, permit), reason: '', channel_id: '' } as const;
}

async function takeFromOrder(trx: Trx, call: BridgeCall, orderId: string): Promise<Taken> {
  const found = await orders.findOrder(trx, orderId);
  if (!found) return without('nothing');
  const reason = await findObstacle(trx, found);
  if (reason !== '') return without(reason);
  const order = await orders.lockOrder(trx, orderId);
  if (order?.state !== 'open') return without('nothing');
  const next = await orders.findNextChannel(trx, order, LIST_HOURS);
  if (!next) {
    await closeIfDone(trx, call, orderId);
    return without('');
  }
  await orders.setTurn(trx, orderId);
  if (!next.is_listed) return without('list', next.channel_id);
  return takeFromChannel(trx, call, { order, channelId: next.channel_id });
}

/** Locks the mapping, and keeps holds from being saved, until the transaction ends. '' if nothing stands in the way. */
async function findObstacle(trx: Trx, { server_id, team_id, opened_at }: StoredOrder): Promise<Reason> {
  const mapping = await shareMapping(trx, { serverId: server_id, teamId: team_id });
  if (!mapping || mapping.accepted_at === 0) return 'nothing';
  await waitForHolds(trx, team_id);
  if (mapping.paused_at > 0) return 'paused';
  const server = await findServer(trx, server_id);
  if (!server?.is_ready) return 'problem';
  return server.rehearsal_passed && server.rehearsed_at >= opened_at ? '' : 'rehearsal';
}

interface Place {
  order: StoredOrder;
  channelId: string;
}

/** Gives outcomes to messages that must be kept, and a permit for the others. */
async function takeFromChannel(trx: Trx, call: BridgeCall, { order, channelId }: Place): Promise<Taken> {
  const place = { id: order.id, serverId: order.server_id, channelId };
  const candidates = await orders.listOpenRows(trx, place, PERMIT_ROWS_MAX + 1);
  const { chosen, is_whole } = chooseRows(candidates);
  const reasons = await findReasons(trx, { order, channelId }, chosen);
  const kept = chosen.flatMap((row) => {
    const reason = reasons(row);
    return reason === null ? [] : [{ id: row.id, outcome: 'kept' as const, reason }];
  });
  await orders.saveOutcomes(trx, order.id, kept);
  const due = chosen.filter((row) => reasons(row) === null);
  if (due.length === 0) {
    await closeIfDone(trx, call, order.id);
    return without('');
  }
  const permit = {
    id: newId(),
    order_id: order.id,
    server_id: order.server_id,
    channel_id: channelId,
    row_ids: due.map(({ id }) => id),
    rows: due.map(toPermitRow),
    is_whole,
  };
  await permits.addPermit(trx, permit);
  const isNew = { is_begun: false, is_ended: false, attempts: 0, is_old: false };
  return { permit: await describePermit(trx, { ...permit, ...isNew }), reason: '', channel_id: channelId };
}

/** Whole threads, at most as many rows as a permit has; of a thread that is larger, the first rows, which are not its root. */
export function chooseRows<Row extends { thread_id: string }>(
  rows: readonly Row[],
): { chosen: Row[]; is_whole: boolean } {
  if (rows.length <= PERMIT_ROWS_MAX) return { chosen: [...rows], is_whole: true };
  const last = rows.at(-1)?.thread_id;
  const whole = rows.filter(({ thread_id }) => thread_id !== last);
  return whole.length > 0
    ? { chosen: whole, is_whole: true }
    : { chosen: rows.slice(0, PERMIT_ROWS_MAX), is_whole: false };
}

const REASON_OF: Record<Exclude<ThreadState, 'due'>, KeptReason> = {
  held: 'held',
  thread: 'thread',
  arrived: 'changed',
};

/**
 * Returns why a row must be kept, by the rules and holds of this moment; null if it may be deleted. The first message of a thread
 * stays if another one of it was kept.
 */
async function findReasons(trx: Trx, { order, channelId }: Place, rows: readonly OpenRow[]) {
  const channel = await orders.findChannel(trx, order, channelId);
  // The channel moved to another team or is gone, so this team decides nothing about it.
  if (!channel) return () => 'changed' as const;
  if (channel.read_only !== '') return () => 'read_only' as const;
  const threadIds = [...new Set(rows.map(({ thread_id }) => thread_id))];
  const key = { serverId: order.server_id, teamId: order.team_id };
  const selection = selectCurrentThreads(key, await findConnectedRules(trx, key));
  const states = await findThreadStates(trx, { ...selection, only: { channelId, threadIds } });
  const place = { id: order.id, serverId: order.server_id, channelId };
  const grown = new Set(await orders.listGrownThreads(trx, place, threadIds));
  const kept = new Set(await orders.listKeptThreads(trx, order.id, threadIds));
  return ({ id, thread_id, original_id }: OpenRow): KeptReason | null => {
    if (original_id === null) return 'absent';
    const state = states.get(thread_id);
    if (state === undefined) return 'young';
    if (state !== 'due') return REASON_OF[state];
    if (id === thread_id && kept.has(thread_id)) return 'thread';
    return grown.has(thread_id) ? 'changed' : null;
  };
}

type Described = permits.NewPermit & Pick<permits.StoredPermit, 'is_begun' | 'is_ended' | 'attempts' | 'is_old'>;

async function describePermit(trx: Trx, permit: Described): Promise<NonNullable<Taken['permit']>> {
  const { id, order_id, channel_id } = permit;
  const place = { id: order_id, serverId: permit.server_id, channelId: channel_id };
  const rows = await orders.listPermitRows(trx, place, permit.row_ids);
  const known = new Map(permit.rows.map((row) => [row.id, row]));
  return {
    id,
    order_id,
    channel_id,
    team_id: rows[0]?.remote_team_id ?? '',
    channel_type: rows[0]?.channel_type ?? 'O',
    rows: rows.map((row) => known.get(row.id) ?? toPermitRow(row)),
    whole_threads: permit.is_whole,
    begun: permit.is_begun,
    only_read: permit.is_ended,
    last: permits.isLastAttempt(permit),
  };
}

function toPermitRow({ id, thread_id, original_id, created_at, file_ids }: OpenRow): PermitRow {
  return { id, thread_id, original_id: original_id ?? '', created_at, file_ids: file_ids ?? [] };
}

/** Checks everything again. From then on, what the permit names is deleted, even if someone decides otherwise. */
export async function beginTaken(trx: Trx, serverId: string, permitId: string): Promise<Answer<typeof beginPermit>> {
  const found = await permits.findPermit(trx, serverId, permitId);
  const order = found && (await orders.findOrder(trx, found.order_id));
  if (!found || !order) refuse('record.not_found');
  if ((await findObstacle(trx, order)) !== '') refuse('connector.permit_void');
  if ((await orders.lockOrder(trx, order.id))?.state !== 'open') refuse('connector.permit_void');
  const permit = await permits.lockPermit(trx, serverId, permitId);
  if (permit?.is_begun && !permit.is_closed) return { status_code: 200 };
  if (!permit?.is_valid || permit.is_closed) refuse('connector.permit_void');
  const place = { id: order.id, serverId, channelId: permit.channel_id };
  const rows = await orders.listPermitRows(trx, place, permit.row_ids);
  const reasons = await findReasons(trx, { order, channelId: permit.channel_id }, rows);
  if (rows.length < permit.row_ids.length || rows.some((row) => reasons(row) !== null)) refuse('connector.permit_void');
  await permits.setBegun(trx, permitId);
  return { status_code: 200 };
}
