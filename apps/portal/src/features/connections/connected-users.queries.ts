import {
  askConnectedServer,
  type ConnectedUser,
  inviteConnectedUser,
  listConnectedUsers,
  unlinkConnectedUser,
} from '@steward/contract/connections';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { infiniteQueryOptionsFor, mutationOptionsFor } from '#platform/api/queries.ts';
import { useAttended } from '#platform/page/use-attended.ts';
import type { Place } from './connections.queries.ts';

/** Interval between requests for the outcome of an action, in milliseconds. */
const POLL_MS = 2_000;
/** A bridge that is silent for this many milliseconds doesn't answer soon, so that the screen stops asking. */
const GIVE_UP_MS = 10 * 60_000;

export interface UsersFilter {
  search?: string;
  /** Only those who are active there although their access here ended. */
  ended?: 1;
}

const isAwaited = ({ last_work }: ConnectedUser) =>
  last_work?.remote === 'waiting' && last_work.asked_at > Date.now() - GIVE_UP_MS;

export function useConnectedUsers({ teamId, connectionId }: Place, { search = '', ended }: UsersFilter) {
  const isAttended = useAttended();
  return useInfiniteQuery({
    ...infiniteQueryOptionsFor(listConnectedUsers, {
      params: { teamId, connectionId },
      query: { ...(search !== '' && { search }), ...(ended !== undefined && { ended: '1' as const }) },
    }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: ({ state }) =>
      isAttended && state.data?.pages.some(({ records }) => records.some(isAwaited)) === true && POLL_MS,
  });
}

const refreshes = [listConnectedUsers];
export const asking = mutationOptionsFor(askConnectedServer, { refreshes });
export const inviting = mutationOptionsFor(inviteConnectedUser, { refreshes });
export const unlinking = mutationOptionsFor(unlinkConnectedUser, { refreshes });
