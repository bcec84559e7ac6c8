import { listUsers } from '@steward/contract/users';
import { getUser } from '@steward/contract/users/panel';
import * as calls from '@steward/contract/users/privacy';
import { mutationOptionsFor, pollWhile, queryOptionsFor } from '#platform/api/queries.ts';

export interface Subject {
  id: string;
  name: string;
  email: string;
}

const POLL_MS = 1_500;

export function formerUsersQueryOptions(teamId: string) {
  return queryOptionsFor(calls.listFormerUsers, { params: { teamId } });
}

/** Polled while an export is being written. */
export function exportsQueryOptions(teamId: string) {
  return {
    ...queryOptionsFor(calls.listUserExports, { params: { teamId } }),
    refetchInterval: pollWhile(
      ({ records }: { records: readonly calls.UserExport[] }) =>
        records.some(({ state }) => state === 'queued' || state === 'running'),
      POLL_MS,
    ),
  };
}

/** Polled while a job still searches for an address. */
export function erasedUsersQueryOptions(teamId: string) {
  return {
    ...queryOptionsFor(calls.listErasedUsers, { params: { teamId } }),
    refetchInterval: pollWhile(
      ({ records }: { records: readonly calls.ErasedUser[] }) => records.some(({ state }) => state === 'running'),
      POLL_MS,
    ),
  };
}

export const exporting = mutationOptionsFor(calls.exportUser, { refreshes: [calls.listUserExports] });

/** The list of former users is reloaded before it ends, so that the focus moves to another row. */
export const erasing = mutationOptionsFor(calls.eraseUser, {
  refreshes: [calls.listErasedUsers, calls.listUserExports, listUsers, getUser],
  reloads: [calls.listFormerUsers],
});
