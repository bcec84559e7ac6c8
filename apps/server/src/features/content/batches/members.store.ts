import { sql } from 'kysely';
import type { Database } from '#platform/database/database.ts';

/** Those of these ids that are members of the team, even deactivated ones: their content stays theirs. */
export async function findMembersAmong(db: Database, teamId: string, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const { rows } = await sql<{ person_id: string }>`select person_id from memberships
    where team_id = ${teamId} and person_id = any(${ids})`.execute(db);
  return new Set(rows.map(({ person_id }) => person_id));
}
