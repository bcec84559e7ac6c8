import type { Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { queueMail } from '#platform/mail/mail.ts';
import { addInvitation, type InvitationInput, saveInvitationLimited } from '#workspace/people/memberships.store.ts';
import { addLink, getLinkEnd } from '#workspace/sessions/links.store.ts';
import { invitationMail } from './invitation.mail.ts';
import { countInvitation } from './invitation-limits.store.ts';
import { getTeam } from './teams.store.ts';

/** An invitation, and the name of the person who sends it. */
export interface Invited extends InvitationInput {
  inviter: string;
}

/**
 * Invites an address to a team, whether it has an account or not, and emails the invitation. Returns the id of the
 * invitation; undefined if another request has just invited the address.
 */
export async function inviteAddress(trx: Trx, deps: Deps, invited: Invited): Promise<string | undefined> {
  const id = await addInvitation(trx, invited);
  if (id !== undefined) await sendInvitation(trx, deps, { ...invited, id });
  return id;
}

/**
 * Creates a link for an invitation and emails it; earlier links keep working. Beyond the daily limits nothing is sent, and
 * the invitation says so; the caller can't tell.
 */
export async function sendInvitation(
  trx: Trx,
  deps: Deps,
  { teamId, id, email, inviter }: Pick<Invited, 'teamId' | 'email' | 'inviter'> & { id: string },
): Promise<void> {
  const team = await getTeam(trx, teamId);
  const limited = !(await countInvitation(trx, deps.secrets, { team, email }));
  await saveInvitationLimited(trx, { teamId, id, limited });
  if (limited) return;
  const token = await addLink(trx, { kind: 'invite', personId: id, teamId });
  const expiresAt = await getLinkEnd(trx, token);
  const { display_name, time_zone: timeZone } = team;
  const mail = invitationMail(deps.env, { to: email, team: display_name, inviter, token, expiresAt, timeZone });
  await queueMail(trx, deps, { kind: 'users.invitation', teamId, personId: id, mail });
}
