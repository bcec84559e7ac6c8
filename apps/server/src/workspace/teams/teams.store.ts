import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import { addGeneral } from '#workspace/channels/channels.store.ts';

export interface TeamRow {
  id: string;
  display_name: string;
  time_zone: string;
  create_at: number;
}

/** Teams a person belongs to, by name. */
export async function listPersonTeams(db: Database, personId: string): Promise<TeamRow[]> {
  const { rows } = await sql<TeamRow>`select t.id, t.display_name, t.time_zone, t.create_at
    from memberships m join teams t on t.id = m.team_id
    where m.person_id = ${personId} order by lower(t.display_name), t.id`.execute(db);
  return rows;
}

/** Memberships of a person, in the order of their teams' names. */
export async function listPersonMemberships(
  db: Database,
  personId: string,
): Promise<{ team_id: string; id: string; display_name: string; roles: string[] }[]> {
  const { rows } = await sql<{ team_id: string; id: string; display_name: string; roles: string[] }>`
    select m.team_id, m.person_id as id, t.display_name, m.roles
    from memberships m join teams t on t.id = m.team_id
    where m.person_id = ${personId} order by lower(t.display_name), t.id`.execute(db);
  return rows;
}

/** A team by id. */
export async function getTeam(db: Database | Trx, teamId: string): Promise<TeamRow> {
  return db
    .selectFrom('teams')
    .select(['id', 'display_name', 'time_zone', 'create_at'])
    .where('id', '=', teamId)
    .executeTakeFirstOrThrow();
}

/** The name of a team. */
export async function getTeamName(db: Database | Trx, teamId: string): Promise<string> {
  return (await getTeam(db, teamId)).display_name;
}

/** Makes a team with its channel `general` and nobody in it; the id may be made beforehand. */
export async function addTeam(
  trx: Trx,
  team: { id?: string; display_name: string; time_zone?: string },
): Promise<string> {
  const now = Date.now();
  const id = team.id ?? newId(now);
  await trx
    .insertInto('teams')
    .values({ id, display_name: team.display_name, time_zone: team.time_zone ?? 'UTC', create_at: now })
    .execute();
  await addGeneral(trx, id, now);
  return id;
}

/** Lets changes of one team's settings come one after another; everything else in it goes on. */
export async function lockTeam(trx: Trx, teamId: string): Promise<void> {
  await sql`select 1 from teams where id = ${teamId} for no key update`.execute(trx);
}

/** A team in which `adminId` is an admin or owner and `personId` a member, if there is one. */
export async function findSharedAdminTeam(trx: Trx, adminId: string, personId: string): Promise<string | undefined> {
  const { rows } = await sql<{ team_id: string }>`select a.team_id from memberships a
    join memberships b on b.team_id = a.team_id and b.person_id = ${personId}
    where a.person_id = ${adminId} and a.roles && array['team_admin', 'team_owner']
    order by a.team_id limit 1`.execute(trx);
  return rows[0]?.team_id;
}
