import type { Preview } from '@steward/contract/retention';
import type { RetentionKind, RetentionRule } from '@steward/contract/retention/fields';
import { getRetentionAges, getRetentionForecast, listDueItems } from '@steward/contract/retention/foresight';
import type { RetentionClock } from '@steward/contract/retention/rules';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Failure } from '#platform/api/failure.ts';
import { infiniteQueryOptionsFor, queryOptionsFor } from '#platform/api/queries.ts';
import { createPageFetcher } from '#platform/tables/iterate-pages.ts';
import type { Group } from '../groups.ts';
import { previewRules } from '../retention.queries.ts';

/** The server caches these responses for the same time. */
const STALE_MS = 60_000;

export function agesQueryOptions(teamId: string, setting: RetentionKind, clock: RetentionClock) {
  return {
    ...queryOptionsFor(getRetentionAges, { params: { teamId }, query: { setting, clock } }),
    staleTime: STALE_MS,
  };
}

export function forecastQueryOptions(teamId: string) {
  return { ...queryOptionsFor(getRetentionForecast, { params: { teamId }, query: {} }), staleTime: STALE_MS };
}

/** The previous count stays visible until the next one arrives. Counts aren't cached. */
export function effectQueryOptions(
  { group, teamId, kind }: { group: Group; teamId: string; kind: RetentionKind },
  rule: RetentionRule | null,
) {
  return queryOptions<Preview, Failure>({
    queryKey: ['previewRetention', 'effect', teamId, kind, rule],
    enabled: rule !== null,
    gcTime: 0,
    staleTime: 0,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const previews = await previewRules(group, teamId, { rules: { [kind]: rule ?? { value: 0 } }, signal });
      const preview = previews[kind];
      if (preview === undefined) throw new Error('The change could not be counted.');
      return preview;
    },
  });
}

export interface DueList {
  teamId: string;
  setting: RetentionKind;
  clock: RetentionClock;
  cutoff: number;
}

const toQuery = ({ setting, clock, cutoff }: DueList) => ({ setting, clock, cutoff: String(cutoff) });

/** The oldest items come first. */
export function dueItemsQueryOptions(list: DueList) {
  return infiniteQueryOptionsFor(listDueItems, { params: { teamId: list.teamId }, query: toQuery(list) });
}

export function createDueItemsFetcher(list: DueList) {
  return createPageFetcher(listDueItems, { params: { teamId: list.teamId }, query: toQuery(list) });
}
