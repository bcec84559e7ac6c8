import { type RawBuilder, sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';

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

export interface ChannelScope {
  team_id: string;
  id: string;
}

export type PostPosition = Pick<PostRow, 'id' | 'create_at'>;

const columns = sql`m.id, m.user_id, m.channel_id, m.root_id, m.text, m.file_ids, m.props, m.create_at, m.update_at`;
const living = ({ team_id, id }: ChannelScope) =>
  sql`m.team_id = ${team_id} and m.channel_id = ${id} and m.delete_at = 0`;
const older = ({ create_at, id }: PostPosition) => sql`(m.create_at, m.id) < (${create_at}, ${id})`;
const newer = ({ create_at, id }: PostPosition) => sql`(m.create_at, m.id) > (${create_at}, ${id})`;
const newestFirst = sql`order by m.create_at desc, m.id desc`;

/** Includes hidden messages; undefined if the channel has no message with this id. */
export async function findPostPosition(
  db: Database,
  { team_id, id }: ChannelScope,
  postId: string,
): Promise<(PostPosition & { is_shown: boolean }) | undefined> {
  return db
    .selectFrom('messages')
    .select(['id', 'create_at', sql<boolean>`delete_at = 0`.as('is_shown')])
    .where('team_id', '=', team_id)
    .where('id', '=', postId)
    .where('channel_id', '=', id)
    .executeTakeFirst();
}

/** Part of a channel: from its newest message or from a position, downward or upward. */
export interface Part {
  from?: { place: PostPosition; towards: 'older' | 'newer' };
  offset: number;
  limit: number;
}

/** Messages of a part, newest first. Skipped ones are only counted in the index. */
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

/** Messages created or changed after a time, newest first. Each half has its own index. */
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

export async function listByIds(db: Database, within: ChannelScope, ids: readonly string[]): Promise<PostRow[]> {
  const { rows } = await sql<PostRow>`select ${columns} from messages m
    where ${living(within)} and m.id = any(${ids})`.execute(db);
  return rows;
}

/** Ids of the messages directly above the first and below the last of a page; '' if there is none. */
export async function findNeighbours(
  db: Database,
  within: ChannelScope,
  { first, last }: { first: PostPosition; last: PostPosition },
): Promise<{ next: string; prev: string }> {
  const { rows } = await sql<{ next: string; prev: string }>`select
    coalesce((select m.id from messages m where ${living(within)} and ${newer(first)}
      order by m.create_at, m.id limit 1), '') as next,
    coalesce((select m.id from messages m where ${living(within)} and ${older(last)}
      ${newestFirst} limit 1), '') as prev`.execute(db);
  return rows[0] ?? { next: '', prev: '' };
}

/** The message must be visible. */
export async function isThreadStart(trx: Trx, { team_id, id }: ChannelScope, postId: string): Promise<boolean> {
  const row = await trx
    .selectFrom('messages')
    .select('id')
    .where('team_id', '=', team_id)
    .where('channel_id', '=', id)
    .where('delete_at', '=', 0)
    .where('id', '=', postId)
    .where('root_id', '=', '')
    .executeTakeFirst();
  return row !== undefined;
}
