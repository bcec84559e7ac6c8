import type { MemberState } from '@steward/contract/users/roles';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '#platform/database/database.ts';
import { findPage, matchesSearchKeys, toLikePattern } from '#platform/database/search-plan.ts';
import { memberState } from '#workspace/people/memberships.store.ts';
import { type PersonRow, presenceStatus } from '#workspace/people/people.store.ts';

/** A search of the user list. */
export interface UserSearch {
  teamId: string;
  search: string;
  owners: boolean;
  admins: boolean;
  members: boolean;
  deactivated: boolean;
  after: { nameKey: string; id: string } | undefined;
  limit: number;
}

/** A listed user, with the key that the next page starts after. */
export interface ListedUser extends PersonRow {
  name_key: string;
  state: MemberState;
  joined_at: number | null;
  invited_at: number | null;
  last_active_at: number | null;
  invitation: 'limited' | null;
}

/** One page of users by name. Every page costs as much as the first. */
export async function listPeople(db: Database, query: UserSearch): Promise<ListedUser[]> {
  if (query.search === '') return fetchUsers(db, sql`${selectByName(query)} limit ${query.limit}`);
  return findPage({
    text: query.search,
    limit: query.limit,
    look: (rows) => fetchUsers(db, selectMatches(query, sql`${selectByName(query)} limit ${rows}`)),
    // `offset 0` keeps the planner from scanning the names in order, which it would choose by a guessed frequency.
    ask: () =>
      fetchUsers(
        db,
        sql`select team_id, person_id from (
          select team_id, person_id, name_key from memberships
          where ${matchesFilters(query)} and search like ${toLikePattern(query.search)}
            and ${matchesSearchKeys(query.teamId, [query.search])} offset 0
        ) found order by name_key, person_id limit ${query.limit}`,
      ),
  });
}

// What lists show of a membership besides its person.
const memberColumns = sql`${memberState} as state, m.roles, m.name_key, m.last_active_at,
  case when m.email is null then m.create_at end as joined_at, m.invited_at,
  case when m.invitation_limited then 'limited' end as invitation, coalesce(m.deactivated_at, 0) as delete_at`;

// Looks up each person and their presence separately: for a page of thousands, a join would scan the whole tables.
async function fetchUsers(db: Database, page: RawBuilder<unknown>): Promise<ListedUser[]> {
  const { rows } = await sql<ListedUser>`
    select m.person_id as id, coalesce(m.first_name, p.first_name) as first_name, coalesce(m.last_name, p.last_name) as last_name,
      coalesce(m.email, p.email) as email,
      case when m.deactivated then 'offline' else ${presenceStatus} end as status, case when m.email is null then 2 else 1 end as type,
      coalesce(p.last_picture_update, m.create_at) as last_picture_update, coalesce(p.create_at, m.create_at) as create_at,
      coalesce(p.update_at, m.create_at) as update_at, coalesce(p.apps, '{}') as apps, ${memberColumns}
    from (${page}) f
    join memberships m on m.team_id = f.team_id and m.person_id = f.person_id
    left join people p on p.id = m.person_id
    left join lateral (select * from presence where person_id = m.person_id offset 0) pr on true
    order by m.name_key, m.person_id`.execute(db);
  return rows;
}

function selectByName(query: UserSearch): RawBuilder<unknown> {
  return sql`select team_id, person_id, name_key, search from memberships
    where ${matchesFilters(query)} order by name_key, person_id`;
}

function selectMatches(query: UserSearch, names: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select team_id, person_id from (${names}) names
    where search like ${toLikePattern(query.search)} order by name_key, person_id limit ${query.limit}`;
}

/** All conditions except the search text. */
function matchesFilters(query: UserSearch): RawBuilder<unknown> {
  const conditions = [sql`team_id = ${query.teamId}`, ...matchesState(query), ...matchesKinds(query)];
  if (query.after) conditions.push(sql`(name_key, person_id) > (${query.after.nameKey}, ${query.after.id})`);
  return sql.join(conditions, sql` and `);
}

function matchesState(query: UserSearch): RawBuilder<unknown>[] {
  return query.deactivated ? [] : [sql`not deactivated`];
}

/** Account kinds are combined with OR; none chosen means all. */
function matchesKinds(query: UserSearch): RawBuilder<unknown>[] {
  const kinds: RawBuilder<unknown>[] = [];
  if (query.owners) kinds.push(sql`'team_owner' = any(roles)`);
  if (query.admins) kinds.push(sql`('team_admin' = any(roles) and not 'team_owner' = any(roles))`);
  if (query.members) kinds.push(sql`not roles && array['team_admin', 'team_owner', 'zendesk']`);
  if (kinds.length === 0) return [];
  const any = sql`(${sql.join(kinds, sql` or `)})`;
  // Repeats the condition of the partial index, so that a few admins are found quickly among a million members.
  return query.members ? [any] : [sql`roles && array['team_admin', 'team_owner', 'zendesk']`, any];
}

/** Names of a person or an invitation for their picture, if the caller shares a team with them. */
export async function findPicture(
  db: Database,
  callerId: string,
  personId: string,
): Promise<{ id: string; first_name: string; last_name: string; email: string } | undefined> {
  const { rows } = await sql<{ id: string; first_name: string; last_name: string; email: string }>`
    select b.person_id as id, coalesce(b.first_name, p.first_name) as first_name,
      coalesce(b.last_name, p.last_name) as last_name, coalesce(b.email, p.email) as email
    from memberships a
    join memberships b on b.team_id = a.team_id and b.person_id = ${personId}
    left join people p on p.id = b.person_id
    where a.person_id = ${callerId} and not a.deactivated limit 1`.execute(db);
  return rows[0];
}
