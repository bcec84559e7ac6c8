import { listUsers } from '@steward/contract/users';
import { getUser } from '@steward/contract/users/panel';
import * as calls from '@steward/contract/users/privacy';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { mutationOptionsFor, queryOptionsFor } from '#platform/api/queries.ts';

/** Someone whose data is exported or erased, as the team knows them. */
export interface Subject {
  id: string;
  name: string;
  email: string;
}

/** How often progress is fetched, in milliseconds. */
const POLL_MS = 1_500;

/** Users who left the team. */
export function formerUsersQueryOptions(teamId: string) {
  return queryOptionsFor(calls.listFormerUsers, { params: { teamId } });
}

/** Exports that the owner requested; fetched again while one is being written. */
export function exportsQueryOptions(teamId: string) {
  return {
    ...queryOptionsFor(calls.listUserExports, { params: { teamId } }),
    refetchInterval: ({ state }: { state: { data?: { records: readonly calls.UserExport[] } | undefined } }) =>
      state.data?.records.some(({ state: at }) => at === 'queued' || at === 'running') ? POLL_MS : (false as const),
  };
}

/** Users whom the team erased; fetched again while a job still searches for an address. */
export function erasedUsersQueryOptions(teamId: string) {
  return {
    ...queryOptionsFor(calls.listErasedUsers, { params: { teamId } }),
    refetchInterval: ({ state }: { state: { data?: { records: readonly calls.ErasedUser[] } | undefined } }) =>
      state.data?.records.some(({ state: at }) => at === 'running') ? POLL_MS : (false as const),
  };
}

/** Starts an export. */
export const exporting = mutationOptionsFor(calls.exportUser, { refreshes: [calls.listUserExports] });

/** Erases a user. It ends when the list of former users no longer has them, so that the focus finds another row. */
export function useEraseUser() {
  const client = useQueryClient();
  return useMutation({
    ...mutationOptionsFor(calls.eraseUser, {
      refreshes: [calls.listErasedUsers, calls.listUserExports, listUsers, getUser],
    }),
    onSuccess: () => client.invalidateQueries({ queryKey: [calls.listFormerUsers.name] }),
  });
}
