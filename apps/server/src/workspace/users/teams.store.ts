import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import { toMilliseconds } from '#platform/database/milliseconds.ts';
import { addGeneral } from '#workspace/channels/channels.store.ts';
import { isActive } from './active-members.store.ts';

export interface TeamRow {
  id: string;
  display_name: string;
  time_zone: string;
  create_at: number;
}

/** Teams that a user is active in, by name. */
export async function listUserTeams(db: Database, userId: string): Promise<TeamRow[]> {
  return selectMemberships(db, userId).select(['t.id', 't.display_name', 't.time_zone', 't.create_at']).execute();
}

/** Active memberships of a user, in the order of their teams' names. */
export async function listUserMemberships(
  db: Database,
  userId: string,
): Promise<{ team_id: string; id: string; display_name: string; roles: string[] }[]> {
  return selectMemberships(db, userId)
    .select(['m.team_id', 'm.person_id as id', 't.display_name', 'm.roles'])
    .execute();
}

function selectMemberships(db: Database, userId: string) {
  return db
    .selectFrom('memberships as m')
    .innerJoin('teams as t', 't.id', 'm.team_id')
    .where('m.person_id', '=', userId)
    .where(isActive())
    .orderBy(sql`lower(t.display_name)`)
    .orderBy('t.id');
}

export async function hasAnyTeam(db: Database | Trx): Promise<boolean> {
  return (await db.selectFrom('teams').select('id').limit(1).executeTakeFirst()) !== undefined;
}

export async function getTeam(db: Database | Trx, teamId: string): Promise<TeamRow> {
  return db
    .selectFrom('teams')
    .select(['id', 'display_name', 'time_zone', 'create_at'])
    .where('id', '=', teamId)
    .executeTakeFirstOrThrow();
}

/** The time zone, and the time by the clock of the database in milliseconds. */
export async function getTeamClock(db: Database | Trx, teamId: string): Promise<{ time_zone: string; now: number }> {
  return db
    .selectFrom('teams')
    .select(['time_zone', toMilliseconds(sql`now()`).$notNull().as('now')])
    .where('id', '=', teamId)
    .executeTakeFirstOrThrow();
}

export async function getTeamName(db: Database | Trx, teamId: string): Promise<string> {
  return (await getTeam(db, teamId)).display_name;
}

/** Creates a team without members, with its channel `general`. */
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

export async function saveTeam(
  trx: Trx,
  teamId: string,
  team: { display_name: string; time_zone: string },
): Promise<void> {
  await trx.updateTable('teams').set(team).where('id', '=', teamId).execute();
}

/** Claims the weekly email about memberships that end; false if it has been sent on this day. */
export async function claimEndList(trx: Trx, teamId: string, date: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('teams')
    .set({ end_list_on: date })
    .where('id', '=', teamId)
    .where(sql<boolean>`end_list_on is distinct from ${date}::date`)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Claims the email of a month, once a month by the date where the team is; false if it has been sent. */
export async function claimMonthlyEmail(trx: Trx, teamId: string, date: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('teams')
    .set({ monthly_email_on: date })
    .where('id', '=', teamId)
    .where(sql<boolean>`coalesce(monthly_email_on < date_trunc('month', ${date}::date), true)`)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Owners always may create and remove service tokens. */
export async function mayAdminsCreateTokens(db: Database | Trx, teamId: string): Promise<boolean> {
  const row = await db
    .selectFrom('teams')
    .select('admins_may_create_tokens as may')
    .where('id', '=', teamId)
    .executeTakeFirst();
  return row?.may ?? false;
}

/** False if that was so already. */
export async function saveAdminsMayCreateTokens(trx: Trx, teamId: string, may: boolean): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('teams')
    .set({ admins_may_create_tokens: may })
    .where('id', '=', teamId)
    .where('admins_may_create_tokens', '<>', may)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/**
 * Serializes changes to a team's settings and to who owns it until the transaction ends; nothing else in the team is blocked.
 * Locked before accounts and memberships.
 */
export async function lockTeam(trx: Trx, teamId: string): Promise<void> {
  await trx.selectFrom('teams').select('id').where('id', '=', teamId).forNoKeyUpdate().execute();
}

/** An active admin or owner, of all their teams or of one alone. */
export interface TeamManager {
  userId: string;
  onlyTeamId: string | null;
}

/** A team that `admin` manages and in which `userId` is an active member, if there is one. */
export async function findSharedAdminTeam(
  db: Database | Trx,
  admin: TeamManager,
  userId: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('memberships as a')
    .innerJoin('memberships as b', 'b.team_id', 'a.team_id')
    .select('a.team_id')
    .where(managedBy(admin))
    .where('b.person_id', '=', userId)
    .where(isActive('b'))
    .orderBy('a.team_id')
    .limit(1)
    .executeTakeFirst();
  return row?.team_id;
}

/** Needs `memberships a`. */
function managedBy({ userId, onlyTeamId }: TeamManager) {
  return sql<boolean>`a.person_id = ${userId} and ${isActive('a')} and a.roles && array['team_admin', 'team_owner']
    and (${onlyTeamId}::text is null or a.team_id = ${onlyTeamId})`;
}

/** The user manages a team with an open invitation for the address. */
export async function isInvitedByAdmin(db: Database, admin: TeamManager, email: string): Promise<boolean> {
  const row = await db
    .selectFrom('memberships as i')
    .innerJoin('memberships as a', 'a.team_id', 'i.team_id')
    .select('i.team_id')
    .where('i.email', '=', email)
    .where(managedBy(admin))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Keeps the team's settings, such as its default channels, unchanged until the transaction ends. */
export async function lockTeamShared(trx: Trx, teamId: string): Promise<void> {
  await trx.selectFrom('teams').select('id').where('id', '=', teamId).forShare().execute();
}
