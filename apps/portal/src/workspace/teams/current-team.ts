import type { AdminTeam } from '#workspace/session/session-state.ts';
import { useProtectedSession } from '#workspace/session/use-session.ts';

/** The team the user manages now. */
export function useCurrentTeam(): AdminTeam {
  return useProtectedSession().currentTeam;
}
