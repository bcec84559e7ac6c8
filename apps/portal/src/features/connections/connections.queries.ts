import {
  acceptConnection,
  type Connection,
  leaveConnection,
  listConnections,
  listOrders,
  pauseConnection,
  stopOrder,
} from '@steward/contract/connections';
import { useQuery } from '@tanstack/react-query';
import { mutationOptionsFor, queryOptionsFor } from '#platform/api/queries.ts';
import { useAttended } from '#platform/page/use-attended.ts';

/** Interval between requests for the progress of a first list or an order, in milliseconds. */
const POLL_MS = 5_000;

const isProgressing = ({ health, open_order }: Connection) => health === 'filling' || open_order !== null;

function connectionsQueryOptions(teamId: string) {
  return { ...queryOptionsFor(listConnections, { params: { teamId } }), staleTime: 0 };
}

export function useConnections(teamId: string) {
  const isAttended = useAttended();
  return useQuery({
    ...connectionsQueryOptions(teamId),
    refetchInterval: ({ state }) => isAttended && state.data?.records.some(isProgressing) === true && POLL_MS,
  });
}

const refreshes = [listConnections, listOrders];
export const accepting = mutationOptionsFor(acceptConnection, { refreshes });
export const leaving = mutationOptionsFor(leaveConnection, { refreshes });
export const pausing = mutationOptionsFor(pauseConnection, { refreshes });
export const stopping = mutationOptionsFor(stopOrder, { refreshes });
