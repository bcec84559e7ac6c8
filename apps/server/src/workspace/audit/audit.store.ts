import type { AuditAction } from '@steward/contract/audit/catalog';
import { type AuditDetails, toStoredDetails } from '@steward/contract/audit/details';
import { type RawBuilder, sql } from 'kysely';
import type { Trx } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import type { Deps } from '#platform/deps.ts';
import type { Origin } from '#platform/http/http.ts';
import type { Secrets } from '#platform/security/secrets.ts';
import { getCurrentKey } from './audit-keys.ts';
import { signEvent } from './chain-digests.ts';

/** One row of the audit log. It never holds a secret. */
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

/** Origin of a background job: no address requested it. */
export const JOB_ORIGIN: Origin = { requestId: 'job', address: '', userAgent: '' };

/**
 * Writes the row in the transaction of the change itself, so that neither exists without the other. It is signed here and
 * added to the chain after the commit, so that changes don't wait for each other (decision 0030).
 */
export async function addAuditEvent(
  trx: Trx,
  { secrets }: Pick<Deps, 'secrets'>,
  event: AuditEvent & { origin: Origin },
): Promise<void> {
  const row = toAuditRow(secrets, event);
  await sql`with event as (${insertAuditRow(row, sql``)}) ${insertPending(row, sql``)}`.execute(trx);
}

export interface AuditRow {
  teamId: string;
  id: string;
  actorId: string | null;
  action: AuditAction;
  target: string | null;
  /** JSON text. */
  details: string;
  origin: Origin;
  signature: string;
}

/** The signed row of an event, for statements that write it together with something else: both parts below belong in it. */
export function toAuditRow(secrets: Secrets, event: AuditEvent & { origin: Origin }): AuditRow {
  const { teamId, actorId, action, target, origin } = event;
  const id = newId();
  const signed = { team_id: teamId, id, actor_id: actorId, action, target };
  const signature = signEvent(getCurrentKey(secrets), signed);
  const details = JSON.stringify(toStoredDetails(action, event.details ?? {}));
  return { teamId, id, actorId, action, target, details, origin, signature };
}

/** Part of a statement: writes the row itself, once for the row of a FROM clause if there is one. */
export function insertAuditRow(row: AuditRow, from: RawBuilder<unknown>): RawBuilder<unknown> {
  const { teamId, id, actorId, action, target, details, origin, signature } = row;
  return sql`insert into audit_events (team_id, id, actor_id, action, target, details, address, request_id, signature)
    select ${teamId}, ${id}, ${actorId}, ${action}, ${target}, ${details}, ${origin.address}, ${origin.requestId}, ${signature} ${from}`;
}

/** Part of a statement: lists the row as one that isn't in the chain yet. */
export function insertPending({ teamId, id }: AuditRow, from: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`insert into audit_pending (team_id, event_id) select ${teamId}, ${id} ${from}`;
}

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
