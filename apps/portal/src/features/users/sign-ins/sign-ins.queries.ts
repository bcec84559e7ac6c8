import { PAGE_ROWS_MAX } from '@steward/contract/api/limits';
import { listSignIns } from '@steward/contract/users/sign-ins';
import { call } from '#platform/api/api.ts';
import { listQueryOptionsFor } from '#platform/tables/cached-lists.ts';
import { type SignInsSearch, signInsQuery } from './sign-ins-search.ts';

/** The sign-in log of a team, newest first. */
export function signInsQueryOptions(teamId: string, search: SignInsSearch) {
  return listQueryOptionsFor(listSignIns, { params: { teamId }, query: signInsQuery(search) });
}

/** Fetches one page for the CSV, with as many rows as a call allows. */
export function createExportPageFetcher(teamId: string, search: SignInsSearch) {
  return (lastKey: string | undefined, signal: AbortSignal) => {
    const limit = String(PAGE_ROWS_MAX);
    const query = { ...signInsQuery(search), limit, ...(lastKey === undefined ? {} : { last_key: lastKey }) };
    return call(listSignIns, { params: { teamId }, query }, { signal });
  };
}
