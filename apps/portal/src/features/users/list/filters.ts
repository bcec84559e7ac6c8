import { END_DAYS_MAX, ENDING_SOON_DAYS, INACTIVE_DAYS_MAX } from '@steward/contract/api/limits';
import type { SortOrder, UserSort } from '@steward/contract/users';
import { cleanSearch, readSearch } from '#platform/search/search-text.ts';

/** The filters are in the order of the panel. */
export const FILTERS = [
  { name: 'primary_owner', label: 'Primary Owner' },
  { name: 'workspace_admin', label: 'Workspace Admin' },
  { name: 'member', label: 'Member' },
  { name: 'pending', label: 'Pending Invitee' },
  { name: 'deactivated_accounts', label: 'Show deactivated accounts' },
  { name: 'never_active', label: 'Never signed in' },
  { name: 'without_second_factor', label: 'No second factor' },
] as const;
export type FilterName = (typeof FILTERS)[number]['name'];

export interface UsersOrder {
  sort?: UserSort;
  order?: SortOrder;
}

/** A filter that is off is absent, and so is the default order by name from A to Z, so that one list has one address. */
export type UsersSearch = { search?: string } & { [Name in DaysName]?: number } & UsersOrder & {
    [Name in FilterName]?: 1;
  };

/** Filters with a number of days, and the largest one. */
const DAYS_MAX = {
  inactive_days: INACTIVE_DAYS_MAX,
  active_days: INACTIVE_DAYS_MAX,
  ending_days: END_DAYS_MAX,
  invited_days: INACTIVE_DAYS_MAX,
};
type DaysName = keyof typeof DAYS_MAX;
const DAYS_NAMES = Object.keys(DAYS_MAX) as DaysName[];

/** The address may have been typed by hand, so invalid values are ignored. */
export function readUsersSearch(raw: Record<string, unknown>): UsersSearch {
  const read: UsersSearch = {};
  const search = readSearch(raw.search);
  if (search !== '') read.search = search;
  for (const { name } of FILTERS) if ([1, '1', true].includes(raw[name] as never)) read[name] = 1;
  for (const name of DAYS_NAMES) {
    const days = readDays(raw[name], DAYS_MAX[name]);
    if (days !== undefined) read[name] = days;
  }
  if (raw.sort === 'last_active' || raw.sort === 'joined') read.sort = raw.sort;
  if (raw.sort === 'end' && read.ending_days !== undefined) read.sort = raw.sort;
  if (raw.order === 'desc') read.order = raw.order;
  return read;
}

function readDays(raw: unknown, most: number): number | undefined {
  const days = ['number', 'string'].includes(typeof raw) ? Number(raw) : Number.NaN;
  return Number.isInteger(days) && days >= 1 && days <= most ? days : undefined;
}

export function withFilter(current: UsersSearch, name: FilterName, on: boolean): UsersSearch {
  const { [name]: _, ...rest } = current;
  return on ? { ...rest, [name]: 1 } : rest;
}

/** No days remove the filter. */
export function withActivity(current: UsersSearch, name: 'inactive_days' | 'active_days', days: number): UsersSearch {
  const { [name]: _, ...rest } = current;
  return days === 0 ? rest : { ...rest, [name]: days };
}

/** Invitations that were sent so long ago need a reminder. */
export const OLD_INVITATION_DAYS = 14;

export function withOldInvitations(current: UsersSearch, on: boolean): UsersSearch {
  const { invited_days: _, ...rest } = current;
  return on ? { ...rest, invited_days: OLD_INVITATION_DAYS } : rest;
}

/** The next to leave come first. */
const ENDING_SOON = { ending_days: ENDING_SOON_DAYS, sort: 'end' } as const;

export function withEndingSoon(current: UsersSearch, on: boolean): UsersSearch {
  const { ending_days: _, ...rest } = current;
  if (on) return { ...rest, ...ENDING_SOON };
  // Only the filter makes the order by end possible.
  return rest.sort === 'end' ? withOrder(rest, {}) : rest;
}

export function withSearch(current: UsersSearch, text: string): UsersSearch {
  const { search: _, ...rest } = current;
  const search = cleanSearch(text);
  return search === '' ? rest : { search, ...rest };
}

export function withOrder(current: UsersSearch, { sort = 'name', order = 'asc' }: UsersOrder): UsersSearch {
  const { sort: _, order: __, ...rest } = current;
  return { ...rest, ...(sort !== 'name' && { sort }), ...(order === 'desc' && { order }) };
}

/** A column header sorts by its column, or reverses the order if the list is already sorted by it. */
export function toggleOrder(current: UsersSearch, sort: UserSort): UsersSearch {
  const isDescending = current.order === 'desc';
  if ((current.sort ?? 'name') === sort) return withOrder(current, { sort, order: isDescending ? 'asc' : 'desc' });
  // Sorting by activity starts with the most recent users.
  return withOrder(current, { sort, order: sort === 'name' ? 'asc' : 'desc' });
}

/** Reset keeps the search text and the order, because they aren't filters. The order by end needs its filter. */
export function withoutFilters(current: UsersSearch): UsersSearch {
  const kept = withOrder({}, current.sort === 'end' ? {} : current);
  return current.search === undefined ? kept : { search: current.search, ...kept };
}

export function countFilters(current: UsersSearch): number {
  const days = DAYS_NAMES.filter((name) => current[name] !== undefined);
  return FILTERS.filter(({ name }) => current[name] === 1).length + days.length;
}

type UsersQuery = { search?: string } & { [Name in DaysName]?: string } & UsersOrder & { [Name in FilterName]?: '1' };

/** The result is the query of the API call. */
export function usersQuery(current: UsersSearch): UsersQuery {
  const { search, sort, order } = current;
  const query: UsersQuery = { ...(sort && { sort }), ...(order && { order }) };
  if (search !== undefined) query.search = search;
  for (const name of DAYS_NAMES) if (current[name] !== undefined) query[name] = String(current[name]);
  for (const { name } of FILTERS) if (current[name] === 1) query[name] = '1';
  return query;
}
