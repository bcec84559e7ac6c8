import type { Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import type { Origin } from '#platform/http/http.ts';
import { inviteAddresses } from '#workspace/access/memberships/invitations.actions.ts';
import { type AuditEvent, addAuditEvent } from '#workspace/audit/audit.store.ts';
import { addMembership } from '#workspace/people/memberships.store.ts';
import { addTeam } from '#workspace/people/teams.store.ts';
import { recordTeamCreated, type SignUpRow } from './signups.store.ts';

export const OWNER_ROLES = ['team_user', 'team_admin', 'team_owner'] as const;
const MEMBER = ['team_user'] as const;

interface NewTeam {
  request: SignUpRow;
  /** Finds or creates the owner. */
  owner: () => Promise<string>;
  /** Name of the owner, for the invitations. */
  ownerName: string;
  /** True if nothing more can be done with the link. */
  isUsedUp: boolean;
  origin: Origin;
}

/** Creates the team of a sign-up, with its owner and the users they invite. */
export async function createTeam(trx: Trx, deps: Deps, newTeam: NewTeam): Promise<void> {
  const { request, owner, ownerName, isUsedUp, origin } = newTeam;
  const teamId = await addTeam(trx, { display_name: request.team_name });
  const inviter = ownerName.trim() || request.owner_email;
  const ownerId = await owner();
  await addMembership(trx, { teamId, personId: ownerId, roles: OWNER_ROLES });
  const invitees = request.invitees.filter((email) => email !== request.owner_email);
  const people = invitees.map((email) => ({ email, roles: MEMBER }));
  await inviteAddresses(trx, deps, { teamId, inviter, invitedBy: ownerId, people });
  await recordTeamCreated(trx, request, { teamId, isUsedUp });
  const event: AuditEvent = {
    action: 'signup.finished',
    teamId,
    actorId: ownerId,
    target: ownerId,
    details: { invited: invitees.length },
  };
  await addAuditEvent(trx, event, origin);
}
