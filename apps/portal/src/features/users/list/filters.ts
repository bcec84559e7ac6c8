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
] as const;
export type FilterName = (typeof FILTERS)[number]['name'];

export interface UsersOrder {
  sort?: UserSort;
  order?: SortOrder;
}

/** A filter that is off is absent, and so is the default order by name from A to Z, so that one list has one address. */
export type UsersSearch = { search?: string; inactive_days?: number; ending_days?: number } & UsersOrder & {
    [Name in FilterName]?: 1;
  };

/** The address may have been typed by hand, so invalid values are ignored. */
export function readUsersSearch(raw: Record<string, unknown>): UsersSearch {
  const read: UsersSearch = {};
  const search = readSearch(raw.search);
  if (search !== '') read.search = search;
  for (const { name } of FILTERS) if ([1, '1', true].includes(raw[name] as never)) read[name] = 1;
  const [inactive, ending] = [readDays(raw.inactive_days, INACTIVE_DAYS_MAX), readDays(raw.ending_days, END_DAYS_MAX)];
  if (inactive !== undefined) read.inactive_days = inactive;
  if (ending !== undefined) read.ending_days = ending;
  if (raw.sort === 'last_active' || raw.sort === 'joined') read.sort = raw.sort;
  if (raw.sort === 'end' && ending !== undefined) read.sort = raw.sort;
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

export function withInactive(current: UsersSearch, days: number): UsersSearch {
  const { inactive_days: _, ...rest } = current;
  return days === 0 ? rest : { ...rest, inactive_days: days };
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
  const days = [current.inactive_days, current.ending_days].filter((value) => value !== undefined);
  return FILTERS.filter(({ name }) => current[name] === 1).length + days.length;
}

type UsersQuery = { search?: string; inactive_days?: string; ending_days?: string } & UsersOrder & {
    [Name in FilterName]?: '1';
  };

/** The result is the query of the API call. */
export function usersQuery(current: UsersSearch): UsersQuery {
  const { search, inactive_days, ending_days, sort, order } = current;
  const query: UsersQuery = { ...(sort && { sort }), ...(order && { order }) };
  if (search !== undefined) query.search = search;
  if (inactive_days !== undefined) query.inactive_days = String(inactive_days);
  if (ending_days !== undefined) query.ending_days = String(ending_days);
  for (const { name } of FILTERS) if (current[name] === 1) query[name] = '1';
  return query;
}
