import type { ChannelType } from '@steward/contract/channels';
import type { RetentionClock } from '@steward/contract/retention/rules';
import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import type { BatchRange, Cursor, DeletedBatch, ExpiredCount, RetentionScope, StoredCount } from './expiry.ts';
import { isHeld } from './holds/held.store.ts';
import type { IncomingMessage, ItemSource, ItemWriter } from './ingest.ts';
import { CLOCKS, countExpired, countStored, isNotKept, isNotKeptInBatch } from './items.store.ts';

const isOfType = (teamId: string, type: ChannelType, clock: RetentionClock) =>
  sql`team_id = ${teamId} and channel_type = ${type} and ${CLOCKS[clock].hasClock}`;

export async function countExpiredMessages(
  db: Database | Trx,
  type: ChannelType,
  scope: RetentionScope,
): Promise<ExpiredCount> {
  const { teamId, clock, cutoff, holds } = scope;
  const { column } = CLOCKS[clock];
  const from = sql`from messages
    where ${isOfType(teamId, type, clock)} and ${column} < ${cutoff} and ${isNotKept(scope)}`;
  return countExpired(db, { from, column, held: isHeld(teamId, holds, { table: 'messages' }) });
}

export async function countStoredMessages(db: Database, teamId: string, type: ChannelType): Promise<StoredCount> {
  const { column } = CLOCKS.own;
  return countStored(db, { from: sql`from messages where ${isOfType(teamId, type, 'own')}`, column });
}

/**
 * Deletes in the order of dates, after the previous batch, so that it doesn't scan the index entries of deleted rows
 * again.
 */
export async function deleteExpiredMessages(
  trx: Trx,
  { type, scope }: { type: ChannelType; scope: RetentionScope },
  { after, limit }: BatchRange,
): Promise<DeletedBatch> {
  const { column } = CLOCKS[scope.clock];
  const expired = sql`${isOfType(scope.teamId, type, scope.clock)} and ${column} < ${scope.cutoff}
    and (${column}, id) > (${after.clock}, ${after.id})`;
  const isInBatch = sql`(${column}, id) <= (coalesce((select clock from bound), ${scope.cutoff}),
    coalesce((select id from bound), ''))`;
  const held = isHeld(scope.teamId, scope.holds, { table: 'messages' });
  // Held rows are part of the batch: the condition is evaluated for its rows only, not for those before its end.
  const isDeleted = held === undefined ? isNotKeptInBatch(scope) : sql`${isNotKeptInBatch(scope)} and not ${held}`;
  const scanned = sql`case when exists (select 1 from bound) then ${limit}
    else (select count(*) from messages where ${expired} and ${isNotKeptInBatch(scope)}) end`;
  // As a case, so that it is evaluated last: only for rows of the batch.
  const { rows } = await sql<{ count: number; bytes: number; scanned: number } & Cursor>`with bound as materialized (
      select ${column} as clock, id from messages where ${expired} and ${isNotKeptInBatch(scope)}
      order by ${column}, id offset ${limit - 1} limit 1),
    deleted as (
      delete from messages where ${expired} and ${isInBatch}
        and case when ${isInBatch} then ${isDeleted} else false end returning size)
    select count(*)::bigint as count, coalesce(sum(size), 0)::bigint as bytes,
      ${held === undefined ? sql`0` : scanned}::int as scanned,
      (select clock from bound) as clock, (select id from bound) as id from deleted`.execute(trx);
  const { count = 0, bytes = 0, scanned: reached = 0, clock = null, id = '' } = rows[0] ?? {};
  return { count, bytes, held: Math.max(reached - count, 0), last: clock === null ? null : { clock, id } };
}

export interface NewMessage {
  id: string;
  user_id: string;
  text: string;
  root_id: string;
  file_ids: readonly string[];
  props: Record<string, unknown>;
  create_at: number;
}

export async function addMessage(
  trx: Trx,
  channel: { team_id: string; id: string; type: ChannelType },
  message: NewMessage,
): Promise<void> {
  await trx
    .insertInto('messages')
    .values({
      ...message,
      team_id: channel.team_id,
      channel_id: channel.id,
      channel_type: channel.type,
      external_id: null,
      size: Buffer.byteLength(message.text),
      file_ids: [...message.file_ids],
      props: JSON.stringify(message.props),
      update_at: message.create_at,
      delete_at: 0,
    })
    .execute();
}

