import { type RawBuilder, sql } from 'kysely';
import type { Database } from '#platform/database/database.ts';
import { selectFirst } from '#platform/database/search.ts';
import { memberGroup } from '#workspace/people/member-counts.store.ts';
import { getDirection, getGroups, getKey, getNulls, isAfter, toMembers } from './member-pages.store.ts';
import { matchesSelection, type UserSearch } from './selection.store.ts';

/** The memberships of a page that is not the next rows of an index, but those of them that match. */
export function selectMatches(query: UserSearch): RawBuilder<unknown> {
  const [is, nulls] = [getDirection(query), getNulls(query)];
  const matches = sql`select team_id, person_id, ${getKey(query)} as key from memberships
    where ${isMatch(query)} and ${isAfter(query)}`;
  return toMembers(selectFirst(matches, sql`key ${is} ${nulls}, person_id ${is}`, query.limit));
}

/** More matches than this are not counted. */
const COUNTED_ROWS = 10_000;

/** Number of users that match, where a page could not tell; null if there are too many to count. */
export async function countMatches(db: Database, query: UserSearch): Promise<number | null> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from (
    select 1 from memberships where ${isMatch(query)} limit ${COUNTED_ROWS + 1}) few`.execute(db);
  const count = rows[0]?.count ?? 0;
  return count > COUNTED_ROWS ? null : count;
}

/** Without a search, the groups lead to an index by activity. */
function isMatch(query: UserSearch): RawBuilder<unknown> {
  const byGroup = sql`${memberGroup} = any(${getGroups(query)}::smallint[])`;
  return sql`${matchesSelection(query)} and ${query.search === '' ? byGroup : sql`true`}`;
}
