import { type ProfileInput, pickProfile } from '@steward/contract/users';
import type { Role } from '@steward/contract/users/roles';
import type { Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { queueMail } from '#platform/mail/mail.ts';
import { joinDefaultChannels } from '#workspace/channels/channels.store.ts';
import { addMembership, addPerson } from '#workspace/people/people.store.ts';
import { addLink, getLinkEnd } from '#workspace/sessions/links.store.ts';
import { invitationMail, welcomeMail } from './invitation.mail.ts';
import { getTeam } from './teams.store.ts';

/** The team that invites, and the name of the person who does. */
interface Inviting {
  teamId: string;
  inviter: string;
}

/** Adds a new address as a pending invitee and emails the invitation; undefined if another request has taken the address. */
export async function inviteAddress(
  trx: Trx,
  deps: Deps,
  invited: Inviting & { email: string; roles: readonly Role[] } & ProfileInput,
): Promise<string | undefined> {
  const { teamId, inviter, email, roles } = invited;
  const personId = await addPerson(trx, { ...pickProfile(invited), email, password_hash: null });
  if (personId === undefined) return undefined;
  await addMembership(trx, { teamId, personId, roles });
  await sendInvitation(trx, deps, { teamId, inviter, personId, email });
  return personId;
}

/**
 * Adds a known person to another team. A person with an account joins its default channels at once and is notified by email;
 * a pending invitee gets an invitation to this team too.
 */
export async function joinTeam(
  trx: Trx,
  deps: Deps,
  joining: Inviting & { person: { id: string; email: string; type: number }; roles: readonly Role[] },
): Promise<void> {
  const { teamId, inviter, person, roles } = joining;
  const { id: personId, email } = person;
  await addMembership(trx, { teamId, personId, roles });
  if (person.type !== 2) return sendInvitation(trx, deps, { teamId, inviter, personId, email });
  await joinDefaultChannels(trx, personId, teamId);
  const { display_name: team } = await getTeam(trx, teamId);
  const mail = welcomeMail(deps.env, { to: email, team, inviter });
  await queueMail(trx, deps, { kind: 'users.welcome', teamId, personId, mail });
}

/** Creates a link for a pending person and emails it. Earlier links keep working. */
export async function sendInvitation(
  trx: Trx,
  deps: Deps,
  { teamId, inviter, personId, email: to }: Inviting & { personId: string; email: string },
): Promise<void> {
  const token = await addLink(trx, { kind: 'invite', personId, teamId });
  const expiresAt = await getLinkEnd(trx, token);
  const { display_name: team, time_zone: timeZone } = await getTeam(trx, teamId);
  const mail = invitationMail(deps.env, { to, team, inviter, token, expiresAt, timeZone });
  await queueMail(trx, deps, { kind: 'users.invitation', teamId, personId, mail });
}
