import { z } from 'zod';
import { inTransaction, type Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { describeLimit } from '#platform/described-limits.ts';
import { defineJob, defineWorker } from '#platform/jobs/jobs.ts';
import type { Secrets } from '#platform/security/secrets.ts';
import { createThrottle } from '#platform/security/throttle.ts';
import { findAccount } from '#workspace/access/accounts.store.ts';
import { sendInvitations } from '#workspace/access/memberships/invitations.actions.ts';
import { saveEndDates } from '#workspace/users/end-dates.actions.ts';
import { findOpenInvitationLink, isBarred, type OpenInvitationLink } from '#workspace/users/invitation-links.store.ts';
import { findMember } from '#workspace/users/members.store.ts';
import { addInvitations, lockInvitation, removeClosedInvitation } from '#workspace/users/memberships.store.ts';
import { lockTeamShared } from '#workspace/users/teams.store.ts';

const PURPOSE = 'join-address';
const MEMBER = ['team_user'];

/** An admin can send fewer emails by links than an owner, who answers for the team. */
const OWNERS_MAILS = describeLimit({
  name: 'join.owners_mail',
  counts: 'emails of a team for invitation links that owners created',
  attempts: 500,
  seconds: 3600,
  beyond: '200; no email',
});
const ADMINS_MAILS = describeLimit({
  name: 'join.admins_mail',
  counts: 'emails of a team for invitation links that other admins created',
  attempts: 100,
  seconds: 3600,
  beyond: '200; no email',
});

/** Someone entered an address for an invitation link. It is encrypted, because the queue keeps finished jobs for some days. */
export const linkUsedJob = defineJob({
  name: 'signup.link_used',
  payload: z.object({ team_id: z.string(), link_id: z.string(), sealed: z.string() }),
  retries: 5,
  retrySeconds: 5,
});

/** Part of the payload of `linkUsedJob`. */
export function sealAddress(secrets: Secrets, email: string): { sealed: string } {
  return { sealed: secrets.seal(PURPOSE, email) };
}

export function createJoinByLinkWorker(deps: Deps) {
  return defineWorker(linkUsedJob, async ({ team_id: teamId, link_id: id, sealed }) => {
    const link = await findOpenInvitationLink(deps.db, { teamId, id });
    if (!link) return;
    await inTransaction(deps.db, (trx) => inviteByLink(trx, deps, { link, email: deps.secrets.open(PURPOSE, sealed) }));
  });
}

/** Invites an address, or emails an open invitation again, unless the link doesn't admit it. */
async function inviteByLink(
  trx: Trx,
  deps: Deps,
  { link, email }: { link: OpenInvitationLink; email: string },
): Promise<void> {
  const { team_id: teamId, id: linkId, created_by: invitedBy } = link;
  // Revoking a link locks the team, so the link stays as it is from here on.
  await lockTeamShared(trx, teamId);
  if (!(await findOpenInvitationLink(trx, { teamId, id: linkId }))) return;
  const account = await findAccount(trx, email);
  if (account?.is_integration || (account && (await findMember(trx, teamId, account.id)))) return;
  const open = await lockInvitation(trx, teamId, email);
  if (!open) await removeClosedInvitation(trx, teamId, email);
  if (!open && (await isBarred(trx, deps.secrets, { teamId, userId: account?.id, email }))) return;
  // Counted in the transaction that sends, so that neither addresses without an email nor retries use up the limit.
  if (!(await createThrottle(trx).allows(link.is_of_owner ? OWNERS_MAILS : ADMINS_MAILS, teamId))) return;
  const id = open?.id ?? (await addInvitation());
  if (id === undefined) return;
  await sendInvitations(trx, deps, { teamId, invitedBy, invitations: [{ id, email }], isByLink: true });

  async function addInvitation(): Promise<string | undefined> {
    const added = await addInvitations(trx, { teamId, invitedBy, linkId }, [{ email, roles: MEMBER }]);
    const id = added.get(email);
    const ends_on = link.members_end_on;
    if (id !== undefined && ends_on !== null) await saveEndDates(trx, teamId, [{ id, ends_on }]);
    return id;
  }
}
