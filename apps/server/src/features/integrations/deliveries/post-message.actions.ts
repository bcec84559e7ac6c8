import type { Trx } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import { findChannel, recordPost } from '#workspace/channels/channels.store.ts';
import { addMessage } from '#workspace/content/messages.store.ts';

export interface Posting {
  teamId: string;
  channelId: string;
  userId: string;
}

const ARCHIVED = 'This channel is archived.';
const GONE = 'This channel is no longer in this team.';

/** Posts in a channel of the team. Returns the id of the post, or the reason it failed. */
export async function postMessage(
  trx: Trx,
  { teamId, channelId, userId }: Posting,
  { text, props, now }: { text: string; props: Record<string, unknown>; now: number },
): Promise<{ id: string; error: '' } | { id: null; error: string }> {
  const seen = await findChannel(trx, channelId, userId);
  if (seen?.channel.team_id !== teamId) return { id: null, error: GONE };
  // Before the message: this locks the channel, so it can't be archived until the message is stored.
  if (!(await recordPost(trx, seen.channel, now))) return { id: null, error: ARCHIVED };
  const id = newId(now);
  await addMessage(trx, seen.channel, { id, text, user_id: userId, root_id: '', file_ids: [], create_at: now, props });
  return { id, error: '' };
}
