import { type Answer, forbid, json, refuse } from '../answer.ts';
import { asks, type Call, isAdmin, pageBounds } from '../call.ts';
import { readable } from '../channels/channels.ts';
import type { Post } from '../model.ts';
import { postList } from '../render.ts';
import { isOn, VERSION } from '../settings.ts';
import type { World } from '../world.ts';

/** The most rows that `since` finds. Nothing says that there are more. */
const SINCE_MOST = 1_000;

/** Lists a channel, by `page`, `before`, `after` or `since`. */
export function listPosts(call: Call): Answer {
  const { world, query, headers } = call;
  const channel = readable(call);
  const withDeleted = asks(query, 'include_deleted');
  if (withDeleted && !isAdmin(call.caller)) forbid();
  const mayReadArchived = isOn(world.settings, 'TeamSettings', 'ExperimentalViewArchivedChannels');
  if (channel.delete_at > 0 && !mayReadArchived) forbid();
  const since = Number(query.get('since'));
  if (since > 0) return json(200, postList(world, listSince(call, channel.id, since)));
  const etag = `${world.version ?? VERSION}.${newestUpdate(world, channel.id)}`;
  if (headers['if-none-match'] === etag) return { status: 304, headers: { etag } };
  const rows = withDeleted
    ? world.posts.inOrder(channel.id)
    : world.posts.inOrder(channel.id).filter((post) => post.delete_at === 0);
  return json(200, postList(world, withThreads(call, select(call, rows)), withDeleted), { etag });
}

/** The ETag is the newest `update_at` among the rows that exist; the clock if there are none. */
function newestUpdate(world: World, channelId: string): number {
  let newest = 0;
  for (const post of world.posts.inChannel(channelId)) newest = Math.max(newest, post.update_at);
  return newest || world.now();
}

/** Any rows that changed after a time, in no order, with deleted ones and versions; and the roots of replies. */
function listSince({ world, query }: Call, channelId: string, since: number): Post[] {
  const rows = new Set<Post>();
  for (const post of world.posts.inChannel(channelId)) {
    if (rows.size === SINCE_MOST) break;
    if (post.update_at > since) rows.add(post);
  }
  const roots = [...rows].flatMap((post) => world.posts.byId.get(post.root_id) ?? []);
  if (!asks(query, 'skipFetchThreads')) for (const root of roots) rows.add(root);
  return [...rows].sort((a, b) => b.create_at - a.create_at);
}

function select({ world, query }: Call, rows: readonly Post[]): Post[] {
  const { start, size } = pageBounds(query);
  const before = query.get('before');
  const after = query.get('after');
  if (before || after) return selectAround(world, rows, { before, after, start, size });
  const end = rows.length - start;
  return rows.slice(Math.max(0, end - size), Math.max(0, end)).reverse();
}

interface Around {
  before: string | null;
  after: string | null;
  start: number;
  size: number;
}

/**
 * Rows are sorted by the time of their deletion first, so living rows come before all deleted ones. Whoever goes on from the last
 * row of a page skips the deleted ones that are newer, and rows of the same millisecond.
 */
function selectAround(world: World, rows: readonly Post[], { before, after, start, size }: Around): Post[] {
  const anchor = world.posts.byId.get(before ?? after ?? '');
  if (!anchor) return refuse(400, 'app.post.get_posts_around.get.app_error');
  const sign = before ? 1 : -1;
  const around = rows.filter((post) => (post.create_at - anchor.create_at) * sign < 0);
  around.sort((a, b) => a.delete_at - b.delete_at || (b.create_at - a.create_at) * sign);
  const page = around.slice(start, start + size);
  return before ? page : page.reverse();
}

/** Unless told otherwise, a page brings the roots of its replies too. */
function withThreads({ world, query }: Call, posts: Post[]): Post[] {
  if (asks(query, 'skipFetchThreads')) return posts;
  return [...new Set([...posts, ...posts.flatMap((post) => world.posts.byId.get(post.root_id) ?? [])])];
}
