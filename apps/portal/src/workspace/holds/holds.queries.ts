import { type Hold, listHolds } from '@steward/contract/retention/holds';
import { queryOptionsFor } from '#platform/api/queries.ts';

/** How often the progress of an export is requested, in milliseconds. */
const POLL_MS = 1_500;

/** The legal holds of a team, those in effect first; requested again while an export is written. */
export function holdsQueryOptions(teamId: string) {
  return {
    ...queryOptionsFor(listHolds, { params: { teamId } }),
    refetchInterval: ({ state }: { state: { data?: { records: readonly Hold[] } | undefined } }) =>
      state.data?.records.some((hold) => hold.export?.state === 'queued' || hold.export?.state === 'running')
        ? POLL_MS
        : (false as const),
  };
}
