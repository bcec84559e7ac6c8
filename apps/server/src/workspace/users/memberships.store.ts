import { type Profile, type ProfileInput, pickProfile } from '@steward/contract/users';
import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import { isActive, isUnended } from './active-members.store.ts';
import { isInvitationOpen, isOfEndedLink, lockOpenInvitationLink } from './invitation-links.store.ts';
import { isIntegrationMember } from './managers.store.ts';
import { forProfile, type MemberRow } from './members.store.ts';
import { lockTeamShared } from './teams.store.ts';
import { normalizeProfile } from './user.ts';

/**
 * Sort key and search text of a user or an invitation; the newline keeps a name and an address from matching as one
 * word. The address has the collation "C", so that both are sorted alike.
 */
export const derivedColumns = {
  nameKey: sql<string>`lower(coalesce(nullif(trim(concat_ws(' ', nullif(p.first_name, ''), nullif(p.last_name, ''))), ''), p.email))`,
  search: sql<string>`lower(concat_ws(' ', nullif(p.first_name, ''), nullif(p.last_name, '')) || E'\n' || p.email)`,
};

type Ids = string | readonly string[];
const isOneOf = (ids: Ids) => sql<boolean>`person_id = any(${[ids].flat()})`;

export interface Membership {
  teamId: string;
  userId: string;
  roles: readonly string[];
}

/** Adds a user to a team without asking them. Everyone else is invited. */
export async function addMembership(trx: Trx, { teamId, userId, roles }: Membership): Promise<void> {
  await sql`insert into memberships (team_id, person_id, roles, name_key, search, create_at)
    select ${teamId}, p.id, ${[...roles]}, ${derivedColumns.nameKey}, ${derivedColumns.search}, ${Date.now()}
    from people p where p.id = ${userId}`.execute(trx);
}

export interface NewInvitation extends ProfileInput {
  email: string;
  roles: readonly string[];
}

export interface InvitationInput extends NewInvitation {
  teamId: string;
  /** Null for the operator. */
  invitedBy: string | null;
  /** The invitation link that the invitees used. */
  linkId?: string;
}

/**
 * Returns the ids of the added invitations by email, in that order, without addresses that another request has just
 * invited. Nothing here may depend on an account of the address, so none is looked up.
 */
export async function addInvitations(
  trx: Trx,
  { teamId, invitedBy, linkId }: Pick<InvitationInput, 'teamId' | 'invitedBy' | 'linkId'>,
  invitations: readonly NewInvitation[],
): Promise<ReadonlyMap<string, string>> {
  const now = Date.now();
  const { rows } = await sql<{ id: string; email: string }>`
    insert into memberships
      (team_id, person_id, roles, name_key, search, create_at, email, ${forProfile((column) => column)}, invited_by, invited_at,
        invitation_link_id)
    select ${teamId}, p.id, string_to_array(p.roles, ','), ${derivedColumns.nameKey}, ${derivedColumns.search}, ${now}, p.email,
      ${forProfile((column) => sql`p.${column}`)}, ${invitedBy}, ${now}, ${linkId ?? null}
    from (${toRows(invitations.map((invitation) => ({ ...invitation, id: newId(now) })))}) p order by p.email
    on conflict do nothing returning person_id as id, email`.execute(trx);
  return new Map(rows.map(({ id, email }) => [email, id]));
}

/** Typed entries as rows. Addresses have the collation "C", as accounts do, so that both are sorted alike. */
function toRows(typed: readonly (Omit<NewInvitation, 'roles'> & { id: string; roles?: readonly string[] })[]) {
  const users = typed.map((user) => ({ ...user, ...normalizeProfile(pickProfile(user)) }));
  const all = (key: 'id' | 'email' | keyof Profile) => users.map((user) => user[key] ?? '');
  const columns = forProfile((column) => column);
  return sql`select id, email collate "C" as email, ${columns}, roles
    from unnest(${all('id')}::text[], ${all('email')}::text[], ${forProfile((_, field) => sql`${all(field)}::text[]`)},
      ${users.map(({ roles = [] }) => roles.join())}::text[]) as r (id, email, ${columns}, roles)`;
}

