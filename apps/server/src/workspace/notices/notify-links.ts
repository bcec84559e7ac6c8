import type { Trx } from '#platform/database/database.ts';
import { listLinkedMembers } from '#workspace/people/identity-providers/connections.store.ts';
import { getTeamName } from '#workspace/people/teams.store.ts';
import { linkedMail, type UnlinkReason, unlinkedMail } from './links.mail.ts';
import type { MailParts } from './notify-managers.ts';
import { emailPeople } from './send-notice.job.ts';

/** Emails a member whose account was just linked to a user of the team's identity provider. Does nothing without a link. */
export async function notifyLinked(
  trx: Trx,
  parts: MailParts,
  { teamId, personId }: { teamId: string; personId: string },
): Promise<void> {
  const [member] = await listLinkedMembers(trx, teamId, [personId]);
  if (member === undefined) return;
  const { provider, provider_email: user } = member;
  const text = linkedMail(parts.env, { team: await getTeamName(trx, teamId), provider, user });
  await emailPeople(trx, parts, { recipients: [member], email: { ...text, kind: 'sso.linked', teamId } });
}

/** Emails the linked members among these, or all of the team. It must be called before the links are removed. */
export async function notifyUnlinked(
  trx: Trx,
  parts: MailParts,
  { teamId, personIds, reason }: { teamId: string; personIds?: readonly string[]; reason: UnlinkReason },
): Promise<void> {
  const recipients = await listLinkedMembers(trx, teamId, personIds);
  if (recipients.length === 0) return;
  const text = unlinkedMail(parts.env, { team: await getTeamName(trx, teamId), reason });
  await emailPeople(trx, parts, { recipients, email: { ...text, kind: 'sso.unlinked', teamId } });
}
