import { Id } from '@steward/contract/api/fields';
import { PROFILE_FIELDS, type Profile } from '@steward/contract/users';
import type { MemberState } from '@steward/contract/users/roles';
import { type RawBuilder, sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { isActive } from './active-members.store.ts';

/** The SQL for each field of a profile, separated by commas, so that no statement forgets one. */
export function forProfile(
  toSql: (column: RawBuilder<unknown>, field: keyof Profile) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql.join(PROFILE_FIELDS.map((field) => toSql(sql.ref(field), field)));
}

/** State of a membership; needs `memberships m`. Only an invitation has an email address of its own. */
export const memberState = sql<MemberState>`case when m.email is not null then 'invited'
  when ${isActive()} then 'active' else 'deactivated' end`;

/**
 * A member as the team sees them. An invitation has the names and the address that the team typed, and an id of its
 * own.
 */
export interface MemberRow extends Profile {
  id: string;
  email: string;
  state: MemberState;
  roles: string[];
  /** The last day of the membership; null without an end. */
  ends_on: string | null;
  /** The deactivation is stored, so sessions, links and tokens have ended. Shortly after the last day it isn't yet. */
  access_ended: boolean;
  /** Number of other teams of the account, also those in which it is deactivated. */
  other_teams: number;
}

function selectMembers(teamId: string, ids: readonly string[]): RawBuilder<MemberRow> {
  return sql`select m.person_id as id, m.roles, ${memberState} as state, coalesce(m.email, p.email, '') as email,
      m.ends_on::text as ends_on, m.deactivated as access_ended,
      ${forProfile((column) => sql`coalesce(m.${column}, p.${column}, '') as ${column}`)},
      (select count(*)::int from memberships o
        where o.person_id = p.id and o.team_id <> m.team_id) as other_teams
    from memberships m left join people p on p.id = m.person_id and m.email is null
    where m.team_id = ${teamId} and m.person_id = any(${ids}) order by m.person_id`;
}

/** Ids of other teams' members are left out. */
export async function findMembers(trx: Trx, teamId: string, ids: readonly string[]): Promise<MemberRow[]> {
  const { rows } = await sql<MemberRow>`${selectMembers(teamId, ids)}`.execute(trx);
  return rows;
}

/**
 * The same, locked until the transaction ends: accounts before memberships, and both in the order of their ids, so that
 * two such changes never deadlock.
 */
export async function lockMembers(trx: Trx, teamId: string, ids: readonly string[]): Promise<MemberRow[]> {
  // Sign-in locks the account too: either it sees this change, or this change sees its session.
  await sql`select 1 from people where id = any(${ids}) order by id for no key update`.execute(trx);
  const { rows } = await sql<MemberRow>`${selectMembers(teamId, ids)} for update of m`.execute(trx);
  return rows;
}

/** Locked until the transaction ends; undefined for users of other teams. */
export async function findMember(trx: Trx, teamId: string, userId: string): Promise<MemberRow | undefined> {
  // An id from a path may hold characters that PostgreSQL can't even compare.
  if (!Id.safeParse(userId).success) return undefined;
  return (await lockMembers(trx, teamId, [userId]))[0];
}

export async function findIdsByEmail(trx: Trx, teamId: string, emails: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select person_id as id from memberships where team_id = ${teamId} and email = any(${emails})
    union
    select m.person_id from people p join memberships m on m.person_id = p.id and m.team_id = ${teamId}
    where p.email = any(${emails})`.execute(trx);
  return rows.map(({ id }) => id);
}

/** Members by email. An invitation comes before a member with the same address. */
export function groupByEmail(members: readonly MemberRow[]): ReadonlyMap<string, MemberRow> {
  const invitations = members.filter(({ state }) => state === 'invited');
  return new Map([...members, ...invitations].map((member) => [member.email, member]));
}

/** Locked until the transaction ends. */
export async function findByEmail(trx: Trx, teamId: string, email: string): Promise<MemberRow | undefined> {
  const ids = await findIdsByEmail(trx, teamId, [email]);
  return groupByEmail(await lockMembers(trx, teamId, ids)).get(email);
}

/** Finds those of these users whose account has another team, also one in which it is deactivated. */
export async function listSharedAccounts(
  db: Database | Trx,
  teamId: string,
  userIds: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select distinct person_id as id from memberships
    where person_id = any(${[...userIds]}) and team_id <> ${teamId}`.execute(db);
  return rows.map(({ id }) => id);
}

/** The roles of an active member, by a fresh read; undefined for everyone else. */
export async function findActiveRoles(
  db: Database | Trx,
  teamId: string,
  userId: string,
): Promise<string[] | undefined> {
  const row = await db
    .selectFrom('memberships')
    .select('roles')
    .where('team_id', '=', teamId)
    .where('person_id', '=', userId)
    .where(isActive('memberships'))
    .where('email', 'is', null)
    .executeTakeFirst();
  return row?.roles;
}

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
