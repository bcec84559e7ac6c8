import type { Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { acceptInvitation } from '#workspace/access/memberships/invitations.actions.ts';
import { addAuditEvent } from '#workspace/audit/audit.store.ts';
import { joinDefaultChannels } from '#workspace/channels/channels.store.ts';
import { addInvitations, addMembership, findMember, type MemberRow } from '#workspace/people/memberships.store.ts';
import { addPerson } from '#workspace/people/people.store.ts';
import type { Arrival } from './arrival.ts';
import { toGroupRole } from './claims.rules.ts';
import { notifyPromoted, toStoredRoles } from './sync-role.actions.ts';

type Newcomer = Arrival & { email: string };

/** Creates an account without a password for someone who has none, and adds it to the team; undefined if another request just did. */
export async function joinTeam(
  trx: Trx,
  deps: Deps,
  newcomer: Newcomer & { isInvited: boolean },
): Promise<MemberRow | undefined> {
  const { connection, claims, email, isInvited, origin } = newcomer;
  const { first_name, last_name } = claims;
  const teamId = connection.team_id;
  const personId = await addPerson(trx, { email, first_name, last_name, password_hash: null });
  if (personId === undefined) return undefined;
  if (isInvited) await acceptInvitation(trx, { teamId, personId, email });
  else {
    await addMembership(trx, { teamId, personId, roles: getFirstRoles(newcomer) });
    await joinDefaultChannels(trx, personId, teamId);
  }
  const member = await findMember(trx, teamId, personId);
  if (member === undefined) return undefined;
  const event = { teamId, actorId: personId, target: personId, details: { roles: member.roles } };
  await addAuditEvent(trx, { action: 'sso.joined', ...event }, origin);
  await notifyPromoted(trx, deps, { teamId, member });
  return member;
}

/** Invites an account of other teams. */
export async function inviteAccount(trx: Trx, newcomer: Newcomer): Promise<string | undefined> {
  const { connection, claims, email, origin } = newcomer;
  const roles = getFirstRoles(newcomer);
  const { first_name, last_name } = claims;
  const inviting = { teamId: connection.team_id, invitedBy: null };
  const id = (await addInvitations(trx, inviting, [{ email, first_name, last_name, roles }])).get(email);
  if (id === undefined) return undefined;
  const event = { teamId: connection.team_id, actorId: null, target: id, details: { roles } };
  await addAuditEvent(trx, { action: 'sso.invited', ...event }, origin);
  return id;
}

function getFirstRoles({ connection, claims }: Arrival): string[] {
  return toStoredRoles(toGroupRole(connection, claims.groups) ?? connection.default_role);
}
