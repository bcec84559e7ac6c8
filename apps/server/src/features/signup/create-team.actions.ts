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

interface NewTeamInput {
  request: SignUpRow;
  /** Finds or makes the owner, and holds them until the transaction ends. */
  owner: (teamId: string) => Promise<string>;
  /** Whether nothing more can be done with the link. */
  isUsedUp: boolean;
  origin: Origin;
}

/** Makes the team of a request, with its owner and the people they invite. */
export async function makeTeam(trx: Trx, deps: Deps, newTeamInput: NewTeamInput): Promise<void> {
  const { request, owner, isUsedUp, origin } = newTeamInput;
  const teamId = await addTeam(trx, { display_name: request.team_name });
  let ownerId = '';
  let invited = 0;
  // In the order of addresses, the owner in their place: owners who invite each other then never wait in a circle.
  for (const email of [request.owner_email, ...request.invitees].toSorted()) {
    if (email !== request.owner_email) {
      if (await invite(trx, deps, { teamId, email })) invited += 1;
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

/** Whether the address came into the team. Accounts that cannot sign in are passed over: the owner cannot know of them. */
async function invite(trx: Trx, deps: Deps, { teamId, email }: { teamId: string; email: string }): Promise<boolean> {
  const known = await findByEmail(trx, teamId, email);
  if (!known && (await inviteAddress(trx, deps, { teamId, email, roles: MEMBER })) !== undefined) return true;
  // Unknown a moment ago and taken now: somebody else has just invited it.
  const person = known ?? (await findByEmail(trx, teamId, email));
  const account = person && (await findAccount(trx, email));
  if (!account || !(isActive(account) || isInvited(account))) return false;
  await joinTeam(trx, deps, { teamId, person: account, roles: MEMBER });
  return true;
}
