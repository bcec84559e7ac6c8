import { isId } from '@steward/contract/api/fields';
import type { AuditDetails } from '@steward/contract/audit/details';
import { type Database, inTransaction, type Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import type { Origin } from '#platform/http/http.ts';
import { addAuditEvent } from '#workspace/audit/audit.store.ts';
import { getReading, mayEnter, type Reading } from '#workspace/channels/channels.rules.ts';
import {
  type ChannelRow,
  type ChannelSeen,
  findChannel,
  lockChannelMember,
} from '#workspace/channels/channels.store.ts';
import { enterTeam, opensTeam, type SignedIn } from './enter-team.ts';

/**
 * The channel, if the user may write in it. Users of other teams get the error of a channel that doesn't exist, members
 * of its own team an error that says they aren't members of the channel.
 */
export async function enterChannel(db: Database | Trx, channelId: string, who: SignedIn): Promise<ChannelRow> {
  const seen = await seeChannel(db, channelId, who);
  if (!mayEnter(seen)) refuse('channels.members_only');
  return seen.channel;
}

/**
 * Checks at the end of a change that the user still may write in the channel, and keeps it so until the commit. Rights that
 * were locked from the beginning could never be taken from a user who writes all the time.
 */
export async function stayInChannel(trx: Trx, channelId: string, who: SignedIn): Promise<void> {
  await lockChannelMember(trx, channelId, who.userId);
  await enterChannel(trx, channelId, who);
}

/** The channel, if the user may read it, and the right by which they do; otherwise the same errors. */
export async function openChannel(
  db: Database | Trx,
  channelId: string,
  who: SignedIn,
): Promise<{ channel: ChannelRow; reading: Reading }> {
  const seen = await seeChannel(db, channelId, who);
  return { channel: seen.channel, reading: getReading(seen) ?? refuse('channels.members_only') };
}

async function seeChannel(db: Database | Trx, channelId: string, who: SignedIn): Promise<ChannelSeen> {
  const seen = isId(channelId) ? await findChannel(db, channelId, who.userId) : undefined;
  if (!seen || seen.roles === null || !opensTeam(who, seen.channel.team_id)) refuse('record.not_found');
  await enterTeam(db, who, { teamId: seen.channel.team_id, roles: seen.roles });
  return seen;
}

interface ComplianceReading {
  teamId: string;
  channelId: string;
  userId: string;
  read: AuditDetails<'channels.compliance_read'>;
}

/** Records a reading by compliance access before the content is sent: without the record nothing is sent. */
export async function recordComplianceReading(
  deps: Pick<Deps, 'db' | 'secrets'>,
  { teamId, channelId, userId, read }: ComplianceReading,
  origin: Origin,
): Promise<void> {
  await inTransaction(deps.db, (trx) =>
    addAuditEvent(trx, deps, {
      action: 'channels.compliance_read',
      teamId,
      actorId: userId,
      target: channelId,
      details: read,
      origin,
    }),
  );
}
