import type { Answer, Received } from '@steward/contract/api/endpoint';
import { POSTS_PER_PAGE, POSTS_SINCE_MAX } from '@steward/contract/api/limits';
import type { addPost, listPosts, Post } from '@steward/contract/channels';
import type { Database, Trx } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import { refuse } from '#platform/http/errors.ts';
import { enterChannel, stayInChannel } from '#workspace/access/enter-channel.ts';
import type { SignedIn } from '#workspace/access/enter-team.ts';
import type { Changed } from '#workspace/changes/change.ts';
import { recordPost } from '#workspace/channels/channels.store.ts';
import { attachFilesToPost, listVisibleFiles } from '#workspace/content/files.store.ts';
import { addMessage } from '#workspace/content/messages.store.ts';
import {
  type ChannelScope,
  findNeighbours,
  findPostPosition,
  isThreadStart,
  listByIds,
  listPageRange,
  listSince,
  type PostRow,
} from './posts.store.ts';

/** Posts a message with its files as the caller. The channel is locked last, to hold the lock only briefly. */
export async function writePost(
  trx: Trx,
  who: SignedIn,
  body: Received<typeof addPost>['body'],
): Promise<Changed<typeof addPost>> {
  const channel = await enterChannel(trx, body.channel_id, who);
  const { userId } = who;
  const { root_id = '', props = {}, pending_post_id = '' } = body;
  if (root_id !== '' && !(await isThreadStart(trx, channel, root_id)))
    refuse('request.invalid', 'root_id: is not the first post of a thread in this channel');
  const now = Date.now();
  const id = newId(now);
  const file_ids = [...new Set(body.file_ids)];
  const owner = { teamId: channel.team_id, channelId: channel.id, userId, postId: id };
  if (!(await attachFilesToPost(trx, owner, file_ids)))
    refuse('request.invalid', 'file_ids: must be your own files in this channel that no post has yet');
  const row = { id, channel_id: channel.id, user_id: userId, text: body.message, root_id, file_ids, props };
  const times = { create_at: now, update_at: now };
  await addMessage(trx, channel, { ...row, ...times });
  if (!(await recordPost(trx, channel, now))) refuse('channels.archived');
  await stayInChannel(trx, channel.id, who);
  // The text is left out: the audit log outlives every message.
  const details = { channel_id: channel.id };
  return {
    answer: { ...toPost({ ...row, ...times }, new Set([root_id])), pending_post_id },
    audit: { action: 'channels.posted', teamId: channel.team_id, actorId: userId, target: id, details },
  };
}

interface PostsQuery {
  page?: number | undefined;
  per_page?: number | undefined;
  since?: number | undefined;
  before?: string | undefined;
  after?: string | undefined;
}

interface Page {
  rows: PostRow[];
  next: string;
  prev: string;
}

const NOTHING: Page = { rows: [], next: '', prev: '' };

export async function fetchPosts(
  db: Database,
  channel: ChannelScope,
  wanted: PostsQuery,
): Promise<Answer<typeof listPosts>> {
  const { rows, next, prev } = await getPage(db, channel, wanted);
  const known = new Set(rows.map(({ id }) => id));
  const roots = [...new Set(rows.map(({ root_id }) => root_id))].filter((id) => id !== '' && !known.has(id));
  const answered = roots.length > 0 ? await listByIds(db, channel, roots) : [];
  const all = await withVisibleFiles(db, channel, [...rows, ...answered]);
  const there = new Set(all.map(({ id }) => id));
  return {
    order: rows.map(({ id }) => id),
    posts: Object.fromEntries(all.map((row) => [row.id, toPost(row, there)])),
    next_post_id: next,
    prev_post_id: prev,
  };
}

async function getPage(db: Database, channel: ChannelScope, wanted: PostsQuery): Promise<Page> {
  const { since, before, after } = wanted;
  if (since) return { ...NOTHING, rows: await listSince(db, channel, { since, limit: POSTS_SINCE_MAX }) };
  const limit = wanted.per_page ?? POSTS_PER_PAGE;
  const part = { offset: (wanted.page ?? 0) * limit, limit };
  const anchor = after || before;
  if (!anchor) return withNeighbours(db, channel, await listPageRange(db, channel, part));
  const place = await findPostPosition(db, channel, anchor);
  if (!place) return NOTHING;
  const rows = await listPageRange(db, channel, { ...part, from: { place, towards: after ? 'newer' : 'older' } });
  if (rows.length > 0) return withNeighbours(db, channel, rows);
  const end = place.is_shown ? place.id : '';
  return { rows, next: after ? '' : end, prev: after ? end : '' };
}

async function withNeighbours(db: Database, channel: ChannelScope, rows: PostRow[]): Promise<Page> {
  const [first, last] = [rows[0], rows.at(-1)];
  return first && last ? { rows, ...(await findNeighbours(db, channel, { first, last })) } : NOTHING;
}

/** Deleted files, and files being deleted, are left out. */
async function withVisibleFiles(db: Database, { team_id }: ChannelScope, rows: PostRow[]): Promise<PostRow[]> {
  const ids = rows.flatMap(({ file_ids }) => file_ids);
  if (ids.length === 0) return rows;
  const shown = new Set(await listVisibleFiles(db, team_id, ids));
  return rows.map((row) => ({ ...row, file_ids: row.file_ids.filter((id) => shown.has(id)) }));
}

/** A message in Mattermost's format. `there` has the ids of the messages that it may reply to. */
function toPost(row: PostRow, there: ReadonlySet<string>): Post {
  const { text, ...rest } = row;
  return {
    ...rest,
    root_deleted: row.root_id !== '' && !there.has(row.root_id),
    message: text,
    edit_at: row.update_at > row.create_at ? row.update_at : 0,
    delete_at: 0,
    is_pinned: false,
    original_id: '',
    type: '',
    hashtags: '',
    pending_post_id: '',
  };
}
