import type { AdminTeam } from '#workspace/session/session-state.ts';
import { useProtectedSession } from '#workspace/session/use-session.ts';

export function useCurrentTeam(): AdminTeam {
  return useProtectedSession().currentTeam;
}
