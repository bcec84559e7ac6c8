import type { Database, Trx } from '#platform/database/database.ts';
import { refuse } from '#platform/http/errors.ts';
import { type ChannelRow, findChannel } from '#workspace/channels/channels.store.ts';
import { mayEnter } from './channel-access.rules.ts';

/**
 * The channel, if the person may enter it. People of other teams get the error of a channel that doesn't exist; members of
 * its own team an error that says they aren't members of the channel.
 */
export async function enterChannel(db: Database | Trx, channelId: string, personId: string): Promise<ChannelRow> {
  const seen = /^[a-z0-9]{26}$/.test(channelId) ? await findChannel(db, channelId, personId) : undefined;
  if (!seen || seen.roles === null) refuse('record.not_found');
  if (!mayEnter(seen)) refuse('channels.members_only');
  return seen.channel;
}
