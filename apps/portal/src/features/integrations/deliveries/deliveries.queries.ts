import { listIntegrations } from '@steward/contract/integrations';
import * as calls from '@steward/contract/integrations/deliveries';
import { keepPreviousData } from '@tanstack/react-query';
import { infiniteQueryOptionsFor, mutationOptionsFor, pollWhile, queryOptionsFor } from '#platform/api/queries.ts';
import type { IntegrationKey } from '../integrations.queries.ts';

/** The log is refetched at this interval while the page is visible, and faster while a delivery is waiting. */
const LOG_POLL_MS = 10_000;
const WAITING_POLL_MS = 2_000;
const DELIVERIES_LIMIT = '25';
/** A log with more loaded pages than this isn't refetched. */
const POLLED_PAGES = 4;
/** This is the largest page. A higher count is shown as “more than”. */
const COUNT_MAX = 100;

interface LogPages {
  pages: readonly { records: readonly calls.Delivery[] }[];
}

export function deliveriesQueryOptions(place: IntegrationKey, state: calls.DeliveryState | undefined) {
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

/** The delivery is refetched while it is waiting. */
export function deliveryQueryOptions(place: IntegrationKey, deliveryId: string) {
  return {
    ...queryOptionsFor(calls.getDelivery, { params: { ...place, deliveryId } }),
    staleTime: 0,
    refetchInterval: pollWhile(({ state }: calls.Delivery) => state === 'waiting', WAITING_POLL_MS),
  };
}

/** The count stops at one page. */
export function failedCountQueryOptions(place: IntegrationKey, state: 'failed' | 'partly') {
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

/** Only failed channels are retried, and repeating the call is safe. */
export const redeliverMutation = mutationOptionsFor(calls.redeliver, { refreshes });

export const redeliverFailedMutation = mutationOptionsFor(calls.redeliverFailed, { refreshes });
