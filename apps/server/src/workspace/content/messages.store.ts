import type { ChannelType } from '@steward/contract/channels';
import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { newIds } from '#platform/database/ids.ts';
import { CLOCKS } from './expiry.store.ts';
import type { Place, Reach, ReachCount, Removed, RetentionClock, Step, Stored } from './expiry.ts';
import type { IncomingMessage } from './ingest.ts';

const ofType = (teamId: string, type: ChannelType, clock: RetentionClock) =>
  sql`team_id = ${teamId} and channel_type = ${type} and ${CLOCKS[clock].among}`;

/** Counts the messages in channels of a type that a rule reaches. */
export async function countExpiredMessages(
  db: Database | Trx,
  type: ChannelType,
  { teamId, clock, cutoff }: Reach,
): Promise<ReachCount> {
  const { column } = CLOCKS[clock];
  const reached = sql`from messages where ${ofType(teamId, type, clock)} and ${column} < ${cutoff}`;
  // The ends are looked up in the index: as aggregates they would be worked out for every row.
  const { rows } = await sql<ReachCount>`select count(*)::bigint as count, coalesce(sum(size), 0)::bigint as bytes,
    (select ${column} ${reached} order by ${column} limit 1) as oldest,
    (select ${column} ${reached} order by ${column} desc limit 1) as newest ${reached}`.execute(db);
  return rows[0] as ReachCount;
}

/** Counts all messages in channels of a type. */
export async function countStoredMessages(db: Database, teamId: string, type: ChannelType): Promise<Stored> {
  const all = sql`from messages where ${ofType(teamId, type, 'own')}`;
  const { rows } = await sql<Stored>`select count(*)::bigint as count, coalesce(sum(size), 0)::bigint as bytes,
    (select create_at ${all} order by create_at limit 1) as oldest ${all}`.execute(db);
  return rows[0] as Stored;
}

/**
 * Removes the next messages that a rule reaches, in the order of their clocks. Walking on from where the step before came
 * to, it never looks again at the index entries of what is gone.
 */
export async function removeExpiredMessages(
  trx: Trx,
  { type, reach }: { type: ChannelType; reach: Reach },
  { after, limit }: Step,
): Promise<Removed> {
  const { column } = CLOCKS[reach.clock];
  const due = sql`${ofType(reach.teamId, type, reach.clock)} and ${column} < ${reach.cutoff}
    and (${column}, id) > (${after.clock}, ${after.id})`;
  const { rows } = await sql<{ count: number; bytes: number } & Place>`with bound as materialized (
      select ${column} as clock, id from messages where ${due} order by ${column}, id offset ${limit - 1} limit 1),
    gone as (
      delete from messages where ${due} and (${column}, id) <= (coalesce((select clock from bound), ${reach.cutoff}),
        coalesce((select id from bound), '')) returning size)
    select count(*)::bigint as count, coalesce(sum(size), 0)::bigint as bytes,
      (select clock from bound) as clock, (select id from bound) as id from gone`.execute(trx);
  const { count = 0, bytes = 0, clock = null, id = '' } = rows[0] ?? {};
  return { count, bytes, last: clock === null ? null : { clock, id } };
}

/** A message that is written here. */
export interface NewMessage {
  id: string;
  user_id: string;
  text: string;
  root_id: string;
  file_ids: readonly string[];
  props: Record<string, unknown>;
  create_at: number;
}

/** Writes a message in a channel. */
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

/** A message that comes with everything already decided: what `fill` and the demo workspace add. */
export interface MessageInsert {
  id: string;
  channel_id: string;
  channel_type: ChannelType;
  user_id: string;
  text: string;
  create_at: number;
  delete_at: number;
}

/** Adds many messages in one statement; those that are there already stay as they are. Answers how many came. */
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
 * Takes messages in, each with another external id: new ones are added, different ones replaced. Answers how many of them
 * were. In the order of their ids, so that two services that send the same ones wait for each other and do not deadlock.
 */
export async function ingestMessages(trx: Trx, teamId: string, messages: readonly IncomingMessage[]): Promise<number> {
  if (messages.length === 0) return 0;
  const all = <Key extends keyof IncomingMessage>(key: Key) => messages.map((message) => message[key]);
  const { rows } = await sql<{ count: number }>`
    with sent as (
      select * from unnest(${newIds(messages.length)}::text[], ${all('external_id')}::text[], ${all('channel_id')}::text[],
        ${all('channel_type')}::text[], ${all('user_id')}::text[], ${all('text')}::text[], ${all('size')}::int[],
        ${all('create_at')}::bigint[], ${all('delete_at')}::bigint[])
        as s (id, external_id, channel_id, channel_type, user_id, text, size, create_at, delete_at)
    ), done as (
      insert into messages as m (team_id, id, external_id, channel_id, channel_type, user_id, text, size, create_at,
        update_at, delete_at)
      select ${teamId}, id, external_id, channel_id, channel_type, user_id, text, size, create_at, create_at, delete_at
      from sent order by external_id collate "C"
      on conflict (team_id, external_id) where external_id is not null do update
      set channel_id = excluded.channel_id, channel_type = excluded.channel_type, user_id = excluded.user_id,
        text = excluded.text, size = excluded.size, create_at = excluded.create_at, delete_at = excluded.delete_at,
        update_at = ${Date.now()}
      where (m.channel_id, m.user_id, m.text, m.create_at, m.delete_at) is distinct from
        (excluded.channel_id, excluded.user_id, excluded.text, excluded.create_at, excluded.delete_at)
      returning 1
    )
    select count(*)::int as count from done`.execute(trx);
  return rows[0]?.count ?? 0;
}
