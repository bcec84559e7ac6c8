import { Id } from '@steward/contract/api/fields';
import { type Profile, type ProfileInput, pickProfile } from '@steward/contract/users';
import type { MemberState } from '@steward/contract/users/roles';
import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import { normalizeProfile } from './profile.ts';

/**
 * Sort key and search text of a person or an invitation; the newline keeps a name and an address from matching as one word. The
 * address has the collation "C", so that both are sorted alike.
 */
export const derivedColumns = {
  nameKey: sql<string>`lower(coalesce(nullif(trim(concat_ws(' ', nullif(p.first_name, ''), nullif(p.last_name, ''))), ''), p.email))`,
  search: sql<string>`lower(concat_ws(' ', nullif(p.first_name, ''), nullif(p.last_name, '')) || E'\n' || p.email)`,
};

/** State of a membership; needs `memberships m`. Only an invitation has an email address of its own. */
export const memberState = sql<MemberState>`case when m.email is not null then 'invited'
  when m.deactivated then 'deactivated' else 'active' end`;

/** A person as seen from one team. An invitation has the names and the address that the team typed, and an id of its own. */
export interface MemberRow extends Profile {
  id: string;
  email: string;
  state: MemberState;
  roles: string[];
  /** Other teams that they are active in. */
  other_teams: number;
}

/** A member of the team, locked until the transaction ends; undefined for people of other teams. */
export async function findMember(trx: Trx, teamId: string, personId: string): Promise<MemberRow | undefined> {
  // An id from a path may hold characters that PostgreSQL can't even compare.
  if (!Id.safeParse(personId).success) return undefined;
  return (await lockMembers(trx, teamId, [personId]))[0];
}

/** Locks in the order of ids, people first: two transactions that need the same members never wait for each other in a circle. */
async function lockMembers(trx: Trx, teamId: string, personIds: readonly string[]): Promise<MemberRow[]> {
  const ids = sql<string[]>`${[...personIds]}::text[]`;
  // Sign-in locks the person too: it either sees what is changed here, or its session is seen here.
  await trx
    .selectFrom('people')
    .select('id')
    .where('id', '=', sql<string>`any(${ids})`)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  return trx
    .selectFrom('memberships as m')
    .leftJoin('people as p', (join) => join.onRef('p.id', '=', 'm.person_id').on('m.email', 'is', null))
    .select(['m.person_id as id', 'm.roles', memberState.as('state')])
    .select(({ fn }) => [
      fn.coalesce('m.email', 'p.email', sql.lit('')).as('email'),
      fn.coalesce('m.first_name', 'p.first_name', sql.lit('')).as('first_name'),
      fn.coalesce('m.last_name', 'p.last_name', sql.lit('')).as('last_name'),
    ])
    .select(
      sql<number>`(select count(*)::int from memberships o
        where o.person_id = p.id and o.team_id <> m.team_id and not o.deactivated)`.as('other_teams'),
    )
    .where('m.team_id', '=', teamId)
    .where('m.person_id', '=', sql<string>`any(${ids})`)
    .orderBy('m.person_id')
    .forUpdate('m')
    .execute();
}

/** The member or invitation with this email address, locked until the transaction ends. */
export async function findByEmail(trx: Trx, teamId: string, email: string): Promise<MemberRow | undefined> {
  return (await findByEmails(trx, teamId, [email])).get(email);
}

/** The members and invitations with these email addresses, by address, locked until the transaction ends. */
export async function findByEmails(
  trx: Trx,
  teamId: string,
  emails: readonly string[],
): Promise<ReadonlyMap<string, MemberRow>> {
  const wanted = sql`any(${[...emails]}::text[])`;
  const { rows } = await sql<{ id: string }>`
    select person_id as id from memberships where team_id = ${teamId} and email = ${wanted}
    union
    select m.person_id from people p join memberships m on m.person_id = p.id and m.team_id = ${teamId}
    where p.email = ${wanted}`.execute(trx);
  const members =
    rows.length === 0
      ? []
      : await lockMembers(
          trx,
          teamId,
          rows.map(({ id }) => id),
        );
  return new Map(members.map((member) => [member.email, member]));
}

/** The roles of a person who is active in the team, by a fresh read; undefined for everyone else. */
export async function findActiveRoles(trx: Trx, teamId: string, personId: string): Promise<string[] | undefined> {
  const row = await trx
    .selectFrom('memberships')
    .select('roles')
    .where('team_id', '=', teamId)
    .where('person_id', '=', personId)
    .where('deactivated', '=', false)
    .where('email', 'is', null)
    .executeTakeFirst();
  return row?.roles;
}

/** Owners and admins are found by a partial index, whose condition a query must repeat. */
const hasSpecialRole = sql<boolean>`m.roles && array['team_admin', 'team_owner', 'zendesk']`;

/** A person to email. */
export interface Recipient {
  id: string;
  email: string;
}

