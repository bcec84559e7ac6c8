import type { TeamMember } from '@steward/contract/session/teams';
import { isAdminOfTeam } from '@steward/contract/users/roles';
import { createOpenState } from '#platform/dialogs/open-state.ts';
import { type AdminTeam, useProtectedSession } from '#workspace/session/session-state.ts';

/** The teams are in the server's order. */
export function getAdminTeams(
  members: readonly TeamMember[],
  names: ReadonlyMap<string, string> = new Map(),
): AdminTeam[] {
  return members
    .filter(({ roles }) => isAdminOfTeam(roles))
    .map(({ team_id, display_name, roles }) => ({
      id: team_id,
      display_name: names.get(team_id) ?? display_name,
      roles,
    }));
}

/** Returns the remembered team if the user still manages it, otherwise the first one. */
export function chooseTeam(teams: readonly AdminTeam[], rememberedId: string | null): AdminTeam | undefined {
  return teams.find(({ id }) => id === rememberedId) ?? teams[0];
}

/** Compares new memberships with the team that the user manages now. */
export type Status = 'stays' | 'moved' | 'refused';

export function getStatus(teams: readonly AdminTeam[], currentTeamId: string): Status {
  if (teams.length === 0) return 'refused';
  return teams.some(({ id }) => id === currentTeamId) ? 'stays' : 'moved';
}

export function useCurrentTeam(): AdminTeam {
  return useProtectedSession().currentTeam;
}

/** Any screen can open this dialog. */
export const { open: openSwitchTeam, close: closeSwitchTeam, useIsOpen: useIsSwitchTeamOpen } = createOpenState();
