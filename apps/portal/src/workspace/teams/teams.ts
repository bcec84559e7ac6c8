import type { TeamMember } from '@steward/contract/session/teams';
import { isAdminOfTeam } from '@steward/contract/users/roles';
import type { AdminTeam } from '#workspace/session/session-state.ts';

/** Teams the user may manage, in the server's order. */
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

/** The team to manage: the remembered one if they still manage it, else the first. */
export function chooseTeam(teams: readonly AdminTeam[], rememberedId: string | null): AdminTeam | undefined {
  return teams.find(({ id }) => id === rememberedId) ?? teams[0];
}

/** What new memberships mean for a user who manages `currentTeamId`. */
export type Status = 'stays' | 'moved' | 'refused';

export function getStatus(teams: readonly AdminTeam[], currentTeamId: string): Status {
  if (teams.length === 0) return 'refused';
  return teams.some(({ id }) => id === currentTeamId) ? 'stays' : 'moved';
}
