import { getRecovery, type Recovery } from '@steward/contract/retention/recovery';
import { useQuery } from '@tanstack/react-query';
import { queryOptionsFor } from '#platform/api/queries.ts';

export function recoveryQueryOptions(teamId: string) {
  return queryOptionsFor(getRecovery, { params: { teamId } });
}

/** `in_force` is the current number while a saved change is scheduled. */
export function getCurrentDays({ recoverable_days, in_force }: Recovery): number {
  return in_force ?? recoverable_days;
}

function describeRecovery(recovery: Recovery | undefined): string {
  const days = recovery === undefined ? 0 : getCurrentDays(recovery);
  if (days === 0) return "Deleted content can't be recovered.";
  return `An owner can restore what is deleted for ${days === 1 ? '1 day' : `${days} days`}; after that, it can't be recovered.`;
}

export function RecoveryText({ teamId }: { teamId: string }) {
  const { data, isPending } = useQuery(recoveryQueryOptions(teamId));
  return isPending ? null : describeRecovery(data);
}
