import type { Answer, Received } from '@steward/contract/api/endpoint';
import type { reportOutcomes } from '@steward/contract/connections/connector';
import type { Trx } from '#platform/database/database.ts';
import { refuse } from '#platform/http/errors.ts';
import type { BridgeCall } from '../connector-guard.ts';
import { removeMessages } from '../mirror/mirror.store.ts';
import { closeIfDone, recordLateOutcomes } from './orders.actions.ts';
import * as orders from './orders.store.ts';
import * as permits from './permits.store.ts';

type Reported = Received<typeof reportOutcomes>['body'];

/**
 * Writes each outcome once. Only what is gone leaves the mirror. What still has no outcome after the last attempt is kept as
 * unverified, because a permit that stays open keeps the server from every other order.
 */
export async function takeOutcomes(
  trx: Trx,
  call: BridgeCall,
  { permitId, body }: { permitId: string; body: Reported },
): Promise<Answer<typeof reportOutcomes>> {
  const { serverId } = call;
  const found = await permits.findPermit(trx, serverId, permitId);
  if (!found) refuse('record.not_found');
  await orders.lockOrder(trx, found.order_id);
  const permit = await permits.lockPermit(trx, serverId, permitId);
  if (!permit?.is_begun) refuse('connector.permit_void');
  const before = await orders.listOutcomes(trx, permit.order_id, permit.row_ids);
  const fresh = chooseFresh(before, body);
  if (fresh.length > 0) {
    await orders.saveOutcomes(trx, permit.order_id, fresh);
    const gone = fresh.filter(({ outcome }) => outcome === 'gone').map(({ id }) => id);
    await removeMessages(trx, serverId, gone);
    await orders.countOrphans(trx, permit.order_id, body.orphans);
  }
  const open = before.filter(({ outcome }) => outcome === '').length - fresh.length;
  if (permit.is_closed) return { open };
  if (open === 0) {
    await endPermit(trx, call, permit);
    return { open };
  }
  if (!body.complete) return { open };
  if (permits.isLastAttempt(permit)) {
    await endPermit(trx, call, permit);
    return { open: 0 };
  }
  await permits.countAttempt(trx, permitId);
  return { open };
}

/** Outcomes of messages that have none. Refuses another outcome than the one that was reported, and messages of other permits. */
function chooseFresh(
  known: readonly { id: string; outcome: string; reason: string }[],
  { outcomes }: Reported,
): orders.RowOutcome[] {
  const before = new Map(known.map((row) => [row.id, row]));
  const given = outcomes.map((outcome) => ({ reason: '' as const, ...outcome }));
  return given.filter(({ id, outcome, reason }) => {
    const row = before.get(id) ?? refuse('request.invalid', `outcomes: ${id} is not in this permit`);
    if (row.outcome !== '' && (row.outcome !== outcome || row.reason !== reason)) refuse('connector.reported');
    return row.outcome === '';
  });
}

/** Closes a permit. Its order is locked. Messages without an outcome are kept, because they may still exist. */
export async function endPermit(trx: Trx, call: BridgeCall, permit: permits.StoredPermit): Promise<void> {
  const rows = await orders.listOutcomes(trx, permit.order_id, permit.row_ids);
  const unverified = rows
    .filter(({ outcome }) => outcome === '')
    .map(({ id }) => ({ id, outcome: 'kept' as const, reason: 'unverified' as const }));
  await orders.saveOutcomes(trx, permit.order_id, unverified);
  await permits.closePermit(trx, permit.id);
  await closeIfDone(trx, call, permit.order_id);
  await recordLateOutcomes(trx, call, permit.order_id);
}