export async function saveInvitationNames(trx: Trx, teamId: string, members: readonly MemberRow[]): Promise<void> {
  await sql`update memberships m set ${forProfile((column) => sql`${column} = p.${column}`)},
      name_key = ${derivedColumns.nameKey}, search = ${derivedColumns.search}
    from (${toRows(members)}) p where m.team_id = ${teamId} and m.person_id = p.id and m.email is not null`.execute(
    trx,
  );
}

/** A limit held the newest invitation email back. */
export async function saveInvitationLimited(
  trx: Trx,
  { teamId, id, limited }: { teamId: string; id: Ids; limited: boolean },
): Promise<void> {
  await trx
    .updateTable('memberships')
    .set({ invitation_limited: limited })
    .where('team_id', '=', teamId)
    .where(isOneOf(id))
    .where('invitation_limited', '<>', limited)
    .execute();
}

export interface InvitationRow {
  id: string;
  team_id: string;
  roles: string[];
  invited_by: string | null;
  invited_at: number;
  invitation_link_id: string | null;
}

const invitationColumns = ['person_id as id', 'team_id', 'roles', 'invited_by', 'invitation_link_id'] as const;
const isOver = sql<boolean>`not ${isUnended('memberships')}`.as('is_over');
const invitedAt = sql<number>`coalesce(invited_at, create_at)`.as('invited_at');

/** The newest first, without those whose last day is over or whose link isn't open. */
export async function listInvitations(db: Database | Trx, email: string): Promise<InvitationRow[]> {
  return db
    .selectFrom('memberships as m')
    .select([...invitationColumns, invitedAt])
    .where('email', '=', email)
    .where(isInvitationOpen)
    .orderBy('invited_at', 'desc')
    .orderBy('team_id')
    .execute();
}

/**
 * An invitation without a link or by an open one, whose last day isn't over, locked until the transaction ends. The team is
 * locked first, then the link, then the invitation, which is the order in which a link is revoked.
 */
export async function lockInvitation(trx: Trx, teamId: string, email: string): Promise<InvitationRow | undefined> {
  await lockTeamShared(trx, teamId);
  const found = await selectInvitation(trx, teamId, email).executeTakeFirst();
  const linkId = found?.invitation_link_id ?? null;
  if (!found || (linkId !== null && !(await lockOpenInvitationLink(trx, teamId, linkId)))) return undefined;
  const invitation = await selectInvitation(trx, teamId, email).forUpdate().executeTakeFirst();
  return invitation?.invitation_link_id === linkId && !invitation.is_over ? invitation : undefined;
}

function selectInvitation(trx: Trx, teamId: string, email: string) {
  return trx
    .selectFrom('memberships')
    .select([...invitationColumns, invitedAt, isOver])
    .where('team_id', '=', teamId)
    .where('email', '=', email);
}

/** Makes place for another invitation, or a member, if the last day of an invitation is over, or its link isn't open. */
export async function removeClosedInvitation(trx: Trx, teamId: string, email: string): Promise<void> {
  await sql`delete from memberships m
    where m.team_id = ${teamId} and m.email = ${email} and not ${isInvitationOpen}`.execute(trx);
}

/** The caller has checked that the user has no membership in this team. */
export async function saveAccepted(
  trx: Trx,
  { teamId, id, userId }: { teamId: string; id: string; userId: string },
): Promise<void> {
  await sql`update memberships m set person_id = p.id, email = null, ${forProfile((column) => sql`${column} = null`)},
      invitation_limited = false, name_key = ${derivedColumns.nameKey}, search = ${derivedColumns.search}, create_at = ${Date.now()}
    from people p where p.id = ${userId} and m.team_id = ${teamId} and m.person_id = ${id} and m.email is not null`.execute(
    trx,
  );
}

