import { type RawBuilder, sql } from 'kysely';
import type { Database } from '#platform/database/database.ts';
import { utcTime } from './chain.store.ts';

/** A row of the audit log as it is printed and sent: with ids, without names. */
export interface AuditLine {
  /** Time in UTC, to the microsecond. */
  at: string;
  id: string;
  /** '' if it belongs to no team. */
  team_id: string;
  actor_id: string | null;
  action: string;
  target: string | null;
  details: Record<string, unknown>;
  address: string;
  request_id: string;
  /** Position in the chain of the team; null for a row outside of it. */
  position: number | null;
  digest: string | null;
}

export interface AuditFilter {
  team?: string | undefined;
  /** Inclusive start and exclusive end, in milliseconds. */
  from?: number | undefined;
  to?: number | undefined;
}

/** The next rows, oldest first. `until` leaves out rows of the chain after this number. */
export async function listAuditLines(
  db: Database,
  range: AuditFilter & { until?: number; after: Pick<AuditLine, 'at' | 'id'> | undefined; limit: number },
): Promise<AuditLine[]> {
  const conditions = toConditions(range);
  const { after, until } = range;
  if (after !== undefined) conditions.push(sql`(e.at, e.id) > (${after.at}::timestamptz, ${after.id})`);
  if (until !== undefined) conditions.push(sql`(e.signature is null or c.number <= ${until})`);
  const { rows } = await sql<AuditLine>`
    select ${utcTime(sql.ref('e.at'))} as at,
      e.id, e.team_id, e.actor_id, e.action, e.target, e.details, e.address,
      e.request_id, c.position, c.digest
    from audit_events e left join audit_chain c on c.team_id = e.team_id and c.event_id = e.id
    where ${sql.join(conditions, sql` and `)} order by e.at, e.id limit ${range.limit}`.execute(db);
  return rows;
}

/** The next rows of the chain after a number. Rows are only added at its end. */
export async function listChainedLines(
  db: Database,
  range: AuditFilter & { after: number; limit: number },
): Promise<(AuditLine & { number: number })[]> {
  const conditions = [sql`c.number > ${range.after}`, ...toConditions(range)];
  const { rows } = await sql<AuditLine & { number: number }>`
    select ${utcTime(sql.ref('e.at'))} as at,
      e.id, e.team_id, e.actor_id, e.action, e.target, e.details, e.address,
      e.request_id, c.position, c.digest, c.number
    from audit_chain c join audit_events e on e.team_id = c.team_id and e.id = c.event_id
    where ${sql.join(conditions, sql` and `)} order by c.number limit ${range.limit}`.execute(db);
  return rows;
}

function toConditions({ team, from, to }: AuditFilter): RawBuilder<unknown>[] {
  const conditions: RawBuilder<unknown>[] = [sql`true`];
  if (team !== undefined) conditions.push(sql`e.team_id = ${team}`);
  if (from !== undefined) conditions.push(sql`e.at >= to_timestamp(${from} / 1000.0)`);
  if (to !== undefined) conditions.push(sql`e.at < to_timestamp(${to} / 1000.0)`);
  return conditions;
}
