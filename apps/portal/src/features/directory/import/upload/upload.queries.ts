import { getImport, listImports, listKeptEntries, undoImport } from '@steward/contract/directory';
import { mutationFor, pagesFor, queryFor } from '#platform/api/queries.ts';

/** How often it is asked how far an undo is. */
const UNDO_POLL_MS = 1_000;
const IMPORTS_IN_VIEW = '10';
const KEPT_IN_VIEW = '50';

/** Imports of the last 30 days, newest first. */
export function importsOf(teamId: string) {
  return {
    ...pagesFor(listImports, { params: { teamId }, query: { limit: IMPORTS_IN_VIEW } }),
    // Somebody who opens the dialog again wants to see what the last upload did.
    staleTime: 0,
  };
}

/** One import; asked for each second while it is being undone. */
export function importOf(teamId: string, importId: string) {
  return {
    ...queryFor(getImport, { params: { teamId, importId } }),
    staleTime: 0,
    refetchInterval: ({ state }: { state: { data?: { state: string } | undefined } }) =>
      state.data?.state === 'undoing' ? UNDO_POLL_MS : (false as const),
  };
}

/** The first entries that undoing an import left alone. */
export function keptBy(teamId: string, importId: string) {
  return queryFor(listKeptEntries, { params: { teamId, importId }, query: { limit: KEPT_IN_VIEW } });
}

/** Begins to undo an import. */
export const undoing = mutationFor(undoImport, { refreshes: [listImports, getImport] });