/** Removes a member, or an invitation with its links, from a team. The caller removes channel memberships. */
export async function removeMembership(trx: Trx, teamId: string, userId: Ids): Promise<void> {
  await trx.deleteFrom('memberships').where('team_id', '=', teamId).where(isOneOf(userId)).execute();
}

/**
 * Makes invitations by links those of an admin, so that they no longer depend on the link. Returns the ones that
 * changed.
 */
export async function saveAdopted(
  trx: Trx,
  { teamId, invitedBy, ids }: { teamId: string; invitedBy: string; ids: Ids },
): Promise<{ id: string; email: string }[]> {
  const rows = await trx
    .updateTable('memberships')
    .set({ invitation_link_id: null, invited_by: invitedBy })
    .where('team_id', '=', teamId)
    .where(isOneOf(ids))
    .where('email', 'is not', null)
    .where('invitation_link_id', 'is not', null)
    .returning(['person_id as id', 'email'])
    .execute();
  return rows.map(({ id, email }) => ({ id, email: email ?? '' }));
}

/** Cancels the invitations by a link that wait for an answer, and returns their number. */
export async function removeInvitationsOfLink(trx: Trx, teamId: string, linkId: string): Promise<number> {
  const { numDeletedRows } = await trx
    .deleteFrom('memberships')
    .where('team_id', '=', teamId)
    .where('invitation_link_id', '=', linkId)
    .where('email', 'is not', null)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

export async function removeInvitationsOfEndedLinks(db: Database): Promise<void> {
  await sql`delete from memberships m where m.invitation_link_id is not null and ${isOfEndedLink}`.execute(db);
}

export async function saveRoles(
  trx: Trx,
  { teamId, userId, roles }: Omit<Membership, 'userId'> & { userId: Ids },
): Promise<void> {
  await trx
    .updateTable('memberships')
    .set({ roles: sql`${[...roles]}` })
    .where('team_id', '=', teamId)
    .where(isOneOf(userId))
    .execute();
}

/** By the clock of the database, in milliseconds. */
const databaseTime = sql<number>`floor(extract(epoch from now()) * 1000)::bigint`;

/** The caller ends their access. */
export async function saveDeactivated(
  trx: Trx,
  { teamId, userId, deactivated }: { teamId: string; userId: Ids; deactivated: boolean },
): Promise<void> {
  await trx
    .updateTable('memberships')
    .set({
      deactivated,
      deactivated_at: deactivated ? Date.now() : null,
      ...(!deactivated && { reactivated_at: databaseTime }),
    })
    .where('team_id', '=', teamId)
    .where(isOneOf(userId))
    .execute();
}

/** The condition of the index by end. */
const hasEnd = sql<boolean>`m.ends_at is not null and not m.deactivated`;

/** Parts of statements on `memberships m`. */
const isOverdue = sql<boolean>`(${hasEnd} and m.ends_at <= now())`;
const dueNotice = sql<number>`case when m.ends_at <= now() + interval '16 hours' then 0
  when m.ends_at <= now() + interval '3 days 16 hours' then 3 else 14 end`;
const awaitsNotice = sql<boolean>`(${hasEnd} and m.ends_at > now() and m.ends_at <= now() + interval '14 days 16 hours'
  and m.email is null and coalesce(m.end_notice > ${dueNotice}, true) and not ${isIntegrationMember})`;

/** Ends with their instant in milliseconds; null for none. */
export async function saveEnds(
  trx: Trx,
  teamId: string,
  ends: readonly { id: string; ends_on: string | null; ends_at: number | null }[],
): Promise<void> {
  const all = <Key extends keyof (typeof ends)[number]>(key: Key) => ends.map((end) => end[key]);
  await sql`update memberships m set ends_on = e.ends_on, ends_at = to_timestamp(e.ends_at / 1000.0), end_notice = null
    from unnest(${all('id')}::text[], ${all('ends_on')}::date[], ${all('ends_at')}::bigint[]) as e (id, ends_on, ends_at)
    where m.team_id = ${teamId} and m.person_id = e.id`.execute(trx);
}

export async function listEndDates(trx: Trx, teamId: string): Promise<string[]> {
  const { rows } = await sql<{ ends_on: string }>`select distinct ends_on::text as ends_on from memberships
    where team_id = ${teamId} and ends_on is not null`.execute(trx);
  return rows.map(({ ends_on }) => ends_on);
}

/** The instants of all ends on these dates, in milliseconds. */
export async function saveEndsByDate(
  trx: Trx,
  teamId: string,
  ends: readonly { ends_on: string; ends_at: number }[],
): Promise<void> {
  await sql`update memberships m set ends_at = to_timestamp(e.ends_at / 1000.0)
    from unnest(${ends.map(({ ends_on }) => ends_on)}::date[], ${ends.map(({ ends_at }) => ends_at)}::bigint[])
      as e (ends_on, ends_at)
    where m.team_id = ${teamId} and m.ends_on = e.ends_on`.execute(trx);
}

interface EndNotice {
  id: string;
  email: string;
  ends_on: string;
  /** The email is the one for this many days before the end. */
  notice: number;
}

/**
 * The next members of a team who haven't been told of their end date: 14 and 3 days before, and on the day, from eight in the
 * morning. The caller tells them, and no other process does. Of emails that are late, only the newest counts.
 */
export async function takeEndNotices(trx: Trx, teamId: string, limit: number): Promise<EndNotice[]> {
  const { rows } = await sql<EndNotice>`update memberships m set end_notice = due.notice
    from (select m.team_id, m.person_id, p.email, m.ends_on, ${dueNotice} as notice
      from memberships m join people p on p.id = m.person_id
      where m.team_id = ${teamId} and ${awaitsNotice} order by m.person_id limit ${limit} for update of m skip locked) due
    where m.team_id = due.team_id and m.person_id = due.person_id
    returning m.person_id as id, due.email, m.ends_on::text as ends_on, due.notice`.execute(trx);
  return rows;
}

/** Teams handled in one run; the next run does the rest. */
const TEAMS = 1_000;

export async function listTeamsWithEndNotices(db: Database): Promise<string[]> {
  const { rows } = await sql<{ team_id: string }>`select distinct m.team_id from memberships m
    where ${awaitsNotice} order by m.team_id limit ${TEAMS}`.execute(db);
  return rows.map(({ team_id }) => team_id);
}

/** Teams in which the last day of a membership is over, and access has yet to be ended. */
export async function listTeamsWithEnded(db: Database): Promise<string[]> {
  const { rows } = await sql<{ team_id: string }>`select distinct m.team_id from memberships m
    where ${isOverdue} order by m.team_id limit ${TEAMS}`.execute(db);
  return rows.map(({ team_id }) => team_id);
}

/** The next of these memberships of a team, and of its invitations. */
export async function listEnded(trx: Trx, teamId: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select m.person_id as id from memberships m
    where m.team_id = ${teamId} and ${isOverdue} order by m.person_id limit ${limit}`.execute(trx);
  return rows.map(({ id }) => id);
}

/** Copies the names of users to their memberships, after they changed. */
export async function saveNameKeys(trx: Trx, userIds: readonly string[]): Promise<void> {
  await sql`update memberships m set name_key = ${derivedColumns.nameKey}, search = ${derivedColumns.search}
    from people p where p.id = m.person_id and p.id = any(${userIds})`.execute(trx);
}

/** A member or an invitation to add, as `fill` and the demo workspace do. */
interface MemberInsert extends ProfileInput {
  id: string;
  email: string;
  roles: readonly string[];
  create_at: number;
  /** 0, or the time when they were deactivated. */
  delete_at: number;
}

/** Skips existing members. Returns the number added. */
export async function insertMemberships(
  trx: Trx,
  teamId: string,
  { members, areInvited }: { members: readonly MemberInsert[]; areInvited: boolean },
): Promise<number> {
  const all = (key: Exclude<keyof MemberInsert, 'roles'>) => members.map((member) => member[key] ?? '');
  const columns = forProfile((column) => column);
  const { rows } = await sql<{ added: number }>`
    with p as (
      select id, email collate "C" as email, ${columns}, roles, create_at, delete_at
      from unnest(${all('id')}::text[], ${all('email')}::text[], ${forProfile((_, field) => sql`${all(field)}::text[]`)},
        ${members.map(({ roles }) => roles.join())}::text[], ${all('create_at')}::bigint[],
        ${all('delete_at')}::bigint[])
        as r (id, email, ${columns}, roles, create_at, delete_at)
    ), added as (
      insert into memberships (team_id, person_id, roles, name_key, search, deactivated, deactivated_at, create_at,
        email, ${columns}, invited_at)
      select ${teamId}, id, string_to_array(roles, ','), ${derivedColumns.nameKey}, ${derivedColumns.search},
        delete_at <> 0, nullif(delete_at, 0), create_at, case when invited then email end,
        ${forProfile((column) => sql`case when invited then ${column} end`)}, case when invited then create_at end
      from p cross join (values (${areInvited}::boolean)) as kind (invited) order by 4 on conflict do nothing returning 1
    )
    select count(*)::int as added from added`.execute(trx);
  return rows[0]?.added ?? 0;
}

/** The activity of a membership is written at most once in this many milliseconds. */
const ACTIVITY_MS = 300_000;

/**
 * Records that users are active in their teams, by the clock of the database. Rows that another transaction is changing are left
 * for the next time, so this never waits and never deadlocks.
 */
export async function saveActivity(db: Database, userIds: readonly string[]): Promise<void> {
  await sql`update memberships m set last_active_at = ${databaseTime}
    from (
      select team_id, person_id from memberships
      where person_id = any(${userIds}) and email is null and ${isActive('memberships')}
        and (last_active_at is null or last_active_at <= ${databaseTime} - ${ACTIVITY_MS})
      order by person_id, team_id for no key update skip locked
    ) due
    where m.team_id = due.team_id and m.person_id = due.person_id`.execute(db);
}

/** An account by its id or its address; '' for the other. */
export interface ReportedActivity {
  user_id: string;
  email: string;
  /** In milliseconds. */
  active_at: number;
}

/**
 * Records activity that a service saw: never earlier than what is stored, and never later than now. Returns the number of
 * rows about members and about others.
 */
export async function saveReportedActivity(
  trx: Trx,
  teamId: string,
  reported: readonly ReportedActivity[],
): Promise<{ known: number; unknown: number }> {
  const all = <Key extends keyof ReportedActivity>(key: Key) => reported.map((row) => row[key]);
  const { rows } = await sql<{ known: number }>`
    with seen as (
      select m.person_id, least(max(r.active_at), ${databaseTime}) as active_at, count(*)::int as count
      from unnest(${all('user_id')}::text[], ${all('email')}::text[], ${all('active_at')}::bigint[]) as r (user_id, email, active_at)
      join people p on p.id = r.user_id or p.email = r.email
      join memberships m on m.person_id = p.id and m.team_id = ${teamId} and m.email is null and ${isActive()}
      group by 1
    ), due as (
      select m.person_id, s.active_at from memberships m join seen s on s.person_id = m.person_id
      where m.team_id = ${teamId} and coalesce(m.last_active_at < s.active_at, true)
      order by m.person_id for no key update of m
    ), saved as (
      update memberships m set last_active_at = due.active_at from due
      where m.team_id = ${teamId} and m.person_id = due.person_id
    )
    select coalesce(sum(count), 0)::int as known from seen`.execute(trx);
  const known = rows[0]?.known ?? 0;
  return { known, unknown: reported.length - known };
}

/** The user said so themselves. */
export async function saveActiveNow(trx: Trx, teamId: string, userId: string): Promise<void> {
  await sql`update memberships set last_active_at = greatest(last_active_at, ${databaseTime})
    where team_id = ${teamId} and person_id = ${userId}`.execute(trx);
}
