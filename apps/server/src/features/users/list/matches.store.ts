import { type RawBuilder, sql } from 'kysely';
import { toLimit } from '#platform/database/database.ts';
import { hide, toLikePattern } from '#platform/database/search-plan.ts';
import { memberGroup } from '#workspace/people/members/member-counts.store.ts';
import {
  getDirection,
  getGroups,
  getKey,
  getNulls,
  isAfter,
  isInactive,
  matchesFilters,
  selectPage,
} from './member-pages.store.ts';
import { matchesSelection, type UserSearch } from './selection.store.ts';

/** Matches among the next `rows` rows of the list. */
export function selectNextMatches(query: UserSearch, rows: number): RawBuilder<unknown> {
  const [is, nulls] = [getDirection(query), getNulls(query)];
  return sql`select team_id, person_id from (${selectPage(query, rows)}) near
    where search like ${hide(toLikePattern(query.search))} and ${isInactive(query)}
    order by key ${is} ${nulls}, person_id ${is} limit ${toLimit(query.limit)}`;
}

/** All matches by the index of keys, or of activity where there is no text. The plan is fixed if the keys are given. */
export function selectAllMatches(query: UserSearch, keys: string | undefined): RawBuilder<unknown> {
  const [is, nulls] = [getDirection(query), getNulls(query)];
  // Of each match, only what sorts it is read; a row of the page is then found by its place in the table.
  // `offset 0` keeps the planner from scanning the list in order, which it would choose by a guessed frequency.
  return sql`select m.*, f.total from (
      select place, ${query.after ? sql`null::int` : sql`(count(*) over ())::int`} as total from (
        select ctid as place, person_id, ${getKey(query)} as key from memberships
        where ${keys === undefined ? isAnyMatch(query) : isMatch(query, keys)} offset 0
      ) found order by key ${is} ${nulls}, person_id ${is} limit ${toLimit(query.limit)}
    ) f cross join lateral (select * from memberships where ctid = f.place offset 0) m`;
}

/** A condition that only the index of keys can answer, since a prepared plan must be right for teams of any size. */
function isMatch(query: UserSearch, keys: string): RawBuilder<unknown> {
  return sql`(${matchesFilters(query)} and ${isAfter(query)}) is true and search like ${hide(toLikePattern(query.search))}
    and search_keys(team_id, search) @@ ${hide(sql`${keys}::tsquery`)}`;
}

function isAnyMatch(query: UserSearch): RawBuilder<unknown> {
  const byGroup = sql`${memberGroup} = any(${getGroups(query)}::smallint[])`;
  return sql`${matchesSelection(query)} and ${isAfter(query)} and ${query.search === '' ? byGroup : sql`true`}`;
}
