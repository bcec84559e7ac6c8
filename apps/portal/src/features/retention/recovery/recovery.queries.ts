import { listRetentionRuns, type RetentionRun } from '@steward/contract/retention';
import { listHolds } from '@steward/contract/retention/holds';
import { getRecovery, restoreRun, saveRecovery } from '@steward/contract/retention/recovery';
import { mutationOptionsFor, pollWhile, queryOptionsFor } from '#platform/api/queries.ts';

const POLL_MS = 1_500;
const SHOWN = '100';

/** Polled while a run is being restored. */
export function recoverableRunsQueryOptions(teamId: string) {
  return {
    ...queryOptionsFor(listRetentionRuns, { params: { teamId }, query: { recoverable: '1' as const, limit: SHOWN } }),
    refetchInterval: pollWhile(
      ({ records }: { records: readonly RetentionRun[] }) => records.some((run) => run.restore_state === 'running'),
      POLL_MS,
    ),
  };
}

export const savingRecovery = mutationOptionsFor(saveRecovery, { refreshes: [getRecovery] });
export const restoringRun = mutationOptionsFor(restoreRun, { refreshes: [listRetentionRuns, listHolds] });
