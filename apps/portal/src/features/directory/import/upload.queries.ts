import { getImport, listImports, listKeptEntries, undoImport } from '@steward/contract/directory';
import { infiniteQueryOptionsFor, mutationOptionsFor, pollWhile, queryOptionsFor } from '#platform/api/queries.ts';

const UNDO_POLL_MS = 1_000;
const IMPORTS_LIMIT = '10';
const KEPT_ENTRIES_LIMIT = '50';

/** The server lists imports of the last 30 days, newest first. */
export function getImports(teamId: string) {
  return {
    ...infiniteQueryOptionsFor(listImports, { params: { teamId }, query: { limit: IMPORTS_LIMIT } }),
    // The dialog must show the last upload when it is opened again.
    staleTime: 0,
  };
}

/** Polled every second while the import is being undone. */
export function importQueryOptions(teamId: string, importId: string) {
  return {
    ...queryOptionsFor(getImport, { params: { teamId, importId } }),
    staleTime: 0,
    refetchInterval: pollWhile(({ state }: { state: string }) => state === 'undoing', UNDO_POLL_MS),
  };
}

export function keptEntriesQueryOptions(teamId: string, importId: string) {
  return queryOptionsFor(listKeptEntries, { params: { teamId, importId }, query: { limit: KEPT_ENTRIES_LIMIT } });
}

export const undoing = mutationOptionsFor(undoImport, { refreshes: [listImports, getImport] });
