import * as calls from '@steward/contract/users/inactivity';
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

const reloads = [calls.getInactivity];
export const endingException = mutationOptionsFor(calls.removeInactivityException, { reloads });
export const confirmingNight = mutationOptionsFor(calls.confirmInactivityNight, { reloads });
export const undoingNight = mutationOptionsFor(calls.undoInactivityNight, { reloads });
