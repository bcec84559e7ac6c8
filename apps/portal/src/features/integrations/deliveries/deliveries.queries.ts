import { listIntegrations } from '@steward/contract/integrations';
import * as calls from '@steward/contract/integrations/deliveries';
import { keepPreviousData } from '@tanstack/react-query';
import { infiniteQueryOptionsFor, mutationOptionsFor, queryOptionsFor } from '#platform/api/queries.ts';
import type { Place } from '../integrations.queries.ts';

/** While the page is looked at, the log is asked for again this often; more often while something is under way. Milliseconds. */
const LOG_POLL_MS = 10_000;
const WAITING_POLL_MS = 2_000;
const DELIVERIES_LIMIT = '25';
/** Somebody who reads so many pages is not to have them all fetched again and again. */
const POLLED_PAGES = 4;
/** As many as one page may hold: what is beyond is counted as «more than». */
const COUNTED = 100;

interface LogPages {
  pages: readonly { records: readonly calls.Delivery[] }[];
}

/** Deliveries, newest first; in one state, or in all. */
export function deliveriesQueryOptions(place: Place, state: calls.DeliveryState | undefined) {
  return {
    ...infiniteQueryOptionsFor(calls.listDeliveries, {
      params: { ...place },
      query: { limit: DELIVERIES_LIMIT, ...(state && { state }) },
    }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: ({ state: { data } }: { state: { data?: LogPages | undefined } }) => pollMs(data?.pages ?? []),
  };
}

function pollMs(pages: LogPages['pages']): number | false {
  if (pages.length > POLLED_PAGES) return false;
  const isWaiting = pages.some(({ records }) => records.some(({ state }) => state === 'waiting'));
  return isWaiting ? WAITING_POLL_MS : LOG_POLL_MS;
}

/** One delivery with its request; followed while it waits. */
export function deliveryQueryOptions(place: Place, deliveryId: string) {
  return {
    ...queryOptionsFor(calls.getDelivery, { params: { ...place, deliveryId } }),
    staleTime: 0,
    refetchInterval: ({ state: { data } }: { state: { data?: calls.Delivery | undefined } }) =>
      data?.state === 'waiting' ? WAITING_POLL_MS : (false as const),
  };
}

/** How many deliveries failed in this way, up to one page. */
export function failedCount(place: Place, state: 'failed' | 'partly') {
  return {
    ...queryOptionsFor(calls.listDeliveries, { params: { ...place }, query: { limit: String(COUNTED), state } }),
    staleTime: 0,
    gcTime: 0,
    select: (page: { records: readonly unknown[]; last_key: string | null }) => {
      return { count: page.records.length, isMore: page.last_key !== null };
    },
  };
}

const refreshes = [calls.listDeliveries, calls.getDelivery, listIntegrations];

/** Posts a delivery again where it failed. Sent twice, it does nothing more than once. */
export const redeliverMutation = mutationOptionsFor(calls.redeliver, { refreshes });

/** The same for all that failed. */
export const redeliverFailedMutation = mutationOptionsFor(calls.redeliverFailed, { refreshes });
