import type { Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import type { Origin } from '#platform/http/http.ts';
import { admitsAddress } from '#platform/settings/sign-up.ts';
import { type AuditEvent, addAuditEvent } from '#workspace/audit/audit.store.ts';
import { addMembership } from '#workspace/users/memberships.store.ts';
import { addTeam } from '#workspace/users/teams.store.ts';
import { type Account, canSignIn } from '../accounts.store.ts';
import { inviteAddresses } from '../memberships/invitations.actions.ts';
import { lockOpenSignUps, recordTeamCreated, type SignUpRow } from './signups.store.ts';

export const OWNER_ROLES = ['team_user', 'team_admin', 'team_owner'] as const;
const MEMBER = ['team_user'] as const;

interface NewTeam {
  request: SignUpRow;
  ownerId: string;
  /** True if nothing more can be done with the link. */
  isUsedUp: boolean;
  origin: Origin;
}

/** Creates the team of a sign-up, with its owner and the users they invite. */
export async function createTeam(trx: Trx, deps: Deps, newTeam: NewTeam): Promise<void> {
  const { request, ownerId, isUsedUp, origin } = newTeam;
  const teamId = await addTeam(trx, { display_name: request.team_name, time_zone: request.time_zone });
  await addMembership(trx, { teamId, userId: ownerId, roles: OWNER_ROLES });
  const invitees = request.invitees.filter((email) => email !== request.owner_email);
  const users = invitees.map((email) => ({ email, roles: MEMBER }));
  await inviteAddresses(trx, deps, { teamId, invitedBy: ownerId, users });
  await recordTeamCreated(trx, request, { teamId, isUsedUp });
  const event: AuditEvent = {
    action: 'signup.finished',
    teamId,
    actorId: ownerId,
    target: ownerId,
    details: { invited: invitees.length },
  };
  await addAuditEvent(trx, deps, { ...event, origin });
}

/**
 * Creates the teams whose links were opened for this account, which has just proved who it is. Returns false if it may not
 * sign in: it has no team, and gets none.
 */
export async function createAwaitedTeams(
  trx: Trx,
  deps: Deps,
  { account, origin }: { account: Account; origin: Origin },
): Promise<boolean> {
  if (account.is_integration || !account.awaits_team) return canSignIn(account);
  const nextRequest = () => findAwaited(trx, deps, account.email);
  let isCreated = false;
  // A team ends the other sign-ups for its name, so they are read again after each.
  for (let request = await nextRequest(); request !== undefined; request = await nextRequest()) {
    await createTeam(trx, deps, { request, ownerId: account.id, isUsedUp: false, origin });
    isCreated = true;
  }
  return isCreated || canSignIn(account);
}

/** The sign-up that was confirmed first. Undefined also if the operator has closed sign-up since. */
async function findAwaited(trx: Trx, { env }: Deps, email: string): Promise<SignUpRow | undefined> {
  if (!admitsAddress(env.signUp, email)) return undefined;
  const awaited = (await lockOpenSignUps(trx, email)).filter((row) => row.confirmed_at !== 0 && row.team_id === null);
  return awaited.sort((one, other) => one.confirmed_at - other.confirmed_at)[0];
}
