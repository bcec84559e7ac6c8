import type { FormerUser } from '@steward/contract/users/privacy';
import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { millisecondsIn } from '#platform/database/milliseconds.ts';

const MOST = 2_000;

const isGone = sql<boolean>`not exists (select 1 from memberships m where m.team_id = f.team_id and m.person_id = f.person_id)`;

/** Users who left the team or were removed, newest first. A trigger writes these rows. */
export async function listFormerUsers(db: Database, teamId: string): Promise<FormerUser[]> {
  return db
    .selectFrom('former_members as f')
    .select(['f.person_id as id', 'f.name', 'f.email', millisecondsIn('f.left_at').as('left_at')])
    .where('f.team_id', '=', teamId)
    .where(isGone)
    .orderBy('f.left_at', 'desc')
    .orderBy('f.person_id')
    .limit(MOST)
    .execute();
}

/** The name and address are those that the team knew; the caller has locked the team. */
export async function findFormerMember(
  db: Database | Trx,
  teamId: string,
  userId: string,
): Promise<{ id: string; name: string; email: string } | undefined> {
  return db
    .selectFrom('former_members as f')
    .select(['f.person_id as id', 'f.name', 'f.email'])
    .where('f.team_id', '=', teamId)
    .where('f.person_id', '=', userId)
    .where(isGone)
    .executeTakeFirst();
}
