import {
  addEntries,
  type Entry,
  type EntryForm,
  listEntries,
  removeEntry,
  restoreEntry,
  saveEntries,
} from '@steward/contract/directory';
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '#platform/api/api.ts';
import type { Failure } from '#platform/api/failure.ts';
import { updateCachedLists } from '#platform/tables/cached-lists.ts';
import { useCurrentTeam } from '#workspace/teams/teams.ts';
import { withEntry, withoutEntry } from './entry-order.ts';

/** The key makes a repeated request take effect only once. */
interface Saved {
  form: EntryForm;
  idempotencyKey: string;
}

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
    onSuccess: (stored) => addToLists(client, teamId, stored),
    onError: (failure) => (edited !== null && isGone(failure) ? removeFromLists(client, teamId, edited.id) : undefined),
  });
}

/** An entry that was already deleted is removed from the lists as well. */
export function useRemoveEntry(entry: Entry) {
  const { id: teamId } = useCurrentTeam();
  const client = useQueryClient();
  return useMutation<unknown, Failure, void>({
    mutationFn: () => call(removeEntry, { params: { teamId, entryId: entry.id } }),
    onSuccess: () => removeFromLists(client, teamId, entry.id),
    onError: (failure) => (isGone(failure) ? removeFromLists(client, teamId, entry.id) : undefined),
  });
}

export function isGone(failure: Failure): boolean {
  return failure.id === 'record.not_found';
}

export function useRestoreEntry() {
  const { id: teamId } = useCurrentTeam();
  const client = useQueryClient();
  return async (entryId: string, idempotencyKey: string): Promise<void> => {
    const { records } = await call(restoreEntry, { params: { teamId, entryId } }, { idempotencyKey });
    await addToLists(client, teamId, records);
  };
}

function addToLists(client: QueryClient, teamId: string, entries: readonly Entry[]): Promise<void> {
  return updateCachedLists<Entry>(client, { endpoint: listEntries, teamId }, (pages, { search }) =>
    entries.reduce((list, entry) => withEntry(list, entry, search), pages),
  );
}

function removeFromLists(client: QueryClient, teamId: string, id: string): Promise<void> {
  return updateCachedLists<Entry>(client, { endpoint: listEntries, teamId }, (pages) => withoutEntry(pages, id));
}
