import type { Trx } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import { findChannel, recordPost } from '#workspace/channels/channels.store.ts';
import { addMessage } from '#workspace/content/messages.store.ts';

/** Where a message goes, and in whose name. */
export interface Posting {
  teamId: string;
  channelId: string;
  userId: string;
}

const ARCHIVED = 'This channel is archived.';
const GONE = 'This channel is not in this team any more.';

/** Posts in a channel of the team; answers the id of the post, or why there is none. */
export async function postMessage(
  trx: Trx,
  { teamId, channelId, userId }: Posting,
  { text, props, now }: { text: string; props: Record<string, unknown>; now: number },
): Promise<{ id: string; error: '' } | { id: null; error: string }> {
  const seen = await findChannel(trx, channelId, userId);
  if (seen?.channel.team_id !== teamId) return { id: null, error: GONE };
  // Before the message: from here on the channel cannot be archived until both are there.
  if (!(await recordPost(trx, seen.channel, now))) return { id: null, error: ARCHIVED };
  const id = newId(now);
  await addMessage(trx, seen.channel, { id, text, user_id: userId, root_id: '', file_ids: [], create_at: now, props });
  return { id, error: '' };
}
