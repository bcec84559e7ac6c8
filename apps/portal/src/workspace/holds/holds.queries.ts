import { type Hold, listHolds } from '@steward/contract/retention/holds';
import { pollWhile, queryOptionsFor } from '#platform/api/queries.ts';

/** Interval between requests for the progress of an export, in milliseconds. */
const POLL_MS = 1_500;

/** Holds in effect come first. The list is requested again while an export is written. */
export function holdsQueryOptions(teamId: string) {
  return {
    ...queryOptionsFor(listHolds, { params: { teamId } }),
    refetchInterval: pollWhile(
      ({ records }: { records: readonly Hold[] }) =>
        records.some((hold) => hold.export?.state === 'queued' || hold.export?.state === 'running'),
      POLL_MS,
    ),
  };
}
