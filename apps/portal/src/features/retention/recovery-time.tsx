import { getRecovery, type Recovery } from '@steward/contract/retention/recovery';
import { useQuery } from '@tanstack/react-query';
import { queryOptionsFor } from '#platform/api/queries.ts';

/** For how many days what a run deletes can be restored. */
export function recoveryQueryOptions(teamId: string) {
  return queryOptionsFor(getRecovery, { params: { teamId } });
}

/** The number of days that counts now. */
export function getCurrentDays({ recoverable_days, in_force }: Recovery): number {
  return in_force ?? recoverable_days;
}

/** A sentence about what can be done after a run. */
function describeRecovery(recovery: Recovery | undefined): string {
  const days = recovery === undefined ? 0 : getCurrentDays(recovery);
  if (days === 0) return "Deleted content can't be recovered.";
  return `An owner can restore what is deleted for ${days === 1 ? '1 day' : `${days} days`}; after that, it can't be recovered.`;
}

/** Whether and how long what is deleted can be restored. */
export function RecoveryText({ teamId }: { teamId: string }) {
  const { data, isPending } = useQuery(recoveryQueryOptions(teamId));
  return isPending ? null : describeRecovery(data);
}
