import type * as endpoints from '@steward/contract/users/invitations';
import { inTransaction, type Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import type { Changed } from '#workspace/changes/change.ts';
import { leaveChannels } from '#workspace/channels/channels.store.ts';
import { findPersonName, removeInvitee, removeMembership } from '#workspace/people/people.store.ts';
import { findInvitationEnd, removePersonLinks } from '#workspace/sessions/links.store.ts';
import { sendInvitation } from '#workspace/teams/invite.ts';
import { findTarget, type TargetInput } from '../users.actions.ts';
import { countInvitationMails, findInvitationMail } from './invitations.store.ts';

/** Invitations from one team to one person within an hour. */
const INVITATIONS_PER_HOUR = 5;

const DONE = { status_code: 200 } as const;

// Accepting, resending and canceling lock the person, so they wait for one another.

/** The status of a pending person's latest invitation. */
export async function getInvitation(deps: Deps, input: TargetInput): Promise<endpoints.Invitation> {
  return inTransaction(deps.db, async (trx) => {
    const { id } = await findTarget(trx, input, 'resend_invitation');
    const mail = await findInvitationMail(trx, input.teamId, id);
    return { ...mail, expires_at: (await findInvitationEnd(trx, input.teamId, id)) ?? null };
  });
}

/** Emails one more link to a pending person. */
export async function resendInvitation(
  trx: Trx,
  deps: Deps,
  input: TargetInput,
): Promise<Changed<typeof endpoints.resendInvitation>> {
  const { id: target, email } = await findTarget(trx, input, 'resend_invitation');
  const { teamId, actorId } = input;
  if ((await countInvitationMails(trx, teamId, target)) >= INVITATIONS_PER_HOUR) refuse('users.too_many_invitations');
  const inviter = await findPersonName(trx, actorId);
  await sendInvitation(trx, deps, { teamId, inviter, personId: target, email });
  return { answer: DONE, audit: { action: 'users.invitation_resent', teamId, actorId, target } };
}

/** Removes a pending person from the team, and from the workspace if no other team has invited them. */
export async function cancelInvitation(
  trx: Trx,
  input: TargetInput,
): Promise<Changed<typeof endpoints.cancelInvitation>> {
  const { id: target, email } = await findTarget(trx, input, 'cancel_invitation');
  const { teamId, actorId } = input;
  await removePersonLinks(trx, target, { teamId });
  await leaveChannels(trx, teamId, target);
  await removeMembership(trx, teamId, target);
  const details = { email, forgotten: await removeInvitee(trx, target) };
  return { answer: DONE, audit: { action: 'users.invitation_cancelled', teamId, actorId, target, details } };
}
