import type { Answer } from '@steward/contract/api/endpoint';
import { ORDER_ROWS_MAX } from '@steward/contract/api/limits';
import type { stopOrder } from '@steward/contract/connections';
import type { Trx } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import { addAuditEvent, JOB_ORIGIN } from '#workspace/audit/audit.store.ts';
import type { Changed } from '#workspace/changes/change.ts';
import type { BridgeCall } from '../connector-guard.ts';
import type { MappingKey } from '../mappings.store.ts';
import { findConnectedRules, selectCurrentThreads } from '../rules/connected-rules.store.ts';
import { findServer } from '../servers.store.ts';
import * as store from './orders.store.ts';

const OVERFULL = 'It named more messages of a channel than the last complete list of that channel had.';

/** Opens an order for all threads that are due. Nothing happens if none is, or while another order is open. */
export async function openOrder(trx: Trx, deps: Deps, key: MappingKey): Promise<void> {
  if (await store.lockOpenOrder(trx, key)) return;
  const selection = selectCurrentThreads(key, await findConnectedRules(trx, key));
  if (Object.keys(selection.cutoffs).length === 0) return;
  const orderId = newId();
  await store.addOrder(trx, orderId, key);
  const threads = await store.addDueRows(trx, selection, { orderId, limit: ORDER_ROWS_MAX });
  if (threads === 0) return store.removeOrder(trx, orderId);
  if ((await store.findOverfullChannel(trx, orderId)) !== undefined) return store.refuseOrder(trx, orderId, OVERFULL);
  const details = { order_id: orderId, ...(await store.saveOrderTotals(trx, orderId, threads)) };
  const event = { teamId: key.teamId, actorId: null, target: key.serverId, origin: JOB_ORIGIN };
  await addAuditEvent(trx, deps, { ...event, action: 'connections.order_opened', details });
}

/** Ends an order if each of its messages has an outcome. The caller has locked it. */
export async function closeIfDone(trx: Trx, call: BridgeCall, orderId: string): Promise<void> {
  if (await store.hasOpenRows(trx, orderId)) return;
  const { server_id: serverId, state } = await requireOrder(trx, orderId);
  if (state !== 'open') return;
  const serverVersion = (await findServer(trx, serverId))?.server_version ?? '';
  await store.endOrder(trx, orderId, { state: 'done', reason: '', serverVersion });
  await addProof(trx, call, orderId);
}

/** A permit that was begun before its order was stopped has ended: the proof covers its outcomes too. */
export async function recordLateOutcomes(trx: Trx, call: BridgeCall, orderId: string): Promise<void> {
  const { state } = await requireOrder(trx, orderId);
  if (state !== 'stopped') return;
  await store.saveProof(trx, orderId);
  await addProof(trx, call, orderId);
}

async function addProof(trx: Trx, { deps, origin }: BridgeCall, orderId: string): Promise<void> {
  const order = await requireOrder(trx, orderId);
  const { server_id: serverId, rows, threads, digest, gone, kept_by, orphans, proof } = order;
  const server = await findServer(trx, serverId);
  const details = {
    order_id: orderId,
    rows,
    threads,
    digest,
    gone,
    kept: store.toOrder(order).kept,
    kept_by,
    orphans,
    proof,
    server_version: server?.server_version ?? '',
    rehearsed_at: server?.rehearsed_at ?? 0,
  };
  const event = { teamId: order.team_id, actorId: null, target: serverId, origin };
  await addAuditEvent(trx, deps, { ...event, action: 'connections.order_closed', details });
}

/** Ends an order between two permits. */
export async function stopByAdmin(
  trx: Trx,
  { key, orderId, actorId }: { key: MappingKey; orderId: string; actorId: string },
): Promise<Changed<typeof stopOrder>> {
  const order = await store.lockOrder(trx, orderId);
  if (!order || order.server_id !== key.serverId || order.team_id !== key.teamId) refuse('record.not_found');
  if (order.state !== 'open') refuse('connections.order_ended');
  const { answer, details } = await stopLocked(trx, orderId, 'An admin stopped it.');
  const { teamId, serverId: target } = key;
  return { answer, audit: { action: 'connections.order_stopped', teamId, actorId, target, details } };
}

/** Stops the open order of a mapping, for example because an owner ends the mapping. */
export async function stopOpenOrder(
  trx: Trx,
  deps: Pick<Deps, 'secrets'>,
  { reason, ...key }: MappingKey & { reason: string },
): Promise<void> {
  const order = await store.lockOpenOrder(trx, key);
  if (!order) return;
  const { details } = await stopLocked(trx, order.id, reason);
  const event = { teamId: key.teamId, actorId: null, target: key.serverId, origin: JOB_ORIGIN };
  await addAuditEvent(trx, deps, { ...event, action: 'connections.order_stopped', details });
}

async function stopLocked(trx: Trx, orderId: string, reason: string) {
  const { server_id } = await requireOrder(trx, orderId);
  const serverVersion = (await findServer(trx, server_id))?.server_version ?? '';
  await store.endOrder(trx, orderId, { state: 'stopped', reason, serverVersion });
  const answer: Answer<typeof stopOrder> = store.toOrder(await requireOrder(trx, orderId));
  const { gone, kept, rows } = answer;
  return { answer, details: { order_id: orderId, gone, kept, open: rows - gone - kept, reason } };
}

async function requireOrder(trx: Trx, orderId: string): Promise<store.StoredOrder> {
  return (await store.findOrder(trx, orderId)) ?? refuse('record.not_found');
}
