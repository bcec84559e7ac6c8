import { isId } from '@steward/contract/api/fields';
import type { MemberState } from '@steward/contract/users/roles';
import { type RawBuilder, sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { isUnended } from '#workspace/users/active-members.store.ts';
import { isIntegrationMember } from '#workspace/users/managers.store.ts';
import { countGroups, GROUP_KINDS, GROUP_STATES } from '#workspace/users/member-counts.store.ts';
import { memberState } from '#workspace/users/members.store.ts';
import type { Filter } from '../filters/filter.ts';
import type { ScimEmail } from './user.ts';
import { findKey, toUserCondition } from './user-filter.store.ts';

/** A membership, or an inactive user without one. */
export interface UserRow {
  team_id: string;
  id: string;
  person_id: string | null;
  /** Null without a membership. */
  state: MemberState | null;
  /** True if the identity provider has set a user name. */
  is_managed: boolean;
  user_name: string;
  external_id: string | null;
  given_name: string;
  family_name: string;
  display_name: string | null;
  emails: ScimEmail[];
  /** Values as the provider sent them, not derived from the account or the invitation. */
  sent: { given_name: string | null; family_name: string | null; emails: ScimEmail[] | null };
  /** True if the identity provider caused the deactivation. */
  is_suspended: boolean;
  /** The last day of the membership is over. */
  is_over: boolean;
  /** In milliseconds. */
  created: number;
  modified: number;
}

const milliseconds = (column: string) => sql.raw(`(extract(epoch from ${column}) * 1000)::bigint`);

const sentColumns = sql`s.external_id, s.display_name, json_build_object('given_name', s.given_name, 'family_name', s.family_name,
  'emails', s.emails) as sent`;

const isUser = (teamId: string) => sql`m.team_id = ${teamId} and not ${isIntegrationMember}`;

/** Excludes integration users. `only` selects from the memberships. */
function selectMembers(teamId: string, only: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select m.team_id, coalesce(s.id, m.person_id) as id, m.person_id, ${memberState} as state,
      s.user_name is not null as is_managed, coalesce(s.user_name, m.email, p.email) as user_name,
      coalesce(s.given_name, m.first_name, p.first_name, '') as given_name,
      coalesce(s.family_name, m.last_name, p.last_name, '') as family_name, ${sentColumns},
      coalesce(s.emails, jsonb_build_array(jsonb_build_object('value', coalesce(m.email, p.email), 'type', 'work', 'primary', true)))
        as emails,
      coalesce(m.deactivated_at = s.suspended_at, false) as is_suspended, not ${isUnended()} as is_over,
      coalesce(${milliseconds('s.created_at')}, m.create_at) as created,
      greatest(${milliseconds('s.updated_at')}, p.update_at, m.create_at, m.deactivated_at) as modified
    from memberships m
    left join scim_users s on s.team_id = m.team_id and s.person_id = m.person_id
    left join people p on p.id = m.person_id and m.email is null
    where ${isUser(teamId)} ${only}`;
}

function selectInactive(teamId: string, only: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select s.team_id, s.id, null as person_id, null as state, s.user_name is not null as is_managed, s.user_name,
      coalesce(s.given_name, '') as given_name, coalesce(s.family_name, '') as family_name, ${sentColumns},
      coalesce(s.emails, jsonb_build_array(jsonb_build_object('value', s.user_name, 'type', 'work', 'primary', true))) as emails,
      true as is_suspended, false as is_over, ${milliseconds('s.created_at')} as created, ${milliseconds('s.updated_at')} as modified
    from scim_users s where s.team_id = ${teamId} and s.person_id is null ${only}`;
}

const EVERYONE = sql``;

/** With a key, users are found by an index. */
function selectUsers(teamId: string, key: { attribute: string; value: string } | undefined): RawBuilder<unknown> {
  if (key === undefined) return sql`${selectMembers(teamId, EVERYONE)} union all ${selectInactive(teamId, EVERYONE)}`;
  const { sent, members } = KEYED[key.attribute] ?? KEYED.id;
  const found = sql`select s.person_id from scim_users s where s.team_id = ${teamId} and ${sent(key.value)}`;
  const both = members === undefined ? found : sql`${found} union ${members(teamId, key.value)}`;
  return sql`${selectMembers(teamId, sql`and m.person_id in (${both})`)}
    union all ${selectInactive(teamId, sql`and ${sent(key.value)}`)}`;
}

interface Keyed {
  /** The condition on the received attributes. It needs `s`. */
  sent: (value: string) => RawBuilder<unknown>;
  /** Memberships that have this value without a received attribute. */
  members?: (teamId: string, value: string) => RawBuilder<unknown>;
}

const byAddress = (teamId: string, value: string) => sql`
  select m.person_id from memberships m where m.team_id = ${teamId} and m.email = ${value.toLowerCase()}
  union select m.person_id from people p join memberships m on m.person_id = p.id and m.team_id = ${teamId}
    where p.email = ${value.toLowerCase()}`;

const KEYED: Readonly<Record<string, Keyed>> & { id: Keyed } = {
  id: {
    sent: (value) => sql`s.id = ${value}`,
    members: (teamId, value) =>
      sql`select m.person_id from memberships m where m.team_id = ${teamId} and m.person_id = ${value}`,
  },
  externalid: { sent: (value) => sql`s.external_id = ${value}` },
  username: { sent: (value) => sql`lower(s.user_name) = ${value.toLowerCase()}`, members: byAddress },
  emails: { sent: (value) => sql`s.addresses @> array[${value.toLowerCase()}]::text[]`, members: byAddress },
};

export interface UserPage {
  rows: UserRow[];
  total: number;
}

export interface UserSearch {
  filter: Filter | undefined;
  offset: number;
  limit: number;
}

/** Sorted by id. */
export async function listUsers(db: Database | Trx, teamId: string, search: UserSearch): Promise<UserPage> {
  const { filter, offset, limit } = search;
  if (filter === undefined) return listAll(db, teamId, search);
  const { rows: counted } = await sql<UserRow & { total: number }>`
    select u.*, count(*) over ()::int as total from (${selectUsers(teamId, findKey(filter))}) u
    where ${toUserCondition(filter)} order by u.person_id nulls last, u.id offset ${offset} limit ${limit}`.execute(db);
  const rows = counted.map(({ total: _total, ...row }) => row);
  const [first] = counted;
  if (first !== undefined) return { rows, total: first.total };
  return { rows, total: offset === 0 && limit > 0 ? 0 : await countUsers(db, teamId, filter) };
}

async function countUsers(db: Database | Trx, teamId: string, filter: Filter): Promise<number> {
  const { rows } = await sql<{ total: number }>`select count(*)::int as total
    from (${selectUsers(teamId, findKey(filter))}) u where ${toUserCondition(filter)}`.execute(db);
  return rows[0]?.total ?? 0;
}

const GROUPS = Object.values(GROUP_STATES).flatMap((state) =>
  [GROUP_KINDS.owner, GROUP_KINDS.admin, GROUP_KINDS.member].map((kind) => state + kind),
);

/** The total is known without counting, so a client that reads many pages pays little for each. */
async function listAll(db: Database | Trx, teamId: string, { offset, limit }: UserSearch): Promise<UserPage> {
  const { rows: totals } = await sql<{
    members: number;
    inactive: number;
  }>`select ${countGroups(teamId, GROUPS)} as members,
    (select count(*)::int from scim_users where team_id = ${teamId} and person_id is null) as inactive`.execute(db);
  const { members, inactive } = totals[0] ?? { members: 0, inactive: 0 };
  const total = members + inactive;
  if (limit === 0 || offset >= total) return { rows: [], total };
  // Skipped rows aren't joined.
  const page = sql`and m.person_id in (select m.person_id from memberships m where ${isUser(teamId)}
    order by m.person_id offset ${offset} limit ${limit})`;
  const { rows } = await sql<UserRow>`select u.* from (
    ${selectMembers(teamId, page)}
    union all (${selectInactive(teamId, EVERYONE)} order by s.id offset ${Math.max(offset - members, 0)} limit ${limit})
  ) u order by u.person_id nulls last, u.id limit ${limit}`.execute(db);
  return { rows, total };
}

export async function findUser(db: Database | Trx, teamId: string, id: string): Promise<UserRow | undefined> {
  // An id from a path may contain characters that PostgreSQL rejects.
  if (!isId(id)) return undefined;
  const { rows } = await sql<UserRow>`select u.* from (${selectUsers(teamId, { attribute: 'id', value: id })}) u
    where u.id = ${id}`.execute(db);
  return rows[0];
}

/** Ignores case. */
export async function findUserByName(
  db: Database | Trx,
  teamId: string,
  userName: string,
): Promise<UserRow | undefined> {
  const { rows } =
    await sql<UserRow>`select u.* from (${selectUsers(teamId, { attribute: 'username', value: userName })}) u
    where lower(u.user_name) = ${userName.toLowerCase()}`.execute(db);
  return rows[0];
}

export async function findUserOfMember(
  db: Database | Trx,
  teamId: string,
  userId: string,
): Promise<UserRow | undefined> {
  const { rows } = await sql<UserRow>`${selectMembers(teamId, sql`and m.person_id = ${userId}`)}`.execute(db);
  return rows[0];
}

/** Finds an inactive user without a membership by address. */
export async function findInactiveByAddress(
  db: Database | Trx,
  teamId: string,
  address: string,
): Promise<UserRow | undefined> {
  const { rows } = await sql<UserRow>`${selectInactive(teamId, sql`and s.addresses[1] = ${address}`)} limit 1`.execute(
    db,
  );
  return rows[0];
}

/** Omits users who aren't in the team. */
export async function findUserIds(
  db: Database | Trx,
  teamId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string | null>> {
  const { rows } = await sql<{ id: string; person_id: string | null }>`
    select s.id, s.person_id from scim_users s where s.team_id = ${teamId} and s.id = any(${[...ids]})
    union all select m.person_id, m.person_id from memberships m
    where m.team_id = ${teamId} and m.person_id = any(${[...ids]}) and not ${isIntegrationMember}
      and not exists (select 1 from scim_users s where s.team_id = m.team_id and s.person_id = m.person_id)`.execute(
    db,
  );
  return new Map(rows.map(({ id, person_id }) => [id, person_id]));
}

export interface UserGroup {
  user_id: string;
  id: string;
  display_name: string;
}

export async function listGroupsOfUsers(
  db: Database | Trx,
  teamId: string,
  userIds: readonly string[],
): Promise<UserGroup[]> {
  const { rows } = await sql<UserGroup>`select b.user_id, g.id, g.display_name
    from scim_group_members b join scim_groups g on g.team_id = b.team_id and g.id = b.group_id
    where b.team_id = ${teamId} and b.user_id = any(${[...userIds]}) order by g.id`.execute(db);
  return rows;
}

/** In milliseconds. */
export async function findDeactivatedAt(trx: Trx, teamId: string, userId: string): Promise<number | null> {
  const row = await trx
    .selectFrom('memberships')
    .select('deactivated_at')
    .where('team_id', '=', teamId)
    .where('person_id', '=', userId)
    .executeTakeFirst();
  return row?.deactivated_at ?? null;
}
