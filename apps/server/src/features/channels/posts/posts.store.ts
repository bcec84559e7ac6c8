import { type RawBuilder, sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';

/** A message that is shown. */
export interface PostRow {
  id: string;
  user_id: string;
  channel_id: string;
  root_id: string;
  text: string;
  file_ids: string[];
  props: Record<string, unknown>;
  create_at: number;
  update_at: number;
}

/** Where to look. */
export interface ChannelScope {
  team_id: string;
  id: string;
}

/** Where a message stands in its channel. */
export type Place = Pick<PostRow, 'id' | 'create_at'>;

const columns = sql`m.id, m.user_id, m.channel_id, m.root_id, m.text, m.file_ids, m.props, m.create_at, m.update_at`;
const living = ({ team_id, id }: ChannelScope) =>
  sql`m.team_id = ${team_id} and m.channel_id = ${id} and m.delete_at = 0`;
const older = ({ create_at, id }: Place) => sql`(m.create_at, m.id) < (${create_at}, ${id})`;
const newer = ({ create_at, id }: Place) => sql`(m.create_at, m.id) > (${create_at}, ${id})`;
const newestFirst = sql`order by m.create_at desc, m.id desc`;

/** Where a message stands, also one that is shown no more; undefined where the channel has none with this id. */
export async function findPostPosition(
  db: Database,
  { team_id, id }: ChannelScope,
  postId: string,
): Promise<(Place & { is_shown: boolean }) | undefined> {
  const { rows } = await sql<Place & { is_shown: boolean }>`select m.id, m.create_at, m.delete_at = 0 as is_shown
    from messages m where m.team_id = ${team_id} and m.id = ${postId} and m.channel_id = ${id}`.execute(db);
  return rows[0];
}

/** Which part of a channel: from its newest message on or from a place, down or up. */
export interface Part {
  from?: { place: Place; towards: 'older' | 'newer' };
  offset: number;
  limit: number;
}

/** Messages of a part, newest first. Those that are skipped are counted in the index alone. */
export async function listPageRange(
  db: Database,
  within: ChannelScope,
  { from, offset, limit }: Part,
): Promise<PostRow[]> {
  const up = from?.towards === 'newer';
  const beyond = from ? sql`and ${up ? newer(from.place) : older(from.place)}` : sql``;
  const order = up ? sql`order by m.create_at, m.id` : newestFirst;
  return listAmong(
    db,
    within,
    sql`select m.id from messages m where ${living(within)} ${beyond} ${order} offset ${offset} limit ${limit}`,
  );
}

/** Messages that were written or changed after a moment, newest first. Either half has an index of its own. */
export async function listSince(
  db: Database,
  within: ChannelScope,
  { since, limit }: { since: number; limit: number },
): Promise<PostRow[]> {
  const newest = sql`${newestFirst} limit ${limit}`;
  const half = (condition: RawBuilder<unknown>) =>
    sql`(select m.id, m.create_at from messages m where ${living(within)} and ${condition} ${newest})`;
  const written = half(sql`m.create_at > ${since}`);
  const changed = half(sql`m.update_at > m.create_at and m.update_at > ${since}`);
  return listAmong(db, within, sql`select m.id from (${written} union ${changed}) m ${newest}`);
}

async function listAmong(db: Database, { team_id }: ChannelScope, ids: RawBuilder<unknown>): Promise<PostRow[]> {
  const { rows } = await sql<PostRow>`with page as materialized (${ids})
    select ${columns} from page join messages m on m.team_id = ${team_id} and m.id = page.id ${newestFirst}`.execute(
    db,
  );
  return rows;
}

/** Messages with these ids, as far as the channel shows them. */
export async function listByIds(db: Database, within: ChannelScope, ids: readonly string[]): Promise<PostRow[]> {
  const { rows } = await sql<PostRow>`select ${columns} from messages m
    where ${living(within)} and m.id = any(${ids})`.execute(db);
  return rows;
}

/** Ids of the messages directly above the first and below the last of a page; '' where there is none. */
export async function findNeighbours(
  db: Database,
  within: ChannelScope,
  { first, last }: { first: Place; last: Place },
): Promise<{ next: string; prev: string }> {
  const { rows } = await sql<{ next: string; prev: string }>`select
    coalesce((select m.id from messages m where ${living(within)} and ${newer(first)}
      order by m.create_at, m.id limit 1), '') as next,
    coalesce((select m.id from messages m where ${living(within)} and ${older(last)}
      ${newestFirst} limit 1), '') as prev`.execute(db);
  return rows[0] ?? { next: '', prev: '' };
}

/** Whether the channel shows a message with this id that begins a thread. */
export async function isThreadStart(trx: Trx, within: ChannelScope, postId: string): Promise<boolean> {
  const { rows } = await sql`select 1 from messages m
    where ${living(within)} and m.id = ${postId} and m.root_id = ''`.execute(trx);
  return rows.length === 1;
}
