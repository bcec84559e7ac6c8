import { listIntegrations } from '@steward/contract/integrations';
import * as calls from '@steward/contract/integrations/deliveries';
import { keepPreviousData } from '@tanstack/react-query';
import { infiniteQueryOptionsFor, mutationOptionsFor, queryOptionsFor } from '#platform/api/queries.ts';
import type { Place } from '../integrations.queries.ts';

/** How often the log is refetched while the page is visible, and while a delivery is waiting. Milliseconds. */
const LOG_POLL_MS = 10_000;
const WAITING_POLL_MS = 2_000;
const DELIVERIES_LIMIT = '25';
/** With more pages than this, the log isn't refetched. */
const POLLED_PAGES = 4;
/** Largest page; a higher count is shown as “more than”. */
const COUNT_MAX = 100;

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

/** One delivery with its request; refetched while it is waiting. */
export function deliveryQueryOptions(place: Place, deliveryId: string) {
  return {
    ...queryOptionsFor(calls.getDelivery, { params: { ...place, deliveryId } }),
    staleTime: 0,
    refetchInterval: ({ state: { data } }: { state: { data?: calls.Delivery | undefined } }) =>
      data?.state === 'waiting' ? WAITING_POLL_MS : (false as const),
  };
}

/** The number of deliveries in this state, up to one page. */
export function failedCountQueryOptions(place: Place, state: 'failed' | 'partly') {
  return {
    ...queryOptionsFor(calls.listDeliveries, { params: { ...place }, query: { limit: String(COUNT_MAX), state } }),
    staleTime: 0,
    gcTime: 0,
    select: (page: { records: readonly unknown[]; last_key: string | null }) => {
      return { count: page.records.length, isMore: page.last_key !== null };
    },
  };
}

const refreshes = [calls.listDeliveries, calls.getDelivery, listIntegrations];

/** Retries the failed channels of a delivery. It is idempotent. */
export const redeliverMutation = mutationOptionsFor(calls.redeliver, { refreshes });

/** Retries all failed deliveries. */
export const redeliverFailedMutation = mutationOptionsFor(calls.redeliverFailed, { refreshes });
