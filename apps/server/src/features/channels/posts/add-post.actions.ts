import type { Received } from '@steward/contract/api/endpoint';
import type { addPost } from '@steward/contract/channels';
import type { Trx } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import { refuse } from '#platform/http/errors.ts';
import { enterChannel } from '#workspace/access/enter-channel.ts';
import type { SignedIn } from '#workspace/access/enter-team.ts';
import type { Changed } from '#workspace/changes/change.ts';
import { recordPost } from '#workspace/channels/channels.store.ts';
import { attachFilesToPost } from '#workspace/content/files.store.ts';
import { addMessage } from '#workspace/content/messages.store.ts';
import { isThreadStart } from './posts.store.ts';
import { toPost } from './to-post.ts';

/** Posts a message with its files as the caller. The channel is locked last, to hold the lock only briefly. */
export async function writePost(
  trx: Trx,
  who: SignedIn,
  body: Received<typeof addPost>['body'],
): Promise<Changed<typeof addPost>> {
  const channel = await enterChannel(trx, body.channel_id, who);
  const { personId } = who;
  const { root_id = '', props = {}, pending_post_id = '' } = body;
  if (root_id !== '' && !(await isThreadStart(trx, channel, root_id)))
    refuse('request.invalid', 'root_id: is not the first post of a thread in this channel');
  const now = Date.now();
  const id = newId(now);
  const file_ids = [...new Set(body.file_ids)];
  const owner = { teamId: channel.team_id, channelId: channel.id, userId: personId, postId: id };
  if (!(await attachFilesToPost(trx, owner, file_ids)))
    refuse('request.invalid', 'file_ids: must be your own files in this channel that no post has yet');
  const row = { id, channel_id: channel.id, user_id: personId, text: body.message, root_id, file_ids, props };
  const times = { create_at: now, update_at: now };
  await addMessage(trx, channel, { ...row, ...times });
  if (!(await recordPost(trx, channel, now))) refuse('channels.archived');
  // Without the text: the audit log outlives every message.
  const details = { channel_id: channel.id };
  return {
    answer: { ...toPost({ ...row, ...times }), pending_post_id },
    audit: { action: 'channels.posted', teamId: channel.team_id, actorId: personId, target: id, details },
  };
}
