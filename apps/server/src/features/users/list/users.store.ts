import type { MemberState } from '@steward/contract/users/roles';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '#platform/database/database.ts';
import { runPrepared } from '#platform/database/prepared.ts';
import { selectFirst } from '#platform/database/search.ts';
import { rowsToFetch } from '#platform/http/paging.ts';
import { isActive } from '#workspace/users/active-members.store.ts';
import { countGroups, memberGroup } from '#workspace/users/member-counts.store.ts';
import { forProfile, memberState } from '#workspace/users/members.store.ts';
import { presenceStatus, type UserRow } from '#workspace/users/users.store.ts';
import {
  getDirection,
  getGroups,
  getKey,
  getNulls,
  isAfter,
  isNarrowed,
  isUncounted,
  selectPageOfMembers,
  toMembers,
} from './member-pages.store.ts';
import { matchesSelection, type UserSearch } from './selection.store.ts';

export interface ListedMember extends UserRow {
  state: MemberState;
  joined_at: number | null;
  invited_at: number | null;
  last_active_at: number | null;
  ends_on: string | null;
  invitation: 'limited' | null;
}

interface ListedRow extends ListedMember {
  /** The value that the page is sorted by, as text; '' for someone who was never active. */
  sort_key: string;
  /** Number of users that match; null if finding the first page didn't show it. */
  total: number | null;
}

// Columns of a `ListedMember`.
const shown = sql`m.person_id as id, ${forProfile((column) => sql`coalesce(m.${column}, p.${column}) as ${column}`)},
  coalesce(m.email, p.email) as email,
  case when ${isActive()} then ${presenceStatus} else 'offline' end as status, case when m.email is null then 2 else 1 end as type,
  coalesce(p.last_picture_update, m.create_at) as last_picture_update, coalesce(p.create_at, m.create_at) as create_at,
  coalesce(p.update_at, m.create_at) as update_at, coalesce(m.deactivated_at, 0) as delete_at, coalesce(p.apps, '{}') as apps,
  case when m.email is null then m.create_at end as joined_at, m.invited_at, m.last_active_at, m.ends_on::text as ends_on,
  case when m.invitation_limited then 'limited' end as invitation, ${memberState} as state, m.roles`;

/** One page of users. Every page costs as much as the first. */
export async function listMembers(db: Database, query: UserSearch): Promise<ListedRow[]> {
  if (isRange(query))
    return fetchPage(db, query, { page: selectPageOfMembers(query, query.limit), total: countAll(query) });
  return fetchPage(db, query, { page: selectMatches(query), total: sql`null::int` });
}

/** The page is a range of an index; otherwise rows of the index are filtered. */
function isRange(query: UserSearch): boolean {
  return query.search === '' && !isNarrowed(query);
}

interface Page {
  /** Selects memberships, and what `total` reads of them as `m`. */
  page: RawBuilder<unknown>;
  total: RawBuilder<unknown>;
}

async function fetchPage(db: Database, query: UserSearch, { page, total }: Page): Promise<ListedRow[]> {
  const [is, nulls] = [getDirection(query), getNulls(query)];
  const key = sql`m.${getKey(query)}`;
  const statement = sql<ListedRow>`select ${shown}, coalesce(${key}::text, '') as sort_key, ${total} as total
    from (${page}) m ${theirUsers} order by ${key} ${is} ${nulls}, m.person_id ${is}`;
  return isUsual(query) ? runPrepared(db, statement) : (await statement.execute(db)).rows;
}

/**
 * The pages that the portal shows before anyone filters. Planning them takes as long as half of reading them. Filters would make
 * more texts than each connection should keep.
 */
function isUsual(query: UserSearch): boolean {
  const { search, owners, admins, members, pending, limit } = query;
  const isFiltered = search !== '' || owners || admins || members || pending || isUncounted(query);
  return !isFiltered && limit === rowsToFetch(undefined);
}

export async function findUsers(db: Database, teamId: string, ids: readonly string[]): Promise<ListedMember[]> {
  const { rows } = await sql<ListedMember>`select ${shown}
    from (select * from memberships where team_id = ${teamId} and person_id = any(${ids})) m ${theirUsers}
    order by m.name_key, m.person_id`.execute(db);
  return rows;
}

/** Only the first page has a total. */
function countAll(query: UserSearch): RawBuilder<unknown> {
  if (query.after || isUncounted(query)) return sql`null::int`;
  return countGroups(query.teamId, getGroups(query));
}

/** Looks up each user and their presence separately: for a page of thousands, a join would scan the whole tables. */
const theirUsers = sql`left join lateral (select * from people where id = m.person_id offset 0) p on true
  left join lateral (select * from presence where person_id = m.person_id offset 0) pr on true`;

/** The memberships of a page whose rows of the index are filtered. */
function selectMatches(query: UserSearch): RawBuilder<unknown> {
  const [is, nulls] = [getDirection(query), getNulls(query)];
  const matches = sql`select team_id, person_id, ${getKey(query)} as key from memberships m
    where ${isMatch(query)} and ${isAfter(query)}`;
  return toMembers(selectFirst(matches, sql`key ${is} ${nulls}, person_id ${is}`, query.limit));
}

/** More matches than this are not counted. */
const COUNTED_ROWS = 10_000;

/** Returns null if there are too many to count. */
export async function countMatches(db: Database, query: UserSearch): Promise<number | null> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from (
    select 1 from memberships m where ${isMatch(query)} limit ${COUNTED_ROWS + 1}) few`.execute(db);
  const count = rows[0]?.count ?? 0;
  return count > COUNTED_ROWS ? null : count;
}

/** Without a search, the groups lead to an index by activity. */
function isMatch(query: UserSearch): RawBuilder<unknown> {
  const byGroup = sql`${memberGroup} = any(${getGroups(query)}::smallint[])`;
  return sql`${matchesSelection(query)} and ${query.search === '' ? byGroup : sql`true`}`;
}
