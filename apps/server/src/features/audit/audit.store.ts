import { type RawBuilder, sql } from 'kysely';
import type { Database } from '#platform/database/database.ts';

/** What the audit log is asked for. */
export interface AuditSearch {
  teamId: string;
  /** A person, or '' for what no person did. */
  actor: string | undefined;
  actions: readonly string[] | undefined;
  target: string | undefined;
  /** From this moment on, and before that one; in milliseconds. */
  from: number | undefined;
  to: number | undefined;
  /** Where the page before ended: microseconds, as digits, and the id. */
  before: { micros: string; id: string } | undefined;
  limit: number;
}

/** A row as it was written, with its moment once more to the microsecond, by which rows are ordered. */
export interface AuditRow {
  id: string;
  at: number;
  micros: string;
  actor_id: string | null;
  action: string;
  target: string | null;
  details: Record<string, unknown>;
  address: string;
  request_id: string;
}

const columns = sql`id, floor(extract(epoch from at) * 1000)::bigint as at,
  (extract(epoch from at) * 1000000)::bigint::text as micros, actor_id, action, target, details, address, request_id`;

/** One page, newest first; any page costs what the first one costs, whatever it is narrowed by. */
export async function listAudit(db: Database, asked: AuditSearch): Promise<AuditRow[]> {
  const { rows } = await sql<AuditRow>`select ${columns} from (${getPage(asked)}) found
    order by found.at desc, found.id desc`.execute(db);
  return rows;
}

function getPage(asked: AuditSearch): RawBuilder<unknown> {
  const newest = sql`order by at desc, id desc limit ${asked.limit}`;
  const place = placeOf(asked);
  if (asked.actions === undefined) return sql`select * from audit_events where ${place} ${newest}`;
  // Each action is walked in its own order, where a list of them would be read whole and sorted.
  return sql`select e.* from unnest(${asked.actions}::text[]) wanted (action) cross join lateral (
      select * from audit_events where ${place} and action = wanted.action ${newest}
    ) e ${newest}`;
}

/** Everything that was asked for, except the actions. */
function placeOf({ teamId, actor, target, from, to, before }: AuditSearch): RawBuilder<unknown> {
  const conditions = [sql`team_id = ${teamId}`];
  if (actor !== undefined) conditions.push(sql`coalesce(actor_id, '') = ${actor}`);
  if (target !== undefined) conditions.push(sql`target = ${target}`);
  if (from !== undefined) conditions.push(sql`at >= ${toTimestamp(from)}`);
  if (to !== undefined) conditions.push(sql`at < ${toTimestamp(to)}`);
  if (before) conditions.push(sql`(at, id) < (${micros(before.micros)}, ${before.id})`);
  return sql.join(conditions, sql` and `);
}

function toTimestamp(milliseconds: number): RawBuilder<unknown> {
  return micros(`${milliseconds}000`);
}

/** By whole numbers, since a fraction of seconds would not come back as the moment it was made of. */
function micros(digits: string): RawBuilder<unknown> {
  return sql`(timestamptz 'epoch' + ${digits}::bigint * interval '1 microsecond')`;
}
