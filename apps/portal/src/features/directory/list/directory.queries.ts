import { PAGE_ROWS_MAX } from '@steward/contract/api/limits';
import {
  addEntries,
  type Entry,
  type EntryForm,
  listEntries,
  removeEntry,
  saveEntries,
} from '@steward/contract/directory';
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '#platform/api/api.ts';
import type { Failure } from '#platform/api/failure.ts';
import { listQueryOptionsFor, refetchListsFromStart, updateCachedLists } from '#platform/tables/cached-lists.ts';
import { useCurrentTeam } from '#workspace/teams/current-team.ts';
import type { DirectorySearch } from './directory-search.ts';
import { withEntry, withoutEntry } from './entry-order.ts';

/** The entries of a team. */
export function entriesQueryOptions(teamId: string, search: DirectorySearch) {
  return listQueryOptionsFor(listEntries, { params: { teamId }, query: search });
}

/** One page for the file: as many entries as a call gives. */
export function createExportPageFetcher(teamId: string, search: DirectorySearch) {
  return (lastKey: string | undefined, signal: AbortSignal) => {
    const query = { ...search, limit: String(PAGE_ROWS_MAX), ...(lastKey === undefined ? {} : { last_key: lastKey }) };
    return call(listEntries, { params: { teamId }, query }, { signal });
  };
}

/** Shows what an upload, or somebody else, has changed; a long list begins at its first page again. */
export function refreshEntries(client: QueryClient, teamId: string): Promise<void> {
  return refetchListsFromStart(client, { endpoint: listEntries, teamId });
}

/** A form to be stored; the key lets a second try take effect once. */
interface Saved {
  form: EntryForm;
  idempotencyKey: string;
}

/** Adds an entry, or saves the one that is edited, and brings the lists up to date. */
export function useSaveEntry(edited: Entry | null) {
  const { id: teamId } = useCurrentTeam();
  const client = useQueryClient();
  return useMutation<Entry[], Failure, Saved>({
    mutationFn: async ({ form, idempotencyKey }) => {
      const params = { teamId };
      const stored =
        edited === null
          ? await call(addEntries, { params, body: [form] }, { idempotencyKey })
          : await call(saveEntries, { params, body: [{ ...form, id: edited.id }] }, { idempotencyKey });
      return stored.records;
    },
    onSuccess: (stored) =>
      updateCachedLists<Entry>(client, { endpoint: listEntries, teamId }, (pages, { search }) =>
        stored.reduce((list, entry) => withEntry(list, entry, search), pages),
      ),
    onError: (failure) => (edited !== null && isGone(failure) ? removeFromLists(client, teamId, edited.id) : undefined),
  });
}

/** Deletes an entry; one that is gone already leaves the lists too. */
export function useRemoveEntry(entry: Entry) {
  const { id: teamId } = useCurrentTeam();
  const client = useQueryClient();
  return useMutation<unknown, Failure, void>({
    mutationFn: () => call(removeEntry, { params: { teamId, entryId: entry.id } }),
    onSuccess: () => removeFromLists(client, teamId, entry.id),
    onError: (failure) => (isGone(failure) ? removeFromLists(client, teamId, entry.id) : undefined),
  });
}

/** Somebody else has deleted the entry meanwhile. */
export function isGone(failure: Failure): boolean {
  return failure.id === 'record.not_found';
}

function removeFromLists(client: QueryClient, teamId: string, id: string): Promise<void> {
  return updateCachedLists<Entry>(client, { endpoint: listEntries, teamId }, (pages) => withoutEntry(pages, id));
}
