import type { AuditAction } from '@steward/contract/audit/catalog';
import { type AuditDetails, toStoredDetails } from '@steward/contract/audit/details';
import { sql } from 'kysely';
import { getSecrets, type Trx } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import type { Origin } from '#platform/http/http.ts';
import { getCurrentKey } from './audit-keys.ts';
import { signEvent } from './chain-digests.ts';

/** One row of the audit log: what was done to what, by whom, and what it was before. It never holds a secret. */
export type AuditEvent = { [Action in AuditAction]: EventOf<Action> }[AuditAction];

type EventOf<Action extends AuditAction> = {
  action: Action;
  /** '' if it belongs to no team. */
  teamId: string;
  actorId: string | null;
  target: string | null;
} & (Record<never, never> extends AuditDetails<Action>
  ? { details?: AuditDetails<Action> }
  : { details: AuditDetails<Action> });

/** Origin of what a background job does: no address requested it. */
export const BY_ITSELF: Origin = { requestId: 'job', address: '', userAgent: '' };

/**
 * Writes the row in the transaction of the change itself, so that neither exists without the other. It is signed here and
 * added to the chain after the commit, so that changes don't wait for each other (decision 0050).
 */
export async function addAuditEvent(trx: Trx, event: AuditEvent, origin: Origin): Promise<void> {
  const { teamId: team_id, actorId: actor_id, action, target } = event;
  const row = { team_id, id: newId(), actor_id, action, target };
  await trx
    .with('event', (cte) =>
      cte.insertInto('audit_events').values({
        ...row,
        details: JSON.stringify(toStoredDetails(action, event.details ?? {})),
        address: origin.address,
        request_id: origin.requestId,
        signature: signEvent(getCurrentKey(getSecrets(trx)), row),
      }),
    )
    .insertInto('audit_pending')
    .values({ team_id, event_id: row.id })
    .execute();
}

/** Takes rows off the list of those that are in no chain yet. */
export async function removePending(trx: Trx, events: readonly { team_id: string; id: string }[]): Promise<void> {
  const [teams, ids] = [events.map(({ team_id }) => team_id), events.map(({ id }) => id)];
  await sql`delete from audit_pending where (team_id, event_id) in (select * from unnest(${teams}::text[], ${ids}::text[]))`.execute(
    trx,
  );
}

/** Details of the latest event of an action on a target in the last days; undefined without one. */
export async function findRecentDetails(
  trx: Trx,
  { teamId, action, target, days }: { teamId: string; action: AuditAction; target: string; days: number },
): Promise<Record<string, unknown> | undefined> {
  const row = await trx
    .selectFrom('audit_events')
    .select('details')
    .where('team_id', '=', teamId)
    .where('target', '=', target)
    .where('action', '=', action)
    .where('at', '>', sql<Date>`now() - make_interval(days => ${days})`)
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.details as Record<string, unknown> | undefined;
}
