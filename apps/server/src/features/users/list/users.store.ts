import type { MemberState } from '@steward/contract/users/roles';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '#platform/database/database.ts';
import { findPage } from '#platform/database/search-plan.ts';
import { countGroups, memberGroup } from '#workspace/people/members/member-counts.store.ts';
import { memberState } from '#workspace/people/memberships.store.ts';
import { type PersonRow, presenceStatus } from '#workspace/people/people.store.ts';
import {
  getDirection,
  getGroups,
  getKey,
  getNulls,
  isAfter,
  isInactive,
  type MemberQuery,
  selectPage,
} from './member-pages.store.ts';
import { matchesSelection, matchesText, type UserSelection } from './selection.store.ts';

/** One page of a selection. */
export interface UserSearch extends UserSelection, Pick<MemberQuery, 'after'> {
  limit: number;
}

/** A listed user, with the keys that the next page starts after. */
export interface ListedUser extends PersonRow {
  name_key: string;
  member_since: number;
  state: MemberState;
  joined_at: number | null;
  invited_at: number | null;
  last_active_at: number | null;
  invitation: 'limited' | null;
  /** How many users match, where finding the first page told it. */
  total: number | null;
}

/** One page of users. Every page costs as much as the first. */
export async function listPeople(db: Database, query: UserSearch): Promise<ListedUser[]> {
  const { search, limit } = query;
  const isSparse = search !== '' || (query.inactiveSince !== undefined && query.sort !== 'last_active');
  if (!isSparse) return fetchUsers(db, query, { page: selectPage(query, limit), total: countAll(query) });
  return findPage({
    text: search,
    limit,
    look: (rows) => fetchUsers(db, query, { page: selectMatches(query, rows), total: sql`null::int` }),
    // `offset 0` keeps the planner from scanning the list in order, which it would choose by a guessed frequency.
    ask: () => fetchUsers(db, query, { page: selectAllMatches(query), total: sql`f.total` }),
  });
}

/** Users of the team with these ids. */
export function findUsers(db: Database, teamId: string, ids: readonly string[]): Promise<ListedUser[]> {
  const found = sql`select team_id, person_id from memberships where team_id = ${teamId} and person_id = any(${ids})`;
  return fetchUsers(db, { sort: 'name', descending: false }, { page: found, total: sql`null::int` });
}

/** Rows that are looked at to count what no table knows the number of. */
const COUNTED_ROWS = 10_000;

/** Number of users that match where a page could not tell: up to 10,000 rows are looked at; null if those are not all. */
export async function countMatches(db: Database, query: UserSearch): Promise<number | null> {
  const { rows } = await sql<{ seen: number; matching: number }>`
    select count(*)::int as seen, (count(*) filter (where ${matchesText(query)}))::int as matching
    from (${selectSome(query, COUNTED_ROWS + 1)}) few`.execute(db);
  const { seen, matching } = rows[0] ?? { seen: 0, matching: 0 };
  return seen > COUNTED_ROWS ? null : matching;
}

/** Any rows of these groups, as many as are asked for. */
function selectSome(query: UserSearch, rows: number): RawBuilder<unknown> {
  const some = (condition: RawBuilder<unknown>) => sql`select search from memberships where team_id = ${query.teamId}
    and ${memberGroup} = any(${getGroups(query)}::smallint[]) and ${condition} limit ${rows}`;
  if (query.inactiveSince === undefined) return some(sql`true`);
  return sql`(${some(sql`last_active_at < ${query.inactiveSince}`)}) union all (${some(sql`last_active_at is null`)}) limit ${rows}`;
}

/** Only the first page tells a total, and the counts know nothing of activity. */
function countAll(query: UserSearch): RawBuilder<unknown> {
  if (query.after || query.inactiveSince !== undefined) return sql`null::int`;
  return countGroups(query.teamId, getGroups(query));
}

function selectMatches(query: UserSearch, rows: number): RawBuilder<unknown> {
  const [is, nulls] = [getDirection(query), getNulls(query)];
  return sql`select team_id, person_id from (${selectPage(query, rows)}) near
    where ${matchesText(query)} and ${isInactive(query)}
    order by key ${is} ${nulls}, person_id ${is} limit ${query.limit}`;
}

/** All matches by the index of keys, or of activity where there is no text. */
function selectAllMatches(query: UserSearch): RawBuilder<unknown> {
  const [is, nulls] = [getDirection(query), getNulls(query)];
  const key = getKey(query);
  const byGroup = sql`${memberGroup} = any(${getGroups(query)}::smallint[])`;
  return sql`select team_id, person_id, (count(*) over ())::int as total from (
      select team_id, person_id, ${key} as key from memberships
      where ${matchesSelection(query)} and ${isAfter(query)} and ${query.search === '' ? byGroup : sql`true`} offset 0
    ) found order by key ${is} ${nulls}, person_id ${is} limit ${query.limit}`;
}

// What lists show of a membership besides its person.
const memberColumns = sql`${memberState} as state, m.roles, m.name_key, m.create_at as member_since, m.last_active_at,
  case when m.email is null then m.create_at end as joined_at, m.invited_at,
  case when m.invitation_limited then 'limited' end as invitation, coalesce(m.deactivated_at, 0) as delete_at`;

interface Found {
  /** Selects `team_id` and `person_id`, and what `total` reads of it as `f`. */
  page: RawBuilder<unknown>;
  total: RawBuilder<unknown>;
}

// Looks up each person and their presence separately: for a page of thousands, a join would scan the whole tables.
async function fetchUsers(
  db: Database,
  query: Pick<MemberQuery, 'sort' | 'descending'>,
  { page, total }: Found,
): Promise<ListedUser[]> {
  const [is, nulls] = [getDirection(query), getNulls(query)];
  const { rows } = await sql<ListedUser>`
    select m.person_id as id, coalesce(m.first_name, p.first_name) as first_name, coalesce(m.last_name, p.last_name) as last_name,
      coalesce(m.email, p.email) as email,
      case when m.deactivated then 'offline' else ${presenceStatus} end as status, case when m.email is null then 2 else 1 end as type,
      coalesce(p.last_picture_update, m.create_at) as last_picture_update, coalesce(p.create_at, m.create_at) as create_at,
      coalesce(p.update_at, m.create_at) as update_at, coalesce(p.apps, '{}') as apps, ${memberColumns}, ${total} as total
    from (${page}) f
    join memberships m on m.team_id = f.team_id and m.person_id = f.person_id
    left join people p on p.id = m.person_id
    left join lateral (select * from presence where person_id = m.person_id offset 0) pr on true
    order by m.${getKey(query)} ${is} ${nulls}, m.person_id ${is}`.execute(db);
  return rows;
}
