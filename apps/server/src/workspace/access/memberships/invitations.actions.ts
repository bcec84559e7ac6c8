import type { Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import { queueMails } from '#platform/mail/mail.ts';
import { joinDefaultChannels } from '#workspace/channels/channels.store.ts';
import {
  addInvitations,
  findMember,
  lockInvitation,
  type NewInvitation,
  removeMembership,
  saveAccepted,
  saveInvitationLimited,
} from '#workspace/users/memberships.store.ts';
import { getTeam, holdTeam } from '#workspace/users/teams.store.ts';
import { addInvitationLinks } from '../sessions/links.store.ts';
import { invitationMail } from './invitation.mail.ts';
import { countInvitations } from './invitation-limits.store.ts';

/** Emails in one statement: each is some ten kilobytes. */
const MAILS = 200;

export interface Inviting {
  teamId: string;
  invitedBy: string;
  /** The name of this user. */
  inviter: string;
}

/**
 * Invites addresses with and without an account, and emails the invitations. Returns the ids of the invitations by
 * email, without addresses that another request has just invited.
 */
export async function inviteAddresses(
  trx: Trx,
  deps: Deps,
  { users, ...inviting }: Inviting & { users: readonly NewInvitation[] },
): Promise<ReadonlyMap<string, string>> {
  const ids = await addInvitations(trx, inviting, users);
  const invitations = users.flatMap(({ email }) => {
    const id = ids.get(email);
    return id === undefined ? [] : [{ id, email }];
  });
  await sendInvitations(trx, deps, { ...inviting, invitations });
  return ids;
}

/**
 * Creates a link for each invitation and emails it; earlier links keep working. Beyond the daily limits nothing is sent, and the
 * invitation says so; the caller can't tell.
 */
export async function sendInvitations(
  trx: Trx,
  deps: Deps,
  {
    teamId,
    inviter,
    invitations,
  }: Omit<Inviting, 'invitedBy'> & { invitations: readonly { id: string; email: string }[] },
): Promise<void> {
  const team = await getTeam(trx, teamId);
  const allowed = await countInvitations(trx, deps.secrets, { team, emails: invitations.map(({ email }) => email) });
  const [sent, limited] = [true, false].map((isSent) =>
    invitations.filter(({ email }) => allowed.has(email) === isSent),
  );
  await saveInvitationLimited(trx, { teamId, id: toIds(limited), limited: true });
  await saveInvitationLimited(trx, { teamId, id: toIds(sent), limited: false });
  for (let from = 0; from < (sent?.length ?? 0); from += MAILS) {
    const some = sent?.slice(from, from + MAILS) ?? [];
    const { tokens, expiresAt } = await addInvitationLinks(trx, teamId, toIds(some));
    const mails = some.map(({ id, email }, at) => ({
      userId: id,
      mail: invitationMail(deps.env, {
        to: email,
        team: team.display_name,
        inviter,
        token: tokens[at] ?? '',
        expiresAt,
        timeZone: team.time_zone,
      }),
    }));
    await queueMails(trx, deps, { kind: 'users.invitation', teamId, mails });
  }
}

function toIds(invitations: readonly { id: string }[] = []): string[] {
  return invitations.map(({ id }) => id);
}

interface Accepting {
  teamId: string;
  userId: string;
  email: string;
}

/**
 * Makes a user a member of the team that invited their address, with the roles of the invitation, and adds them to its
 * default channels. Returns the id that the invitation had; undefined if there is none anymore. Refuses a user who was
 * deactivated in this team under another address.
 */
export async function acceptInvitation(trx: Trx, { teamId, userId, email }: Accepting): Promise<string | undefined> {
  await holdTeam(trx, teamId);
  const member = await findMember(trx, teamId, userId);
  const invitation = await lockInvitation(trx, teamId, email);
  if (!invitation) return undefined;
  if (member?.state === 'deactivated') refuse('users.deactivated');
  if (member) {
    await removeMembership(trx, teamId, invitation.id);
    return invitation.id;
  }
  await saveAccepted(trx, { teamId, id: invitation.id, userId });
  await joinDefaultChannels(trx, userId, teamId);
  return invitation.id;
}
