import type { Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import { queueMails } from '#platform/mail/mail.ts';
import type { AuditEvent } from '#workspace/audit/audit.store.ts';
import { joinFirstChannels } from '#workspace/channels/apply-groups.actions.ts';
import { saveAcceptedLink } from '#workspace/users/connected-links.store.ts';
import { countInvitationLinkUse, isBarred } from '#workspace/users/invitation-links.store.ts';
import { findMember } from '#workspace/users/members.store.ts';
import {
  addInvitations,
  lockInvitation,
  type NewInvitation,
  removeMembership,
  saveAccepted,
  saveAdopted,
  saveInvitationLimited,
} from '#workspace/users/memberships.store.ts';
import { getTeam, lockTeamShared } from '#workspace/users/teams.store.ts';
import { findUserName } from '#workspace/users/users.store.ts';
import { addEmailedInvitations } from '../sessions/links.store.ts';
import { invitationMail } from './invitation.mail.ts';
import { countInvitations } from './invitation-limits.store.ts';

/** Emails in one statement: each is some ten kilobytes. */
const MAILS = 200;

interface Inviting {
  teamId: string;
  invitedBy: string;
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
  if (users.length === 0) return new Map();
  const ids = await addInvitations(trx, inviting, users);
  const invitations = users.flatMap(({ email }) => {
    const id = ids.get(email);
    return id === undefined ? [] : [{ id, email }];
  });
  await sendInvitations(trx, deps, { ...inviting, invitations });
  return ids;
}

/** Makes invitations by links those of an admin who saves the invitees, and emails them. Returns their ids. */
export async function adoptInvitations(
  trx: Trx,
  deps: Deps,
  { teamId, invitedBy, ids }: { teamId: string; invitedBy: string; ids: readonly string[] },
): Promise<string[]> {
  const invitations = await saveAdopted(trx, { teamId, invitedBy, ids });
  await sendInvitations(trx, deps, { teamId, invitedBy, invitations });
  return toIds(invitations);
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
    invitedBy,
    invitations,
    isByLink = false,
  }: Inviting & {
    invitations: readonly { id: string; email: string }[];
    /** Someone asked for them with an invitation link, whose emails have a limit of their own in place of that of the team. */
    isByLink?: boolean;
  },
): Promise<void> {
  if (invitations.length === 0) return;
  const team = await getTeam(trx, teamId);
  const inviter = await findUserName(trx, invitedBy);
  const emails = invitations.map(({ email }) => email);
  const allowed = await countInvitations(trx, deps.secrets, { team: isByLink ? undefined : team, emails });
  const [sent, limited] = [true, false].map((isSent) =>
    invitations.filter(({ email }) => allowed.has(email) === isSent),
  );
  await saveInvitationLimited(trx, { teamId, id: toIds(limited), limited: true });
  await saveInvitationLimited(trx, { teamId, id: toIds(sent), limited: false });
  for (let from = 0; from < (sent?.length ?? 0); from += MAILS) {
    const some = sent?.slice(from, from + MAILS) ?? [];
    const { tokens, expiresAt } = await addEmailedInvitations(trx, teamId, toIds(some));
    const mails = some.map(({ id, email }, at) => ({
      userId: id,
      mail: invitationMail(deps.env, {
        to: email,
        team: team.display_name,
        inviter,
        isByLink,
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

export interface Accepted {
  invitationId: string;
  /** The invitation link by which they joined; null for none. */
  linkId: string | null;
}

/**
 * Makes a user a member of the team that invited their address, with the roles of the invitation, and adds them to its
 * default channels. Undefined if there is no invitation anymore, or it is by a link that doesn't admit them. Refuses a
 * user whom an admin invited and who was deactivated in this team under another address.
 */
export async function acceptInvitation(
  trx: Trx,
  { secrets }: Pick<Deps, 'secrets'>,
  { teamId, userId, email }: Accepting,
): Promise<Accepted | undefined> {
  await lockTeamShared(trx, teamId);
  const member = await findMember(trx, teamId, userId);
  const invitation = await lockInvitation(trx, teamId, email);
  if (!invitation) return undefined;
  const { id: invitationId, invitation_link_id: linkId } = invitation;
  if (member?.state === 'deactivated') {
    // A link refuses everyone whom it doesn't admit in the same way.
    if (linkId !== null) return undefined;
    refuse('users.deactivated');
  }
  if (member) {
    await saveAcceptedLink(trx, { teamId, invitationId, userId });
    await removeMembership(trx, teamId, invitationId);
    return { invitationId, linkId: null };
  }
  // The account may have got this address after the invitation was sent.
  if (linkId !== null && (await isBarred(trx, secrets, { teamId, userId, email }))) return undefined;
  if (linkId !== null) await countInvitationLinkUse(trx, teamId, linkId);
  await saveAccepted(trx, { teamId, id: invitationId, userId });
  await saveAcceptedLink(trx, { teamId, invitationId, userId });
  await joinFirstChannels(trx, userId, teamId);
  return { invitationId, linkId };
}

/** The entry of the audit log about a user who accepted an invitation. */
export function toAcceptedEvent(
  teamId: string,
  userId: string,
  { invitationId: invitation_id, linkId }: Accepted,
): AuditEvent {
  const event = { teamId, actorId: userId, target: userId };
  return linkId === null
    ? { ...event, action: 'signup.invitation_accepted', details: { invitation_id } }
    : { ...event, action: 'users.joined_by_link', details: { invitation_link_id: linkId, invitation_id } };
}
