import { SCIM_LOG_DAYS } from '@steward/contract/api/limits';
import type { ScimLogEntry } from '@steward/contract/scim';
import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import { millisecondsIn } from '#platform/database/milliseconds.ts';

/** A call of an identity provider, and what became of it. */
export interface LoggedCall extends Omit<ScimLogEntry, 'id' | 'at'> {
  teamId: string;
}

/** Adds a call to the log. */
export async function addLoggedCall(db: Database | Trx, { teamId, ...call }: LoggedCall): Promise<void> {
  await db
    .insertInto('scim_log')
    .values({ team_id: teamId, id: newId(), ...call })
    .execute();
}

/** Calls of a team, newest first. */
export async function listLoggedCalls(
  db: Database,
  teamId: string,
  { before, failed, limit }: { before: string | undefined; failed: boolean; limit: number },
): Promise<ScimLogEntry[]> {
  let query = db
    .selectFrom('scim_log')
    .select(['id', 'method', 'path', 'request', 'status', 'effect', 'request_id'])
    .select(millisecondsIn('at').as('at'))
    .where('team_id', '=', teamId)
    .orderBy('id', 'desc')
    .limit(limit);
  if (before !== undefined) query = query.where('id', '<', before);
  if (failed) query = query.where('status', '>=', 400);
  return query.execute();
}

/** Changes and refusals of the last day, and when the last call was refused; in milliseconds, 0 for never. */
export async function countLoggedCalls(
  db: Database,
  teamId: string,
): Promise<{ changes: number; failures: number; last_failure_at: number }> {
  const { rows } = await sql<{ changes: number; failures: number; last_failure_at: number }>`
    select count(*) filter (where status < 400 and at > now() - interval '1 day')::int as changes,
      count(*) filter (where status >= 400 and at > now() - interval '1 day')::int as failures,
      coalesce((extract(epoch from max(at) filter (where status >= 400)) * 1000)::bigint, 0) as last_failure_at
    from scim_log where team_id = ${teamId}`.execute(db);
  return rows[0] ?? { changes: 0, failures: 0, last_failure_at: 0 };
}

/** Removes up to so many old calls, and returns whether there may be more. */
export async function removeOldLoggedCalls(db: Database, limit: number): Promise<boolean> {
  const { rows } = await sql`delete from scim_log where (team_id, id) in (
    select team_id, id from scim_log where at < now() - make_interval(days => ${SCIM_LOG_DAYS}) limit ${limit}
  ) returning 1`.execute(db);
  return rows.length === limit;
}

/** Removes the calls of a team that mention an address or a name: they are copies of what was sent about a person. */
export async function eraseLoggedCalls(trx: Trx, teamId: string, texts: readonly string[]): Promise<void> {
  await sql`delete from scim_log l where team_id = ${teamId} and exists (
    select 1 from unnest(${[...texts]}::text[]) as wanted (part)
    where strpos(lower(l.request || ' ' || l.path || ' ' || l.effect), part) > 0)`.execute(trx);
}
