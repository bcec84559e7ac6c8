import { ERRORS } from '@steward/contract/api/errors';
import type { Database, Trx } from '#platform/database/database.ts';
import { refuse } from '#platform/http/errors.ts';
import { type DeactivatedTeam, listDeactivatedTeams } from './accounts.store.ts';

interface Deactivation {
  id: 'session.deactivated' | 'session.no_team';
  message: string;
}

/**
 * Says why an account that has no team can't sign in, and whom to ask. Only for someone who has proved that the account is
 * theirs: the names of teams and the addresses of owners aren't public. `showName` makes a team's name safe for an email.
 */
export function describeDeactivation(
  found: readonly DeactivatedTeam[],
  showName = (name: string) => name,
): Deactivation {
  const teams = found.map((team) => ({ ...team, name: showName(team.name) }));
  if (teams.length === 0) return { id: 'session.no_team', message: ERRORS['session.no_team'].message };
  const names = new Intl.ListFormat('en').format(teams.map(({ name }) => name));
  const where = teams.length === 1 ? `the team ${names}` : `the teams ${names}`;
  const message = `Your account is deactivated in ${where}. Ask an owner to reactivate it${formatOwners(teams)}.`;
  return { id: 'session.deactivated', message };
}

function formatOwners(teams: readonly DeactivatedTeam[]): string {
  const owners = teams.flatMap(({ name, owner_email: email }) =>
    email === null ? [] : [teams.length === 1 ? email : `${email} (${name})`],
  );
  return owners.length === 0 ? '' : `: ${new Intl.ListFormat('en', { type: 'disjunction' }).format(owners)}`;
}

export async function refuseDeactivated(db: Database | Trx, userId: string): Promise<never> {
  const { id, message } = describeDeactivation(await listDeactivatedTeams(db, userId));
  refuse(id, message);
}
