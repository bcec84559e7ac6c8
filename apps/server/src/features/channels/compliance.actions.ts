import type { endComplianceAccess, grantComplianceAccess } from '@steward/contract/channels/compliance';
import type { Trx } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import { refuse } from '#platform/http/errors.ts';
import { formatTime } from '#platform/mail/email-template.ts';
import type { AuditEvent } from '#workspace/audit/audit.store.ts';
import type { Changed } from '#workspace/changes/change.ts';
import { recordPost } from '#workspace/channels/channels.store.ts';
import { addMessage } from '#workspace/content/messages.store.ts';
import { getTeam } from '#workspace/users/teams.store.ts';
import { findUserName } from '#workspace/users/users.store.ts';
import {
  type ComplianceChannel,
  findTeamChannel,
  listGrants,
  lockReader,
  removeGrant,
  saveGrant,
} from './compliance.store.ts';

interface ComplianceCall {
  teamId: string;
  channelId: string;
  actorId: string;
}

/** Lets a member of the team read a private or direct channel, and posts a notice in the channel. */
export async function grantAccess(
  trx: Trx,
  { teamId, channelId, actorId }: ComplianceCall,
  { user_id, hours, reason }: { user_id: string; hours: number; reason: string },
): Promise<Changed<typeof grantComplianceAccess>> {
  const channel = (await findTeamChannel(trx, teamId, channelId)) ?? refuse('record.not_found');
  if (channel.type === 'O') refuse('channels.compliance_not_needed');
  if (!(await lockReader(trx, teamId, user_id)))
    refuse('request.invalid', 'user_id: is not an active member of this team');
  const grant = { teamId, channelId, userId: user_id, grantedBy: actorId, reason, hours };
  const { until, replaced_until } = await saveGrant(trx, grant);
  const { time_zone } = await getTeam(trx, teamId);
  const [reader, owner] = [await findUserName(trx, user_id), await findUserName(trx, actorId)];
  const text = `${owner} gave ${reader} compliance access to this channel until ${formatTime(until, time_zone)}. It allows reading, not posting.`;
  await postNotice(trx, channel, { text, props: { event: 'granted', user_id, by: actorId, until } });
  const answer = (await listGrants(trx, teamId, channelId)).find((row) => row.user_id === user_id);
  if (!answer) throw new Error('the new compliance access is missing');
  const details = { user_id, hours, until, reason, ...(replaced_until === null ? {} : { replaced_until }) };
  const audit: AuditEvent = { action: 'channels.compliance_granted', teamId, actorId, target: channelId, details };
  return { answer, audit };
}

/** Ends access immediately, and posts a notice in the channel. */
export async function endAccess(
  trx: Trx,
  { teamId, channelId, actorId }: ComplianceCall,
  userId: string,
): Promise<Changed<typeof endComplianceAccess>> {
  const channel = (await findTeamChannel(trx, teamId, channelId)) ?? refuse('record.not_found');
  const { until } = (await removeGrant(trx, { teamId, channelId, userId })) ?? refuse('record.not_found');
  const [reader, owner] = [await findUserName(trx, userId), await findUserName(trx, actorId)];
  const text = `${owner} ended the compliance access of ${reader} to this channel.`;
  await postNotice(trx, channel, { text, props: { event: 'ended', user_id: userId, by: actorId } });
  const details = { user_id: userId, until };
  const audit: AuditEvent = { action: 'channels.compliance_ended', teamId, actorId, target: channelId, details };
  return { answer: { status_code: 200 }, audit };
}

/** The notice has no user as its author. Archived channels get it too. */
async function postNotice(
  trx: Trx,
  channel: ComplianceChannel,
  { text, props }: { text: string; props: Record<string, unknown> },
): Promise<void> {
  const now = Date.now();
  const message = { id: newId(now), user_id: '', text, root_id: '', file_ids: [], create_at: now };
  await addMessage(trx, channel, { ...message, props: { compliance_access: props } });
  await recordPost(trx, channel, now);
}
