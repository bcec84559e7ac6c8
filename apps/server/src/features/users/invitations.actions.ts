import type * as endpoints from '@steward/contract/users/invitations';
import { inTransaction, type Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { sendInvitations } from '#workspace/access/memberships/invitations.actions.ts';
import { findInvitationEnd } from '#workspace/access/sessions/links.store.ts';
import type { Changed } from '#workspace/changes/change.ts';
import { removeMembership, saveAdopted } from '#workspace/users/memberships.store.ts';
import { findInvitationMail } from './invitations.store.ts';
import { findTarget, type TargetInput } from './users.actions.ts';

const DONE = { status_code: 200 } as const;

// Accepting, resending and canceling lock the invitation, so they wait for one another.

export async function getInvitation(deps: Deps, input: TargetInput): Promise<endpoints.Invitation> {
  return inTransaction(deps.db, async (trx) => {
    const { id } = await findTarget(trx, input, 'resend_invitation');
    const mail = await findInvitationMail(trx, input.teamId, id);
    return { ...mail, expires_at: (await findInvitationEnd(trx, input.teamId, id)) ?? null };
  });
}

/** Sends one more link to an invited user, within the daily limits. */
export async function resendInvitation(
  trx: Trx,
  deps: Deps,
  input: TargetInput,
): Promise<Changed<typeof endpoints.resendInvitation>> {
  const { id: target, email } = await findTarget(trx, input, 'resend_invitation');
  const { teamId, caller } = input;
  const inviting = { teamId, invitedBy: caller.userId };
  await saveAdopted(trx, { ...inviting, ids: target });
  await sendInvitations(trx, deps, { ...inviting, invitations: [{ id: target, email }] });
  return { answer: DONE, audit: { action: 'users.invitation_resent', teamId, actorId: caller.userId, target } };
}

/** Removes an invited user, with their links, from the team. */
export async function cancelInvitation(
  trx: Trx,
  input: TargetInput,
): Promise<Changed<typeof endpoints.cancelInvitation>> {
  const { id: target } = await findTarget(trx, input, 'cancel_invitation');
  const { teamId, caller } = input;
  await removeMembership(trx, teamId, target);
  return { answer: DONE, audit: { action: 'users.invitation_cancelled', teamId, actorId: caller.userId, target } };
}