/** A complete message row, for `fill` and the demo workspace. */
export interface MessageInsert {
  id: string;
  channel_id: string;
  channel_type: ChannelType;
  user_id: string;
  text: string;
  create_at: number;
  delete_at: number;
}

/** Inserts many messages in one statement and skips existing ids. Returns how many were inserted. */
export async function bulkInsertMessages(
  trx: Trx,
  teamId: string,
  messages: readonly MessageInsert[],
): Promise<number> {
  const all = <Key extends keyof MessageInsert>(key: Key) => messages.map((message) => message[key]);
  const { rows } = await sql<{ added: number }>`
    with added as (
      insert into messages (team_id, id, channel_id, channel_type, user_id, text, size, create_at, update_at, delete_at)
      select ${teamId}, id, channel_id, channel_type, user_id, text, octet_length(text), create_at,
        greatest(create_at, delete_at), delete_at
      from unnest(${all('id')}::text[], ${all('channel_id')}::text[], ${all('channel_type')}::text[],
        ${all('user_id')}::text[], ${all('text')}::text[], ${all('create_at')}::bigint[], ${all('delete_at')}::bigint[])
        as r (id, channel_id, channel_type, user_id, text, create_at, delete_at)
      on conflict do nothing returning 1
    ) select count(*)::int as added from added`.execute(trx);
  return rows[0]?.added ?? 0;
}

/**
 * Gives a source the messages that it repeats and that are older than sources. Rows are locked in one order, so that
 * two services that send the same messages don't deadlock.
 */
export async function adoptMessages(
  trx: Trx,
  { teamId, sourceId }: ItemSource,
  externalIds: readonly string[],
): Promise<void> {
  if (externalIds.length === 0) return;
  await sql`with own as materialized (
      select id from messages where team_id = ${teamId} and source_id is null and external_id = any(${externalIds})
      order by external_id collate "C" for update)
    update messages m set source_id = ${sourceId} from own where m.team_id = ${teamId} and m.id = own.id`.execute(trx);
}

/**
 * Adds new messages and replaces changed ones, and returns the ids of both. External ids are distinct, and written in
 * order too.
 */
export async function ingestMessages(
  trx: Trx,
  { teamId, sourceId, speaksForUsers }: ItemWriter,
  messages: readonly IncomingMessage[],
): Promise<string[]> {
  if (messages.length === 0) return [];
  const all = <Key extends keyof IncomingMessage>(key: Key) => messages.map((message) => message[key]);
  const { rows } = await sql<{ id: string }>`
    with sent as (
      select * from unnest(${messages.map(() => newId())}::text[], ${all('external_id')}::text[], ${all('channel_id')}::text[],
        ${all('channel_type')}::text[], ${all('user_id')}::text[], ${all('text')}::text[], ${all('size')}::int[],
        ${all('create_at')}::bigint[], ${all('delete_at')}::bigint[])
        as s (id, external_id, channel_id, channel_type, user_id, text, size, create_at, delete_at)
    ), done as (
      insert into messages as m (team_id, source_id, id, external_id, channel_id, channel_type, user_id, text, size, create_at,
        update_at, delete_at)
      select ${teamId}, ${sourceId}, id, external_id, channel_id, channel_type, user_id, text, size, create_at, create_at,
        delete_at
      from sent order by external_id collate "C"
      on conflict (team_id, source_id, external_id) where source_id is not null do update
      set channel_id = excluded.channel_id, channel_type = excluded.channel_type, user_id = excluded.user_id,
        text = excluded.text, size = excluded.size, create_at = excluded.create_at, delete_at = excluded.delete_at,
        update_at = ${Date.now()}
      where (m.channel_id, m.text, m.create_at, m.delete_at) is distinct from
          (excluded.channel_id, excluded.text, excluded.create_at, excluded.delete_at)
        or ${speaksForUsers}::boolean and m.user_id <> excluded.user_id
      returning m.id
    )
    select id from done`.execute(trx);
  return rows.map(({ id }) => id);
}
