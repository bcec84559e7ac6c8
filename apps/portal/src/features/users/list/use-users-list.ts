import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { failedInvitationsQueryOptions } from '../invitations/failed-invitations.queries.ts';
import { usersQueryOptions } from '../users.queries.ts';
import type { UsersSearch } from './filters.ts';

/** Rows that are there already wait at most this long for the notice above them. Milliseconds. */
const GRACE_MS = 100;

/** The people of a team, and the invitations that did not arrive: both at once, so that neither pushes the other away. */
export function useUsersList(teamId: string, search: UsersSearch) {
  const failed = useQuery(failedInvitationsQueryOptions(teamId));
  const list = useInfiniteQuery(usersQueryOptions(teamId, search));
  const isHeld = useGracePeriod(list.data !== undefined && failed.isPending);
  return { list: isHeld ? { ...list, data: undefined } : list, failed: failed.data?.records };
}

/** Whether something still waits: once, and no longer than anybody sees. */
function useGracePeriod(isAwaited: boolean): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    if (!isAwaited) return;
    const timer = setTimeout(() => setOver(true), GRACE_MS);
    return () => clearTimeout(timer);
  }, [isAwaited]);
  return isAwaited && !isOver;
}
