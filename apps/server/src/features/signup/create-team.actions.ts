import type { Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import type { Origin } from '#platform/http/http.ts';
import { type AuditEvent, addAuditEvent } from '#workspace/audit/audit.store.ts';
import { findAccount, isActive, isInvited } from '#workspace/people/accounts.store.ts';
import { addMembership, findByEmail } from '#workspace/people/people.store.ts';
import { inviteAddress, joinTeam } from '#workspace/teams/invite.ts';
import { addTeam } from '#workspace/teams/teams.store.ts';
import { recordTeamCreated, type SignUpRow } from './signups.store.ts';

const OWNER = ['team_user', 'team_admin', 'team_owner'] as const;
const MEMBER = ['team_user'] as const;

interface NewTeam {
  request: SignUpRow;
  /** Finds or creates the owner, locked until the transaction ends. */
  owner: (teamId: string) => Promise<string>;
  /** Name of the owner, for the invitations. */
  ownerName: string;
  /** Whether nothing more can be done with the link. */
  isUsedUp: boolean;
  origin: Origin;
}

/** Creates the team of a sign-up, with its owner and the people they invite. */
export async function createTeam(trx: Trx, deps: Deps, newTeam: NewTeam): Promise<void> {
  const { request, owner, ownerName, isUsedUp, origin } = newTeam;
  const teamId = await addTeam(trx, { display_name: request.team_name });
  const inviter = ownerName.trim() || request.owner_email;
  let ownerId = '';
  let invited = 0;
  // In the order of addresses, the owner included, so that owners who invite each other never deadlock.
  for (const email of [request.owner_email, ...request.invitees].toSorted()) {
    if (email !== request.owner_email) {
      if (await inviteToTeam(trx, deps, { teamId, inviter, email })) invited += 1;
      continue;
    }
    ownerId = await owner(teamId);
    await addMembership(trx, { teamId, personId: ownerId, roles: OWNER });
  }
  await recordTeamCreated(trx, request, { teamId, isUsedUp });
  const event: AuditEvent = {
    action: 'signup.finished',
    teamId,
    actorId: ownerId,
    target: ownerId,
    details: { invited },
  };
  await addAuditEvent(trx, event, origin);
}

/** Whether the address was invited. Accounts that can't sign in are skipped: the owner can't know about them. */
async function inviteToTeam(
  trx: Trx,
  deps: Deps,
  { teamId, inviter, email }: { teamId: string; inviter: string; email: string },
): Promise<boolean> {
  const known = await findByEmail(trx, teamId, email);
  const roles = MEMBER;
  if (!known && (await inviteAddress(trx, deps, { teamId, inviter, email, roles })) !== undefined) return true;
  // Unknown a moment ago and taken now: someone else has just invited it.
  const person = known ?? (await findByEmail(trx, teamId, email));
  const account = person && (await findAccount(trx, email));
  if (!account || !(isActive(account) || isInvited(account))) return false;
  await joinTeam(trx, deps, { teamId, inviter, person: account, roles });
  return true;
}
