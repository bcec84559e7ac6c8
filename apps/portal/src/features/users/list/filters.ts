import { INACTIVE_DAYS_MAX } from '@steward/contract/api/limits';
import type { SortOrder, UserSort } from '@steward/contract/users';
import { cleanSearch, readSearch } from '#platform/search/search-text.ts';

/** The filters are in the order of the panel. */
export const FILTERS = [
  { name: 'primary_owner', label: 'Primary Owner' },
  { name: 'workspace_admin', label: 'Workspace Admin' },
  { name: 'member', label: 'Member' },
  { name: 'pending', label: 'Pending Invitee' },
  { name: 'deactivated_accounts', label: 'Show deactivated accounts' },
] as const;
export type FilterName = (typeof FILTERS)[number]['name'];

export interface UsersOrder {
  sort?: UserSort;
  order?: SortOrder;
}

/** A filter that is off is absent, and so is the default order by name from A to Z, so that one list has one address. */
export type UsersSearch = { search?: string; inactive_days?: number } & UsersOrder & { [Name in FilterName]?: 1 };

/** The address may have been typed by hand, so invalid values are ignored. */
export function readUsersSearch(raw: Record<string, unknown>): UsersSearch {
  const read: UsersSearch = {};
  const search = readSearch(raw.search);
  if (search !== '') read.search = search;
  for (const { name } of FILTERS) if ([1, '1', true].includes(raw[name] as never)) read[name] = 1;
  const days = ['number', 'string'].includes(typeof raw.inactive_days) ? Number(raw.inactive_days) : Number.NaN;
  if (Number.isInteger(days) && days >= 1 && days <= INACTIVE_DAYS_MAX) read.inactive_days = days;
  if (raw.sort === 'last_active' || raw.sort === 'joined') read.sort = raw.sort;
  if (raw.order === 'desc') read.order = raw.order;
  return read;
}

export function withFilter(current: UsersSearch, name: FilterName, on: boolean): UsersSearch {
  const { [name]: _, ...rest } = current;
  return on ? { ...rest, [name]: 1 } : rest;
}

export function withInactive(current: UsersSearch, days: number): UsersSearch {
  const { inactive_days: _, ...rest } = current;
  return days === 0 ? rest : { ...rest, inactive_days: days };
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

/** Reset keeps the search text and the order, because they aren't filters. */
export function withoutFilters(current: UsersSearch): UsersSearch {
  const kept = withOrder({}, current);
  return current.search === undefined ? kept : { search: current.search, ...kept };
}

export function countFilters(current: UsersSearch): number {
  return FILTERS.filter(({ name }) => current[name] === 1).length + (current.inactive_days === undefined ? 0 : 1);
}

type UsersQuery = { search?: string; inactive_days?: string } & UsersOrder & { [Name in FilterName]?: '1' };

/** The result is the query of the API call. */
export function usersQuery(current: UsersSearch): UsersQuery {
  const { search, inactive_days, sort, order } = current;
  const query: UsersQuery = { ...(sort && { sort }), ...(order && { order }) };
  if (search !== undefined) query.search = search;
  if (inactive_days !== undefined) query.inactive_days = String(inactive_days);
  for (const { name } of FILTERS) if (current[name] === 1) query[name] = '1';
  return query;
}
