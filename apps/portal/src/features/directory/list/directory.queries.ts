import { PAGE_ROWS_MAX } from '@steward/contract/api/limits';
import { listEntries } from '@steward/contract/directory';
import type { QueryClient } from '@tanstack/react-query';
import { call } from '#platform/api/api.ts';
import { listQueryOptionsFor, refetchListsFromStart } from '#platform/tables/cached-lists.ts';
import type { DirectorySearch } from './directory-search.ts';

/** The entries of a team. */
export function entriesQueryOptions(teamId: string, search: DirectorySearch) {
  return listQueryOptionsFor(listEntries, { params: { teamId }, query: search });
}

/** Fetches one page for the CSV, with as many rows as a call allows. */
export function createExportPageFetcher(teamId: string, search: DirectorySearch) {
  return (lastKey: string | undefined, signal: AbortSignal) => {
    const query = { ...search, limit: String(PAGE_ROWS_MAX), ...(lastKey === undefined ? {} : { last_key: lastKey }) };
    return call(listEntries, { params: { teamId }, query }, { signal });
  };
}

/** Shows changes by an upload or another user; a long list starts at its first page again. */
export function refreshEntries(client: QueryClient, teamId: string): Promise<void> {
  return refetchListsFromStart(client, { endpoint: listEntries, teamId });
}
