import type { Trx } from '#platform/database/database.ts';
import { listLinkedMembers } from '#workspace/users/identity-providers/connections.store.ts';
import { getTeamName } from '#workspace/users/teams.store.ts';
import { linkedMail, type UnlinkReason, unlinkedMail } from './links.mail.ts';
import type { MailParts } from './notify-managers.ts';
import { emailUsers } from './send-notice.job.ts';

/** Emails a member whose account was just linked to a user of the team's identity provider. Does nothing without a link. */
export async function notifyLinked(
  trx: Trx,
  parts: MailParts,
  { teamId, userId }: { teamId: string; userId: string },
): Promise<void> {
  const [member] = await listLinkedMembers(trx, teamId, [userId]);
  if (member === undefined) return;
  const { provider, provider_email: user } = member;
  const text = linkedMail(parts.env, { team: await getTeamName(trx, teamId), provider, user });
  await emailUsers(trx, parts, { recipients: [member], email: { ...text, kind: 'sso.linked', teamId } });
}

/** Emails the linked members among these, or all of the team. It must be called before the links are removed. */
export async function notifyUnlinked(
  trx: Trx,
  parts: MailParts,
  { teamId, userIds, reason }: { teamId: string; userIds?: readonly string[]; reason: UnlinkReason },
): Promise<void> {
  const recipients = await listLinkedMembers(trx, teamId, userIds);
  if (recipients.length === 0) return;
  const text = unlinkedMail(parts.env, { team: await getTeamName(trx, teamId), reason });
  await emailUsers(trx, parts, { recipients, email: { ...text, kind: 'sso.unlinked', teamId } });
}
