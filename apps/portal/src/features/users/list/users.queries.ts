import { listUsers } from '@steward/contract/users';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { queryClient } from '#platform/api/query-client.ts';
import { listQueryOptionsFor } from '#platform/tables/cached-lists.ts';
import { failedInvitationsQueryOptions } from '../invitations/failed-invitations.queries.ts';
import { type UsersSearch, usersQuery } from './filters.ts';

/** Loaded rows wait at most this long for the notice above them. */
const GRACE_MS = 100;

const usersOptions = (teamId: string, search: UsersSearch) =>
  listQueryOptionsFor(listUsers, { params: { teamId }, query: usersQuery(search) });

/** Data for `useUsersList` is fetched early, because the first render of the screen takes as long as the response. */
export function prefetchUsersList(teamId: string, search: UsersSearch): void {
  const [list, failed] = [usersOptions(teamId, search), failedInvitationsQueryOptions(teamId)];
  if (queryClient.getQueryState(list.queryKey) === undefined) void queryClient.prefetchInfiniteQuery(list);
  if (queryClient.getQueryState(failed.queryKey) === undefined) void queryClient.prefetchQuery(failed);
}

/** The users and the undelivered invitations appear together, so that neither moves the other. */
export function useUsersList(teamId: string, search: UsersSearch) {
  const failed = useQuery(failedInvitationsQueryOptions(teamId));
  const list = useInfiniteQuery(usersOptions(teamId, search));
  const isHeld = useGracePeriod(list.data !== undefined && failed.isPending);
  return { list: isHeld ? { ...list, data: undefined } : list, failed: failed.data?.records };
}

/** The period is too short to notice. */
function useGracePeriod(isAwaited: boolean): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    if (!isAwaited) return;
    const timer = setTimeout(() => setOver(true), GRACE_MS);
    return () => clearTimeout(timer);
  }, [isAwaited]);
  return isAwaited && !isOver;
}
