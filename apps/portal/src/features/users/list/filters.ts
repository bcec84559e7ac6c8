import { cleanSearch, readSearch } from '#platform/search/search-text.ts';

/** The filters of spec §3 with their texts of spec §2, in the order of the panel. */
export const FILTERS = [
  { name: 'primary_owner', label: 'Primary Owner' },
  { name: 'workspace_admin', label: 'Workspace Admin' },
  { name: 'member', label: 'Member' },
  { name: 'deactivated_accounts', label: 'Show deactivated accounts' },
] as const;
export type FilterName = (typeof FILTERS)[number]['name'];

/** What the address bar holds: a filter that is off is absent, so that one list has one address. */
export type UsersSearch = { search?: string } & { [Name in FilterName]?: 1 };

/** Reads an address that anybody may have typed: what makes no sense is left out, never refused. */
export function readUsersSearch(raw: Record<string, unknown>): UsersSearch {
  const read: UsersSearch = {};
  const search = readSearch(raw.search);
  if (search !== '') read.search = search;
  for (const { name } of FILTERS) if ([1, '1', true].includes(raw[name] as never)) read[name] = 1;
  return read;
}

export function withFilter(current: UsersSearch, name: FilterName, on: boolean): UsersSearch {
  const { [name]: _, ...rest } = current;
  return on ? { ...rest, [name]: 1 } : rest;
}

export function withSearch(current: UsersSearch, text: string): UsersSearch {
  const { search: _, ...rest } = current;
  const search = cleanSearch(text);
  return search === '' ? rest : { search, ...rest };
}

/** Reset clears every filter; the search text is not one of them (spec §4). */
export function withoutFilters(current: UsersSearch): UsersSearch {
  return current.search === undefined ? {} : { search: current.search };
}

export function countFilters(current: UsersSearch): number {
  return FILTERS.filter(({ name }) => current[name] === 1).length;
}

/** The same as the query of the call (spec §7). */
export function usersQuery(current: UsersSearch): { search?: string } & { [Name in FilterName]?: '1' } {
  const query: ReturnType<typeof usersQuery> = {};
  if (current.search !== undefined) query.search = current.search;
  for (const { name } of FILTERS) if (current[name] === 1) query[name] = '1';
  return query;
}
