import type { Channel, Post, User } from '../model.ts';
import type { World } from '../world.ts';

const NO_PROPS = Object.freeze({});
const NO_FILES: readonly string[] = Object.freeze([]);

export function newPost(world: World, more: Partial<Post> & { channel_id: string; user_id: string }): Post {
  const now = more.create_at ?? world.now();
  return {
    id: world.id(),
    create_at: now,
    update_at: now,
    edit_at: 0,
    delete_at: 0,
    is_pinned: false,
    root_id: '',
    original_id: '',
    message: '',
    type: '',
    props: NO_PROPS,
    file_ids: NO_FILES,
    ...more,
  };
}

/** Adds a message as a call does: counts it, moves the channel's last post and its root, attaches its files. */
export function addPost(world: World, more: Partial<Post> & { channel_id: string; user_id: string }): Post {
  const post = newPost(world, more);
  world.posts.insert(post);
  const channel = world.channels.get(post.channel_id);
  if (channel) {
    channel.total_msg_count += 1;
    channel.last_post_at = Math.max(channel.last_post_at, post.create_at);
  }
  for (const id of post.file_ids) attachFile(world, id, post);
  if (post.root_id !== '') addReply(world, post);
  return post;
}

/** A file belongs to the first post that names it. */
export function attachFile(world: World, id: string, { id: post_id, channel_id }: Post): void {
  const file = world.files.get(id);
  if (file?.post_id !== '') return;
  Object.assign(file, { post_id, channel_id });
  world.filesOfPost.set(post_id, [...(world.filesOfPost.get(post_id) ?? []), id]);
}

/** The list of threads counts up; it doesn't count. A reply that was deleted for good stays in the number. */
function addReply(world: World, post: Post): void {
  const thread = world.threads.get(post.root_id);
  if (thread) {
    thread.reply_count += 1;
    thread.last_reply_at = post.create_at;
    if (!thread.participants.includes(post.user_id)) thread.participants.push(post.user_id);
  } else {
    const participants = [post.user_id];
    world.threads.set(post.root_id, {
      post_id: post.root_id,
      reply_count: 1,
      last_reply_at: post.create_at,
      participants,
    });
  }
  const members = world.threadMembers.get(post.root_id) ?? [];
  if (!members.includes(post.user_id)) world.threadMembers.set(post.root_id, [...members, post.user_id]);
  touch(world.posts.byId.get(post.root_id), post.update_at);
}

/** A change of a reply or a reaction is a change of the row that it belongs to. */
export function touch(post: Post | undefined, at: number): void {
  if (post && post.update_at < at) post.update_at = at;
}

interface SystemPost {
  user: User;
  type: string;
  props?: Record<string, unknown>;
}

export function addSystemPost(world: World, channel: Channel, { user, type, props }: SystemPost): void {
  const message = `${user.username}: ${type.replaceAll('_', ' ')}.`;
  const more = { type, message, props: props ?? { username: user.username } };
  addPost(world, { channel_id: channel.id, user_id: user.id, ...more });
}
