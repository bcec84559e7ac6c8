import type { Database, Trx } from '#platform/database/database.ts';
import { refuse } from '#platform/http/errors.ts';
import { type ChannelRow, findChannel } from '#workspace/channels/channels.store.ts';
import { mayEnter } from './channel-access.rules.ts';

/**
 * The channel, for who may enter it. To people of other teams it is as unknown as one that does not exist; people of its
 * own team who may not enter are told so.
 */
export async function enterChannel(db: Database | Trx, channelId: string, personId: string): Promise<ChannelRow> {
  const seen = /^[a-z0-9]{26}$/.test(channelId) ? await findChannel(db, channelId, personId) : undefined;
  if (!seen || seen.roles === null) refuse('record.not_found');
  if (!mayEnter(seen)) refuse('channels.members_only');
  return seen.channel;
}
