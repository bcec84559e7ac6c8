import type { AdminTeam } from '#workspace/session/session-state.ts';
import { useProtectedSession } from '#workspace/session/use-session.ts';

/** The team the person manages now. */
export function useCurrentTeam(): AdminTeam {
  return useProtectedSession().currentTeam;
}
