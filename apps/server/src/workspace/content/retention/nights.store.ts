import type { Database, Trx } from '#platform/database/database.ts';
import { databaseNow } from '#platform/database/milliseconds.ts';

export interface TeamNight {
  team_id: string;
  time_zone: string;
  night: string;
  /** The database's clock, in milliseconds. */
  now: number;
}

export function listTeamNights(db: Database): Promise<TeamNight[]> {
  return db
    .selectFrom('retention_nights')
    .innerJoin('teams', 'teams.id', 'retention_nights.team_id')
    .select(['retention_nights.team_id', 'teams.time_zone', 'retention_nights.night'])
    .select(databaseNow.$notNull().as('now'))
    .orderBy('retention_nights.team_id')
    .execute();
}

/** Starts tracking a team's nights; the night of its first rule has already passed. */
export async function addTeamNight(trx: Trx, teamId: string, night: string): Promise<void> {
  await trx
    .insertInto('retention_nights')
    .values({ team_id: teamId, night })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Claims a night in the caller's transaction; false if another node has it. */
export async function claimNight(trx: Trx, teamId: string, night: string): Promise<boolean> {
  const rows = await trx
    .updateTable('retention_nights')
    .set({ night })
    .where('team_id', '=', teamId)
    .where('night', '<', night)
    .returning('team_id')
    .execute();
  return rows.length === 1;
}

/** Another time zone has other nights: `night` counts as the last one, so that the next run is at the next 02:00 there. */
export async function restartNights(trx: Trx, teamId: string, night: string): Promise<void> {
  await trx.updateTable('retention_nights').set({ night }).where('team_id', '=', teamId).execute();
}
