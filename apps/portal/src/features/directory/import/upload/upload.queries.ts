import { getImport, listImports, listKeptEntries, undoImport } from '@steward/contract/directory';
import { infiniteQueryOptionsFor, mutationOptionsFor, queryOptionsFor } from '#platform/api/queries.ts';

/** How often it is asked how far an undo is. */
const UNDO_POLL_MS = 1_000;
const IMPORTS_LIMIT = '10';
const KEPT_ENTRIES_LIMIT = '50';

/** Imports of the last 30 days, newest first. */
export function getImports(teamId: string) {
  return {
    ...infiniteQueryOptionsFor(listImports, { params: { teamId }, query: { limit: IMPORTS_LIMIT } }),
    // Somebody who opens the dialog again wants to see what the last upload did.
    staleTime: 0,
  };
}

/** One import; asked for each second while it is being undone. */
export function importQueryOptions(teamId: string, importId: string) {
  return {
    ...queryOptionsFor(getImport, { params: { teamId, importId } }),
    staleTime: 0,
    refetchInterval: ({ state }: { state: { data?: { state: string } | undefined } }) =>
      state.data?.state === 'undoing' ? UNDO_POLL_MS : (false as const),
  };
}

/** The first entries that undoing an import left alone. */
export function keptEntriesQueryOptions(teamId: string, importId: string) {
  return queryOptionsFor(listKeptEntries, { params: { teamId, importId }, query: { limit: KEPT_ENTRIES_LIMIT } });
}

/** Begins to undo an import. */
export const undoing = mutationOptionsFor(undoImport, { refreshes: [listImports, getImport] });
