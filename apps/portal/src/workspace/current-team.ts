import type { AdminTeam } from './session-state.ts';
import { useProtectedSession } from './signed-in.ts';

/** The team the person manages now. */
export function useCurrentTeam(): AdminTeam {
  return useProtectedSession().currentTeam;
}
