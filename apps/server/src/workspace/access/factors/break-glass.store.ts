import { sql } from 'kysely';
import type { Trx } from '#platform/database/database.ts';

/** Replaces the named owners of a team. The caller has checked that they are its owners and have a second factor. */
export async function saveBreakGlassOwners(trx: Trx, teamId: string, userIds: readonly string[]): Promise<void> {
  await trx
    .deleteFrom('break_glass_owners')
    .where('team_id', '=', teamId)
    .where(sql<boolean>`person_id <> all(${[...userIds]})`)
    .execute();
  await sql`insert into break_glass_owners (team_id, person_id) select ${teamId}, unnest(${[...userIds]}::text[])
    on conflict do nothing`.execute(trx);
}

/** In all teams: only owners with a second factor are named to enter without single sign-on. */
export async function removeBreakGlassOwner(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom('break_glass_owners').where('person_id', '=', userId).execute();
}
