import type { Answer, Received } from '@steward/contract/api/endpoint';
import { PERMIT_ROWS_MAX } from '@steward/contract/api/limits';
import type { beginPermit, PermitRow, reportOutcomes, takePermit } from '@steward/contract/connections/connector';
import type { KeptReason } from '@steward/contract/connections/fields';
import type { Trx } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import { refuse } from '#platform/http/errors.ts';
import type { BridgeCall } from '../connector-guard.ts';
import { shareMapping, waitForHolds } from '../mappings.store.ts';
import { removeMessages } from '../mirror/mirror.store.ts';
import { LIST_HOURS } from '../mirror/reading.store.ts';
import { findConnectedRules, selectCurrentThreads } from '../rules/connected-rules.store.ts';
import { findServer } from '../servers.store.ts';
import { closeIfDone } from './orders.actions.ts';
import type { OpenRow, StoredOrder } from './orders.store.ts';
import * as orders from './orders.store.ts';
import * as permits from './permits.store.ts';
import { findThreadStates, type ThreadState } from './threads.store.ts';

type Taken = Answer<typeof takePermit>;
type Reason = Taken['reason'];

const without = (reason: Reason, channel_id = ''): Taken => ({ permit: null, reason, channel_id });

/**
 * The next permit of a server. A permit that was begun comes first, even of an order that was stopped: a deletion that was
 * interrupted has already lost files. One that wasn't begun is void as soon as another one is taken.
 */
export async function takeNextPermit(trx: Trx, call: BridgeCall): Promise<Taken> {
  const { serverId } = call;
  const open = await permits.findOpenPermit(trx, serverId);
  if (open?.is_begun) return { permit: await describePermit(trx, open), reason: '', channel_id: '' };
  if (open) await permits.voidPermit(trx, open.id);
  let reason: Reason = 'nothing';
  for (const { id } of await orders.listOpenOrders(trx, serverId)) {
    const taken = await takeFromOrder(trx, call, id);
    if (taken.permit || taken.reason === '' || taken.reason === 'list') return taken;
    reason = taken.reason;
  }
  return without(reason);
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
    is_whole,
  };
  await permits.addPermit(trx, permit);
  const described = await describePermit(trx, { ...permit, is_begun: false });
  return { permit: described, reason: '', channel_id: channelId };
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

/** Returns why a row must be kept, by the rules and holds of this moment; null if it may be deleted. */
async function findReasons(trx: Trx, { order, channelId }: Place, rows: readonly OpenRow[]) {
  const threadIds = [...new Set(rows.map(({ thread_id }) => thread_id))];
  const key = { serverId: order.server_id, teamId: order.team_id };
  const selection = selectCurrentThreads(key, await findConnectedRules(trx, key));
  const states = await findThreadStates(trx, { ...selection, only: { channelId, threadIds } });
  const place = { id: order.id, serverId: order.server_id, channelId };
  const grown = new Set(await orders.listGrownThreads(trx, place, threadIds));
  return ({ thread_id, original_id }: OpenRow): KeptReason | null => {
    if (original_id === null) return 'absent';
    const state = states.get(thread_id);
    if (state === undefined) return 'young';
    if (state !== 'due') return REASON_OF[state];
    return grown.has(thread_id) ? 'changed' : null;
  };
}

async function describePermit(
  trx: Trx,
  permit: Pick<
    permits.StoredPermit,
    'id' | 'order_id' | 'server_id' | 'channel_id' | 'row_ids' | 'is_whole' | 'is_begun'
  >,
): Promise<NonNullable<Taken['permit']>> {
  const { id, order_id, channel_id } = permit;
  const place = { id: order_id, serverId: permit.server_id, channelId: channel_id };
  const rows = await orders.listPermitRows(trx, place, permit.row_ids);
  return {
    id,
    order_id,
    channel_id,
    team_id: rows[0]?.remote_team_id ?? '',
    channel_type: rows[0]?.channel_type ?? 'O',
    rows: rows.map(toPermitRow),
    whole_threads: permit.is_whole,
    begun: permit.is_begun,
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

/** Writes each outcome once. Only what is gone leaves the mirror. */
export async function takeOutcomes(
  trx: Trx,
  call: BridgeCall,
  { permitId, body }: { permitId: string; body: Received<typeof reportOutcomes>['body'] },
): Promise<Answer<typeof reportOutcomes>> {
  const { serverId } = call;
  const found = await permits.findPermit(trx, serverId, permitId);
  if (!found) refuse('record.not_found');
  await orders.lockOrder(trx, found.order_id);
  const permit = await permits.lockPermit(trx, serverId, permitId);
  if (!permit?.is_begun) refuse('connector.permit_void');
  const before = new Map((await orders.listOutcomes(trx, permit.order_id, permit.row_ids)).map((row) => [row.id, row]));
  const outcomes = body.outcomes.map((given) => ({ reason: '' as const, ...given }));
  const fresh = outcomes.filter(({ id, outcome, reason }) => {
    const row = before.get(id) ?? refuse('request.invalid', `outcomes: ${id} is not in this permit`);
    if (row.outcome !== '' && (row.outcome !== outcome || row.reason !== reason)) refuse('connector.reported');
    return row.outcome === '';
  });
  if (fresh.length > 0) {
    await orders.saveOutcomes(trx, permit.order_id, fresh);
    const gone = fresh.filter(({ outcome }) => outcome === 'gone').map(({ id }) => id);
    await removeMessages(trx, serverId, gone);
    await orders.countOrphans(trx, permit.order_id, body.orphans);
  }
  const open = [...before.values()].filter((row) => row.outcome === '').length - fresh.length;
  if (open === 0 && !permit.is_closed) await permits.closePermit(trx, permitId);
  if (open === 0) await closeIfDone(trx, call, permit.order_id);
  return { open };
}
