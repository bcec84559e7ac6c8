import * as calls from '@steward/contract/users/inactivity';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '#platform/api/api.ts';
import type { Failure } from '#platform/api/failure.ts';
import { mutationOptionsFor, pollWhile, queryOptionsFor } from '#platform/api/queries.ts';

/** A night is worked on within a minute; its progress is then shown. */
const RUN_POLL_MS = 2_000;

export function inactivityQueryOptions(teamId: string) {
  return {
    ...queryOptionsFor(calls.getInactivity, { params: { teamId } }),
    refetchInterval: pollWhile(({ nights }: calls.Inactivity) => nights[0]?.state === 'running', RUN_POLL_MS),
  };
}

export const saving = mutationOptionsFor(calls.saveInactivity, { refreshes: [calls.getInactivity] });
export const excepting = mutationOptionsFor(calls.saveInactivityException, { refreshes: [calls.getInactivity] });

/** These resolve when the page is updated, even if another owner was faster. */
export function useEndException(teamId: string, userId: string) {
  return useRefreshing(() => call(calls.removeInactivityException, { params: { teamId, userId } }));
}

export function useConfirmNight(teamId: string, night: string) {
  return useRefreshing(() => call(calls.confirmInactivityNight, { params: { teamId, night } }));
}

export function useUndoNight(teamId: string, night: string) {
  return useRefreshing(() => call(calls.undoInactivityNight, { params: { teamId, night } }));
}

function useRefreshing<Result>(run: () => Promise<Result>) {
  const client = useQueryClient();
  return useMutation<Result, Failure, void>({
    mutationFn: run,
    onSettled: () => client.invalidateQueries({ queryKey: [calls.getInactivity.name] }),
  });
}