/** Active owners of the team, to email them. */
export async function listOwners(db: Database | Trx, teamId: string): Promise<Recipient[]> {
  return db
    .selectFrom('memberships as m')
    .innerJoin('people as p', 'p.id', 'm.person_id')
    .select(['p.id', 'p.email'])
    .where('m.team_id', '=', teamId)
    .where(hasSpecialRole)
    .where(sql<boolean>`'team_owner' = any(m.roles)`)
    .where('m.deactivated', '=', false)
    .orderBy('p.id')
    .execute();
}

/** Whether the team has an active owner besides this person. The caller has locked the team. */
export async function hasOtherOwner(trx: Trx, teamId: string, personId: string): Promise<boolean> {
  const row = await trx
    .selectFrom('memberships as m')
    .select('m.person_id')
    .where('m.team_id', '=', teamId)
    .where(hasSpecialRole)
    .where(sql<boolean>`'team_owner' = any(m.roles)`)
    .where('m.deactivated', '=', false)
    .where('m.email', 'is', null)
    .where('m.person_id', '<>', personId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Membership of a person in a team. */
export interface Membership {
  teamId: string;
  personId: string;
  roles: readonly string[];
}

/** Adds a person to a team without asking them. Everyone else is invited (`addInvitation`). */
export async function addMembership(trx: Trx, { teamId, personId, roles }: Membership): Promise<void> {
  await sql`insert into memberships (team_id, person_id, roles, name_key, search, create_at)
    select ${teamId}, p.id, ${[...roles]}, ${derivedColumns.nameKey}, ${derivedColumns.search}, ${Date.now()}
    from people p where p.id = ${personId}`.execute(trx);
}

/** What a team types about a person it invites. */
export interface InvitationInput extends ProfileInput {
  teamId: string;
  email: string;
  roles: readonly string[];
  /** Who invites; null for the operator. */
  invitedBy: string | null;
}

/**
 * Adds an invitation and returns its id; undefined if another request has just invited the address. Whether the address has
 * an account isn't looked up, so that nothing here depends on it.
 */
export async function addInvitation(trx: Trx, invitation: InvitationInput): Promise<string | undefined> {
  const now = Date.now();
  const { teamId, email, roles, invitedBy } = invitation;
  const { first_name = '', last_name = '' } = normalizeProfile(pickProfile(invitation));
  const { rows } = await sql<{ id: string }>`
    insert into memberships
      (team_id, person_id, roles, name_key, search, create_at, email, first_name, last_name, invited_by, invited_at)
    select ${teamId}, p.id, ${[...roles]}, ${derivedColumns.nameKey}, ${derivedColumns.search}, ${now}, p.email, p.first_name,
      p.last_name, ${invitedBy}, ${now}
    from (values (${newId(now)}, ${email}::text collate "C", ${first_name}, ${last_name})) as p (id, email, first_name, last_name)
    on conflict do nothing returning person_id as id`.execute(trx);
  return rows[0]?.id;
}

/** Changes the names that a team typed for an invitation. */
export async function saveInvitationNames(trx: Trx, member: MemberRow & { teamId: string }): Promise<void> {
  const { teamId, id, email } = member;
  const { first_name, last_name } = normalizeProfile(pickProfile(member));
  await sql`update memberships m set first_name = p.first_name, last_name = p.last_name,
      name_key = ${derivedColumns.nameKey}, search = ${derivedColumns.search}
    from (values (${email}::text collate "C", ${first_name}, ${last_name})) as p (email, first_name, last_name)
    where m.team_id = ${teamId} and m.person_id = ${id} and m.email is not null`.execute(trx);
}

/** Records whether the newest invitation email was held back by a limit. */
export async function saveInvitationLimited(
  trx: Trx,
  { teamId, id, limited }: { teamId: string; id: string; limited: boolean },
): Promise<void> {
  await trx
    .updateTable('memberships')
    .set({ invitation_limited: limited })
    .where('team_id', '=', teamId)
    .where('person_id', '=', id)
    .where('invitation_limited', '<>', limited)
    .execute();
}

/** An invitation, as the person it is for sees it. */
export interface InvitationRow {
  id: string;
  team_id: string;
  roles: string[];
  invited_by: string | null;
  invited_at: number;
}

const invitationColumns = ['person_id as id', 'team_id', 'roles', 'invited_by'] as const;
const invitedAt = sql<number>`coalesce(invited_at, create_at)`.as('invited_at');

/** Open invitations for an address, newest first. */
export async function listInvitations(db: Database | Trx, email: string): Promise<InvitationRow[]> {
  return db
    .selectFrom('memberships')
    .select([...invitationColumns, invitedAt])
    .where('email', '=', email)
    .orderBy('invited_at', 'desc')
    .orderBy('team_id')
    .execute();
}

/** The invitation of a team for an address, locked until the transaction ends. */
export async function lockInvitation(trx: Trx, teamId: string, email: string): Promise<InvitationRow | undefined> {
  return trx
    .selectFrom('memberships')
    .select([...invitationColumns, invitedAt])
    .where('team_id', '=', teamId)
    .where('email', '=', email)
    .forUpdate()
    .executeTakeFirst();
}

/** Turns an invitation into the membership of a person. The caller has checked that they have none in this team. */
export async function saveAccepted(
  trx: Trx,
  { teamId, id, personId }: { teamId: string; id: string; personId: string },
): Promise<void> {
  await sql`update memberships m set person_id = p.id, email = null, first_name = null, last_name = null,
      invitation_limited = false, name_key = ${derivedColumns.nameKey}, search = ${derivedColumns.search}, create_at = ${Date.now()}
    from people p where p.id = ${personId} and m.team_id = ${teamId} and m.person_id = ${id} and m.email is not null`.execute(
    trx,
  );
}

/** Removes a person or an invitation, and its links, from a team. The caller removes channel memberships. */
export async function removeMembership(trx: Trx, teamId: string, personId: string): Promise<void> {
  await trx.deleteFrom('memberships').where('team_id', '=', teamId).where('person_id', '=', personId).execute();
}

/** Changes the roles of a member. */
export async function saveRoles(trx: Trx, { teamId, personId, roles }: Membership): Promise<void> {
  await trx
    .updateTable('memberships')
    .set({ roles: sql`${[...roles]}` })
    .where('team_id', '=', teamId)
    .where('person_id', '=', personId)
    .execute();
}

/** Deactivates or restores a person in one team. The caller ends their access. */
export async function saveDeactivated(
  trx: Trx,
  { teamId, personId, deactivated }: { teamId: string; personId: string; deactivated: boolean },
): Promise<void> {
  await trx
    .updateTable('memberships')
    .set({ deactivated, deactivated_at: deactivated ? Date.now() : null })
    .where('team_id', '=', teamId)
    .where('person_id', '=', personId)
    .execute();
}

/** Repeats the name of a person in their memberships, after it changed. */
export async function saveNameKeys(trx: Trx, personId: string): Promise<void> {
  await sql`update memberships m set name_key = ${derivedColumns.nameKey}, search = ${derivedColumns.search}
    from people p where p.id = m.person_id and p.id = ${personId}`.execute(trx);
}

/** A person or an invitation to add, as `fill` and the demo workspace do. */
interface MemberInsert {
  id: string;
  email: string;
  first_name: string;
  last_name: string;
  roles: readonly string[];
  create_at: number;
  /** 0, or when they were deactivated. */
  delete_at: number;
}

/** Adds many people to a team in one statement, and skips its members. Returns how many were added. */
export async function insertMemberships(
  trx: Trx,
  teamId: string,
  { members, areInvited }: { members: readonly MemberInsert[]; areInvited: boolean },
): Promise<number> {
  const all = <Key extends keyof MemberInsert>(key: Key) => members.map((member) => member[key]);
  const { rows } = await sql<{ added: number }>`
    with p as (
      select id, email collate "C" as email, first_name, last_name, roles, create_at, delete_at
      from unnest(${all('id')}::text[], ${all('email')}::text[], ${all('first_name')}::text[],
        ${all('last_name')}::text[], ${members.map(({ roles }) => roles.join())}::text[], ${all('create_at')}::bigint[],
        ${all('delete_at')}::bigint[])
        as r (id, email, first_name, last_name, roles, create_at, delete_at)
    ), added as (
      insert into memberships (team_id, person_id, roles, name_key, search, deactivated, deactivated_at, create_at,
        email, first_name, last_name, invited_at)
      select ${teamId}, id, string_to_array(roles, ','), ${derivedColumns.nameKey}, ${derivedColumns.search},
        delete_at <> 0, nullif(delete_at, 0), create_at, case when invited then email end,
        case when invited then first_name end, case when invited then last_name end, case when invited then create_at end
      from p cross join (values (${areInvited}::boolean)) as kind (invited) order by 4 on conflict do nothing returning 1
    )
    select count(*)::int as added from added`.execute(trx);
  return rows[0]?.added ?? 0;
}

/** A membership's activity is written at most once in this many milliseconds. */
const ACTIVITY_MS = 300_000;

/**
 * Records that people are active in their teams. Rows that someone else is changing are left for the next time: this waits for
 * nobody, and nobody deadlocks with it.
 */
export async function saveActivity(db: Database, personIds: readonly string[], now: number): Promise<void> {
  await sql`update memberships m set last_active_at = ${now}
    from (
      select team_id, person_id from memberships
      where person_id = any(${personIds}) and email is null and not deactivated
        and (last_active_at is null or last_active_at <= ${now - ACTIVITY_MS})
      order by person_id, team_id for no key update skip locked
    ) due
    where m.team_id = due.team_id and m.person_id = due.person_id`.execute(db);
}
