import type { UserForm } from '@steward/contract/users';
import type { Role } from '@steward/contract/users/roles';
import type { Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { queueMail } from '#platform/mail/mail.ts';
import { joinDefaultChannels } from '#workspace/channels/channels.store.ts';
import { addMembership, addPerson } from '#workspace/people/people.store.ts';
import { addLink } from '#workspace/sessions/links.store.ts';
import { invitationMail, welcomeMail } from './invitation.mail.ts';
import { getTeamName } from './teams.store.ts';

/** A pending person and the team that wants them. */
export interface Invitee {
  teamId: string;
  personId: string;
  email: string;
}

/** Adds a new address as a pending invitee and mails the invitation; undefined when the address was taken meanwhile. */
export async function inviteAddress(
  trx: Trx,
  deps: Deps,
  invited: { teamId: string; email: string; roles: readonly Role[] } & Pick<UserForm, 'first_name' | 'last_name'>,
): Promise<string | undefined> {
  const { teamId, email, roles, first_name = '', last_name = '' } = invited;
  const personId = await addPerson(trx, { email, first_name, last_name, password_hash: null });
  if (personId === undefined) return undefined;
  await addMembership(trx, { teamId, personId, roles });
  await sendInvitation(trx, deps, { teamId, personId, email });
  return personId;
}

/**
 * Lets somebody whose address is known belong to one more team. With an account they are in its default channels at once and
 * told by mail; without one they are invited to this team too.
 */
export async function joinTeam(
  trx: Trx,
  deps: Deps,
  joining: { teamId: string; person: { id: string; email: string; type: number }; roles: readonly Role[] },
): Promise<void> {
  const { teamId, person, roles } = joining;
  await addMembership(trx, { teamId, personId: person.id, roles });
  if (person.type !== 2) return sendInvitation(trx, deps, { teamId, personId: person.id, email: person.email });
  await joinDefaultChannels(trx, person.id, teamId);
  const mail = welcomeMail(deps.env, { to: person.email, team: await getTeamName(trx, teamId) });
  await queueMail(trx, deps, { kind: 'users.welcome', teamId, personId: person.id, mail });
}

/** Makes a new link for a pending person and mails it; older links work on. */
export async function sendInvitation(trx: Trx, deps: Deps, { teamId, personId, email }: Invitee): Promise<void> {
  const token = await addLink(trx, { kind: 'invite', personId, teamId });
  const mail = invitationMail(deps.env, { to: email, team: await getTeamName(trx, teamId), token });
  await queueMail(trx, deps, { kind: 'users.invitation', teamId, personId, mail });
}
