import type { Database, Trx } from '#platform/database/database.ts';
import { refuse, refuseWithoutSso } from '#platform/http/errors.ts';
import { type EntryRules, findTeamRefusal, type SessionState, type TeamEntry } from './team-security.rules.ts';
import { findEntryRules, listTeamSecurity } from './team-security.store.ts';

export interface SignedIn {
  userId: string;
  sessionId: string;
  session: SessionState;
  address: string;
}

/** Path on this server at which the single sign-on of a connection begins. */
export const toSsoPath = (connectionId: string) => `/auth/oidc/${connectionId}/start`;

/** Path at which the user of a session by single sign-on proves their identity again. */
export const toReauthPath = ({ connection_id }: Pick<SessionState, 'connection_id'>) =>
  `${toSsoPath(connection_id ?? '')}?reauth=1`;

export function requireTeamSecurity(security: EntryRules | null, entry: TeamEntry): void {
  const refusal = findTeamRefusal(security, entry);
  if (refusal === 'sso.required') refuseWithoutSso(toSsoPath(security?.required_connection_id ?? ''));
  if (refusal !== null) refuse(refusal);
}

/** A session by single sign-on of another team doesn't open this one: its user counts as someone who isn't a member. */
export function opensTeam({ session }: Pick<SignedIn, 'session'>, teamId: string): boolean {
  return session.only_team_id === null || session.only_team_id === teamId;
}

/** Refuses a member whose session doesn't meet the rules of the team. */
export async function enterTeam(
  db: Database | Trx,
  who: SignedIn,
  { teamId, roles }: { teamId: string; roles: readonly string[] },
): Promise<void> {
  requireTeamSecurity(await findEntryRules(db, teamId, who), { ...who, roles });
}

export async function listOpenTeams(db: Database | Trx, who: SignedIn): Promise<string[]> {
  const teams = await listTeamSecurity(db, who.userId, who.sessionId);
  const { session, address } = who;
  return teams
    .filter(({ team_id }) => opensTeam(who, team_id))
    .filter(({ security, roles }) => findTeamRefusal(security, { session, roles, address }) === null)
    .map(({ team_id }) => team_id);
}
