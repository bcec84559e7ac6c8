import { type RawBuilder, sql } from 'kysely';
import type { Database } from '#platform/database/database.ts';

/** A row of the audit log as it is printed: ids, no names. */
export interface AuditLine {
  /** Time in UTC, to the microsecond. */
  at: string;
  id: string;
  /** '' for what belongs to no team. */
  team_id: string;
  actor_id: string | null;
  action: string;
  target: string | null;
  details: Record<string, unknown>;
  address: string;
  request_id: string;
}

/** Which rows, and where the previous ones ended. */
export interface AuditRange {
  team: string | undefined;
  /** Inclusive start and exclusive end, in milliseconds. */
  from: number | undefined;
  to: number | undefined;
  after: Pick<AuditLine, 'at' | 'id'> | undefined;
  /** Only rows that no earlier row can still appear before. */
  isSettled: boolean;
  limit: number;
}

const utc = sql<string>`to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/**
 * The time of a row is when its transaction began, but it appears when that one commits. So rows are settled when they are
 * older than every transaction that may still write. A transaction that hasn't written for five minutes, such as a backup, is
 * taken not to.
 */
const settledUntil = sql`coalesce((select min(xact_start) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()
    and (backend_xid is not null or xact_start > now() - interval '5 minutes')), now())`;

/** The next rows, oldest first. */
export async function listAuditLines(db: Database, range: AuditRange): Promise<AuditLine[]> {
  const { rows } = await sql<AuditLine>`
    select ${utc} as at, id, team_id, actor_id, action, target, details, address, request_id from audit_events
    where ${toCondition(range)} order by audit_events.at, id limit ${range.limit}`.execute(db);
  return rows;
}

function toCondition({ team, from, to, after, isSettled }: AuditRange): RawBuilder<unknown> {
  const conditions: RawBuilder<unknown>[] = [sql`true`];
  if (team !== undefined) conditions.push(sql`team_id = ${team}`);
  if (from !== undefined) conditions.push(sql`at >= to_timestamp(${from} / 1000.0)`);
  if (to !== undefined) conditions.push(sql`at < to_timestamp(${to} / 1000.0)`);
  if (after !== undefined) conditions.push(sql`(at, id) > (${after.at}::timestamptz, ${after.id})`);
  if (isSettled) conditions.push(sql`at < ${settledUntil}`);
  return sql.join(conditions, sql` and `);
}
