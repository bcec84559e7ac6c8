import type { Post, Reaction } from '../model.ts';
import type { World } from '../world.ts';
import { attachFile, touch } from './add-post.ts';

/** What an edit or a pin changes. */
export type Change = Partial<Pick<Post, 'message' | 'file_ids' | 'is_pinned' | 'props'>>;

/**
 * Each edit, pin and unpin leaves the earlier state as a row of its own, with the full text, and the times of the post. Only an edit
 * sets `edit_at`.
 */
export function changePost(world: World, post: Post, change: Change): void {
  const now = world.now();
  world.posts.insert({ ...post, id: world.id(), original_id: post.id, update_at: now, delete_at: now });
  if (change.file_ids) changeFiles(world, post, change.file_ids);
  Object.assign(post, change);
  if (change.is_pinned === undefined) post.edit_at = now;
  post.update_at = now;
  touch(world.posts.byId.get(post.root_id), now);
  const channel = world.channels.get(post.channel_id);
  if (channel) channel.last_post_at = Math.max(channel.last_post_at, now);
}

/** A file that an edit removes can't be reached any more, but its row and its bytes stay. */
function changeFiles(world: World, post: Post, ids: readonly string[]): void {
  for (const id of post.file_ids) {
    const file = world.files.get(id);
    if (file && !ids.includes(id)) file.delete_at = world.now();
  }
  for (const id of ids) attachFile(world, id, post);
}

/** Deletes so that the row stays, with everything in its thread. Living replies are counted anew. */
export function softDelete(world: World, post: Post, by: string): void {
  const now = world.now();
  for (const row of [post, ...world.posts.inThread(post.id)]) {
    if (row.delete_at > 0) continue;
    Object.assign(row, { delete_at: now, update_at: now, props: { ...row.props, deleteBy: by } });
    for (const id of row.file_ids) {
      const file = world.files.get(id);
      if (file) file.delete_at = now;
    }
  }
  touch(world.posts.byId.get(post.root_id), now);
  const thread = world.threads.get(post.root_id);
  if (thread) {
    thread.reply_count = 0;
    for (const row of world.posts.inThread(post.root_id)) if (row.delete_at === 0) thread.reply_count += 1;
  }
  if (world.whenSoftDeleting(post) === 'edit') {
    changePost(world, post, { message: `${post.message} (edited)` });
    post.delete_at = 0;
  }
}

export function addReaction(world: World, post: Post, reaction: Pick<Reaction, 'user_id' | 'emoji_name'>): Reaction {
  const now = world.now();
  const row = { ...reaction, post_id: post.id, create_at: now, channel_id: post.channel_id };
  world.reactions.set(post.id, [...(world.reactions.get(post.id) ?? []), row]);
  touch(post, now);
  touch(world.posts.byId.get(post.root_id), now);
  return row;
}
