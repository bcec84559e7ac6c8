import { type RawBuilder, sql } from 'kysely';
import { hide, toLikePattern } from '#platform/database/search-plan.ts';
import { memberGroup } from '#workspace/people/members/member-counts.store.ts';
import { getDirection, getGroups, getKey, getNulls, isAfter, isInactive, selectPage } from './member-pages.store.ts';
import { matchesSelection, type UserSearch } from './selection.store.ts';

/** Matches among the next `rows` rows of the list. */
export function selectNextMatches(query: UserSearch, rows: number): RawBuilder<unknown> {
  const [is, nulls] = [getDirection(query), getNulls(query)];
  return sql`select team_id, person_id from (${selectPage(query, rows)}) near
    where search like ${hide(toLikePattern(query.search))} and ${isInactive(query)}
    order by key ${is} ${nulls}, person_id ${is} limit ${sql.lit(query.limit)}`;
}

/** All matches by the index of keys, or of activity where there is no text. */
export function selectAllMatches(query: UserSearch): RawBuilder<unknown> {
  const [is, nulls] = [getDirection(query), getNulls(query)];
  // Of each match, only what sorts it is read; a row of the page is then found by its place in the table.
  // `offset 0` keeps the planner from scanning the list in order, which it would choose by a guessed frequency.
  return sql`select m.*, f.total from (
      select place, ${query.after ? sql`null::int` : sql`(count(*) over ())::int`} as total from (
        select ctid as place, person_id, ${getKey(query)} as key from memberships
        where ${isMatch(query)} offset 0
      ) found order by key ${is} ${nulls}, person_id ${is} limit ${sql.lit(query.limit)}
    ) f cross join lateral (select * from memberships where ctid = f.place offset 0) m`;
}

function isMatch(query: UserSearch): RawBuilder<unknown> {
  const byGroup = sql`${memberGroup} = any(${getGroups(query)}::smallint[])`;
  return sql`${matchesSelection(query)} and ${isAfter(query)} and ${query.search === '' ? byGroup : sql`true`}`;
}
