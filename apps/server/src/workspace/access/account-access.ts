import type { Database } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import type { Guard } from '#platform/http/http.ts';
import type { SignedIn } from './enter-team.ts';
import { listTeamSecurity } from './team-security.store.ts';

/** Guards of calls about the caller's account: a team's identity provider must not reach what belongs to other teams. */
export interface AccountAccess {
  /** Refuses single sign-on of one team if the account has other teams. */
  account: Guard<SignedIn>;
  /** For what proves who someone is, such as their password, and for all of their data: refuses single sign-on. */
  credentials: Guard<SignedIn>;
}

/** Creates them from the guard of signed-in users. */
export function createAccountAccess(deps: Deps, signedIn: Guard<SignedIn>): AccountAccess {
  return {
    async account(request) {
      const who = await signedIn(request);
      if (!(await coversAccount(deps.db, who))) refuse('session.team_only');
      return who;
    },
    async credentials(request) {
      const who = await signedIn(request);
      if (who.session.method === 'sso') refuse('session.team_only');
      return who;
    },
  };
}

/** Whether a session may change the account: not by single sign-on of one team, if the account has others. */
export async function coversAccount(db: Database, { personId, session }: SignedIn): Promise<boolean> {
  const { only_team_id: teamId } = session;
  if (teamId === null) return true;
  return (await listTeamSecurity(db, personId)).every(({ team_id }) => team_id === teamId);
}
