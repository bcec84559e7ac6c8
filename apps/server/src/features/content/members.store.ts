import { sql } from 'kysely';
import type { Database } from '#platform/database/database.ts';

/** Deactivated members count too: their content stays theirs. */
export async function findMembersAmong(db: Database, teamId: string, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .selectFrom('memberships')
    .select('person_id')
    .where('team_id', '=', teamId)
    .where('email', 'is', null)
    .where(sql<boolean>`person_id = any(${ids})`)
    .execute();
  return new Set(rows.map(({ person_id }) => person_id));
}
