import type { Answer } from '@steward/contract/api/endpoint';
import { POSTS_PER_PAGE, POSTS_SINCE_MAX } from '@steward/contract/api/limits';
import type { listPosts } from '@steward/contract/channels';
import type { Database } from '#platform/database/database.ts';
import { listVisibleFiles } from '#workspace/content/files.store.ts';
import {
  type ChannelScope,
  findNeighbours,
  findPostPosition,
  listByIds,
  listPageRange,
  listSince,
  type PostRow,
} from './posts.store.ts';
import { toPost } from './to-post.ts';

/** The requested page. */
export interface PostsQuery {
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

/** A page of a channel in Mattermost's format. */
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
  return {
    order: rows.map(({ id }) => id),
    posts: Object.fromEntries(all.map((row) => [row.id, toPost(row)])),
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
