import type { cancelInvitation, Invitation, resendInvitation } from '@steward/contract/users/invitations';
import { inTransaction, type Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import type { Changed } from '#workspace/changes/change.ts';
import { leaveChannels } from '#workspace/channels/channels.store.ts';
import { findMember, type MemberRow, removeInvitee, removeMembership } from '#workspace/people/people.store.ts';
import { findInvitationEnd, removePersonLinks } from '#workspace/sessions/links.store.ts';
import { sendInvitation } from '#workspace/teams/invite.ts';
import { countInvitationMails, findInvitationMail } from './invitations.store.ts';

/** Somebody of a team, and the admin who acts. */
interface Case {
  teamId: string;
  personId: string;
  actorId: string;
}

/** Invitations from one team to one person within an hour. */
const AN_HOUR = 5;

const DONE = { status_code: 200 } as const;

/** How the newest invitation of a pending person stands. */
export async function getInvitationDetails(deps: Deps, teamId: string, personId: string): Promise<Invitation> {
  return inTransaction(deps.db, async (trx) => {
    const person = await findInvitee(trx, teamId, personId);
    const mail = await findInvitationMail(trx, teamId, person.id);
    return { ...mail, expires_at: (await findInvitationEnd(trx, teamId, person.id)) ?? null };
  });
}

/** Mails one more link to a pending person. */
export async function inviteAgain(
  trx: Trx,
  deps: Deps,
  { teamId, personId, actorId }: Case,
): Promise<Changed<typeof resendInvitation>> {
  const person = await findInvitee(trx, teamId, personId);
  if ((await countInvitationMails(trx, teamId, person.id)) >= AN_HOUR) refuse('users.too_many_invitations');
  await sendInvitation(trx, deps, { teamId, personId: person.id, email: person.email });
  return { answer: DONE, audit: { action: 'users.invitation_resent', teamId, actorId, target: person.id } };
}

/** Takes a pending person out of the team, and out of the workspace where no other team has invited them. */
export async function cancelPendingInvitation(
  trx: Trx,
  { teamId, personId, actorId }: Case,
): Promise<Changed<typeof cancelInvitation>> {
  const person = await findInvitee(trx, teamId, personId);
  await removePersonLinks(trx, person.id, { teamId });
  await leaveChannels(trx, teamId, person.id);
  await removeMembership(trx, teamId, person.id);
  const forgotten = await removeInvitee(trx, person.id);
  const details = { email: person.email, forgotten };
  return { answer: DONE, audit: { action: 'users.invitation_cancelled', teamId, actorId, target: person.id, details } };
}

/** The pending member with this id, locked: accepting, resending and cancelling wait for one another. */
async function findInvitee(trx: Trx, teamId: string, personId: string): Promise<MemberRow> {
  const person = /^[a-z0-9]{26}$/.test(personId) ? await findMember(trx, teamId, personId) : undefined;
  if (!person) refuse('record.not_found');
  if (person.roles?.includes('zendesk')) refuse('users.zendesk_has_no_actions');
  if (person.type === 2) refuse('users.not_pending');
  if (person.delete_at !== 0) refuse('users.deactivated');
  return person;
}
