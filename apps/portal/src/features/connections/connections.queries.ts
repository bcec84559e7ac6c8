import {
  acceptConnection,
  type ConnectedPreview,
  type Connection,
  getConnectedRules,
  leaveConnection,
  listConnections,
  listOrderRows,
  listOrders,
  type Order,
  type OrderRow,
  pauseConnection,
  previewConnectedRules,
  saveConnectedRules,
  stopOrder,
} from '@steward/contract/connections';
import type { ConnectedKind, KeptReason } from '@steward/contract/connections/fields';
import { getRetention } from '@steward/contract/retention';
import type { RetentionRule } from '@steward/contract/retention/fields';
import {
  keepPreviousData,
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { call } from '#platform/api/api.ts';
import type { Failure } from '#platform/api/failure.ts';
import { infiniteQueryOptionsFor, mutationOptionsFor, queryOptionsFor } from '#platform/api/queries.ts';
import { useAttended } from '#platform/page/use-attended.ts';
import { nextTask } from '#platform/tables/cached-lists.ts';
import type { FetchPage } from '#platform/tables/iterate-pages.ts';
import { connectionsQueryOptions } from '#workspace/connections/connections.queries.ts';
import type { Rules, SavedRules } from '#workspace/retention/settings.ts';

/** Interval between requests for the progress of a first list or an order, in milliseconds. */
const POLL_MS = 5_000;

const isProgressing = ({ health, open_order }: Connection) => health === 'filling' || open_order !== null;

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

export interface Place {
  teamId: string;
  connectionId: string;
}

/** Rules count days in the zone of the team. */
export function useTeamZone(teamId: string): string | undefined {
  return useQuery(queryOptionsFor(getRetention, { params: { teamId } })).data?.time_zone;
}

export function connectedRulesQueryOptions(place: Place) {
  return queryOptionsFor(getConnectedRules, { params: { ...place } });
}

export function useSaveConnectedRules(place: Place) {
  const client = useQueryClient();
  return useMutation<SavedRules, Failure, Rules>({
    mutationFn: (rules) => call(saveConnectedRules, { params: { ...place }, body: rules as never }),
    onSuccess: async (saved) => {
      const { queryKey } = connectedRulesQueryOptions(place);
      await client.cancelQueries({ queryKey });
      client.setQueryData(queryKey, saved as never);
      for (const { name } of [listConnections, previewConnectedRules])
        void client.invalidateQueries({ queryKey: [name] });
      // This has to be rendered before the form resets its edits; otherwise the previous rule would flash.
      await nextTask();
    },
  });
}

export function previewConnected(place: Place, rules: Rules, signal: AbortSignal) {
  return call(previewConnectedRules, { params: { ...place }, body: rules as never }, { signal });
}

/** Counting is slow for large servers, so the previous count stays visible until the next one arrives. */
export function previewQueryOptions(place: Place, kind: ConnectedKind, rule: RetentionRule | null) {
  return queryOptions<ConnectedPreview, Failure>({
    queryKey: [previewConnectedRules.name, place, kind, rule],
    enabled: rule !== null,
    gcTime: 0,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const preview = (await previewConnected(place, { [kind]: rule ?? { value: 0 } }, signal))[kind];
      if (preview === undefined) throw new Error('The rule could not be counted.');
      return preview;
    },
  });
}

const ORDERS_LIMIT = '25';

/** Newest first; requested again while one is open. */
export function useOrders({ teamId, connectionId }: Place) {
  const isAttended = useAttended();
  return useInfiniteQuery({
    ...infiniteQueryOptionsFor(listOrders, { params: { teamId, connectionId }, query: { limit: ORDERS_LIMIT } }),
    staleTime: 0,
    refetchInterval: ({ state }) =>
      isAttended &&
      state.data?.pages.some(({ records }) => records.some((order: Order) => order.state === 'open')) === true &&
      POLL_MS,
  });
}

export interface KeptPlace extends Place {
  orderId: string;
  reason: KeptReason | '';
}

const toKeptQuery = ({ reason }: KeptPlace) => ({ kept: '1' as const, ...(reason !== '' && { reason }) });

export function keptQueryOptions(kept: KeptPlace) {
  const { teamId, connectionId, orderId } = kept;
  return {
    ...infiniteQueryOptionsFor(listOrderRows, {
      params: { teamId, connectionId, orderId },
      query: { ...toKeptQuery(kept), limit: '50' },
    }),
    placeholderData: keepPreviousData,
  };
}

export function createKeptPageFetcher(kept: KeptPlace): FetchPage<OrderRow> {
  const { teamId, connectionId, orderId } = kept;
  return (last_key, signal) =>
    call(
      listOrderRows,
      { params: { teamId, connectionId, orderId }, query: { ...toKeptQuery(kept), last_key, limit: '2000' } },
      { signal },
    );
}
