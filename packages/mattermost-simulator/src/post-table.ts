import type { Post } from './model.ts';

/** All rows of one channel. Newest last. */
interface ChannelRows {
  rows: Set<Post>;
  sorted: Post[] | undefined;
}

/** The table of posts, with versions and soft-deleted ones, and the indexes that keep a million rows fast. */
export interface PostTable {
  byId: Map<string, Post>;
  insert(post: Post): void;
  remove(post: Post): void;
  /** Rows of a channel, oldest first; rows of one millisecond are in the order of their insertion. */
  inOrder(channelId: string): readonly Post[];
  /** Rows of a channel in no order that a client may rely on. */
  inChannel(channelId: string): Iterable<Post>;
  /** Every row with this root, versions and soft-deleted ones too. */
  inThread(rootId: string): Iterable<Post>;
}

export function createPostTable(): PostTable {
  const byId = new Map<string, Post>();
  const channels = new Map<string, ChannelRows>();
  const threads = new Map<string, Set<Post>>();
  return {
    byId,
    insert(post) {
      byId.set(post.id, post);
      const channel: ChannelRows = channels.get(post.channel_id) ?? { rows: new Set(), sorted: [] };
      channels.set(post.channel_id, channel);
      channel.rows.add(post);
      const last = channel.sorted?.at(-1);
      if (last && last.create_at > post.create_at) channel.sorted = undefined;
      else channel.sorted?.push(post);
      if (post.root_id === '') return;
      const thread = threads.get(post.root_id);
      if (thread) thread.add(post);
      else threads.set(post.root_id, new Set([post]));
    },
    remove(post) {
      byId.delete(post.id);
      const channel = channels.get(post.channel_id);
      channel?.rows.delete(post);
      if (channel) channel.sorted = undefined;
      const thread = threads.get(post.root_id);
      thread?.delete(post);
      if (thread?.size === 0) threads.delete(post.root_id);
    },
    inOrder(channelId) {
      const channel = channels.get(channelId);
      if (!channel) return [];
      channel.sorted ??= [...channel.rows].sort((a, b) => a.create_at - b.create_at);
      return channel.sorted;
    },
    inChannel: (channelId) => channels.get(channelId)?.rows ?? [],
    inThread: (rootId) => threads.get(rootId) ?? [],
  };
}
