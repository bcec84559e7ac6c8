import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { databaseNow } from '#platform/database/milliseconds.ts';

/** A team with rules, and the last night whose runs were begun. */
export interface TeamNightRow {
  team_id: string;
  time_zone: string;
  night: string;
  /** The database's clock, in milliseconds. */
  now: number;
}

/** All teams that ever saved a rule. */
export async function listTeamNights(db: Database): Promise<TeamNightRow[]> {
  const { rows } = await sql<TeamNightRow>`select n.team_id, t.time_zone, n.night,
      ${databaseNow} as now
    from retention_nights n join teams t on t.id = n.team_id order by n.team_id`.execute(db);
  return rows;
}

/** Begins to count a team's nights: the night of its first rule has passed already. */
export async function addTeamNight(trx: Trx, teamId: string, night: string): Promise<void> {
  await sql`insert into retention_nights (team_id, night) values (${teamId}, ${night})
    on conflict do nothing`.execute(trx);
}

/** Takes a night for the caller's transaction; false when another node has it. */
export async function claimNight(trx: Trx, teamId: string, night: string): Promise<boolean> {
  const { rows } = await sql`update retention_nights set night = ${night}
    where team_id = ${teamId} and night < ${night} returning 1`.execute(trx);
  return rows.length === 1;
}
