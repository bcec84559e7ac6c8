import { CHANNEL_SWEEP_SECONDS } from '@steward/contract/api/limits';
import type { RemoteChannel, RemoteMessage, RemoteUser } from '@steward/contract/connections/connector';
import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';

type ListKind = 'users' | 'channels' | 'messages';

/** A complete list that a bridge is sending. */
interface StoredList {
  id: string;
  kind: ListKind;
  /** '' unless it is of messages. */
  channel_id: string;
  /** The page that comes next. */
  next_page: number;
}

/** Ends an unfinished list of the same kind and channel. */
export async function addList(
  trx: Trx,
  serverId: string,
  { kind, channelId }: { kind: ListKind; channelId: string },
): Promise<string> {
  const id = newId();
  await trx
    .insertInto('connected_lists')
    .values({ server_id: serverId, id, kind, channel_id: channelId, began_at: sql<Date>`clock_timestamp()` })
    .onConflict((conflict) =>
      conflict.columns(['server_id', 'kind', 'channel_id']).doUpdateSet({
        id,
        began_at: sql<Date>`clock_timestamp()`,
        next_page: 0,
        rows: 0,
      }),
    )
    .execute();
  return id;
}

export async function lockList(trx: Trx, serverId: string, id: string): Promise<StoredList | undefined> {
  const row = await trx
    .selectFrom('connected_lists')
    .select(['id', 'kind', 'channel_id', 'next_page'])
    .where('server_id', '=', serverId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return row as StoredList | undefined;
}

export async function countPage(
  trx: Trx,
  { serverId, id }: { serverId: string; id: string },
  rows: number,
): Promise<void> {
  await trx
    .updateTable('connected_lists')
    .set(({ eb }) => ({ next_page: eb('next_page', '+', 1), rows: eb('rows', '+', rows) }))
    .where('server_id', '=', serverId)
    .where('id', '=', id)
    .execute();
}

/** Lists that stopped a month ago will not go on. */
export async function removeOldLists(db: Database): Promise<void> {
  await db.deleteFrom('connected_lists').where('began_at', '<', sql<Date>`now() - interval '30 days'`).execute();
}

/** Writes users; `listId` marks those of a list. Returns the number of users written. */
export async function saveUsers(
  trx: Trx,
  { serverId, listId }: { serverId: string; listId: string },
  users: readonly RemoteUser[],
): Promise<void> {
  if (users.length === 0) return;
  await trx
    .insertInto('connected_users')
    .values(users.map((user) => ({ ...user, server_id: serverId, list_id: listId })))
    .onConflict((conflict) =>
      conflict.columns(['server_id', 'id']).doUpdateSet(({ ref }) => ({
        username: ref('excluded.username'),
        name: ref('excluded.name'),
        email: ref('excluded.email'),
        roles: ref('excluded.roles'),
        team_ids: ref('excluded.team_ids'),
        left_team_ids: sql<string[]>`array(select unnest(connected_users.left_team_ids || connected_users.team_ids)
          except select unnest(excluded.team_ids))`,
        is_bot: ref('excluded.is_bot'),
        owns_bots: ref('excluded.owns_bots'),
        is_protected: ref('excluded.is_protected'),
        deactivated_at: ref('excluded.deactivated_at'),
        list_id: ref('excluded.list_id'),
      })),
    )
    .execute();
}

export type GovernedChannel = RemoteChannel & { governed_by: string };

/** A channel that moved to another team or became of another type counts as new, so that its old messages wait a day. */
export async function saveChannels(
  trx: Trx,
  { serverId, listId }: { serverId: string; listId: string },
  channels: readonly GovernedChannel[],
): Promise<void> {
  if (channels.length === 0) return;
  const hasMoved = sql<boolean>`connected_channels.team_id <> excluded.team_id or connected_channels.type <> excluded.type`;
  await trx
    .insertInto('connected_channels')
    .values(
      channels.map(({ id, type, name, member_ids, archived_at, team_id, governed_by }) => ({
        server_id: serverId,
        list_id: listId,
        id,
        type,
        name,
        member_ids,
        archived_at,
        remote_team_id: team_id,
        team_id: governed_by,
        arrived_at: sql<Date>`clock_timestamp()`,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['server_id', 'id']).doUpdateSet(({ ref }) => ({
        arrived_at: sql<Date>`case when ${hasMoved} then excluded.arrived_at else connected_channels.arrived_at end`,
        remote_team_id: ref('excluded.remote_team_id'),
        team_id: ref('excluded.team_id'),
        type: ref('excluded.type'),
        name: ref('excluded.name'),
        member_ids: ref('excluded.member_ids'),
        archived_at: ref('excluded.archived_at'),
        list_id: ref('excluded.list_id'),
      })),
    )
    .execute();
}

/** Messages without a channel are removed later, in batches. */
export async function removeChannels(trx: Trx, serverId: string, ids: readonly string[]): Promise<void> {
  await trx
    .deleteFrom('connected_channels')
    .where('server_id', '=', serverId)
    .where('id', '=', sql<string>`any(${[...ids]})`)
    .execute();
}

/** Users who left all governed teams. They stay known, because their messages stay and a hold may have to name them. */
export async function markUsersLeft(trx: Trx, serverId: string, ids: readonly string[]): Promise<void> {
  await trx
    .updateTable('connected_users')
    .set(LEFT)
    .where('server_id', '=', serverId)
    .where('id', '=', sql<string>`any(${[...ids]})`)
    .execute();
}

const LEFT = {
  left_team_ids: sql<string[]>`array(select distinct unnest(left_team_ids || team_ids))`,
  team_ids: sql<string[]>`'{}'`,
};

/** Removes channels that were not in the list; users who were not in it have left. Returns their number. */
export async function endList(
  trx: Trx,
  serverId: string,
  { id, kind }: { id: string; kind: 'users' | 'channels' },
): Promise<number> {
  const isMissing = sql<boolean>`server_id = ${serverId} and list_id is distinct from ${id}`;
  const removed =
    kind === 'users'
      ? (
          await trx
            .updateTable('connected_users')
            .set(LEFT)
            .where(isMissing)
            .where(sql<boolean>`team_ids <> '{}'`)
            .execute()
        )[0]?.numUpdatedRows
      : (await trx.deleteFrom('connected_channels').where(isMissing).executeTakeFirst()).numDeletedRows;
  await removeList(trx, serverId, id);
  return Number(removed ?? 0);
}

/**
 * Removes messages of the channel that were not in the list, unless they arrived after its begin, and records the end of the
 * list. Returns the number of removed messages.
 */
export async function endMessageList(
  trx: Trx,
  serverId: string,
  { id, channelId, hint, seconds }: { id: string; channelId: string; hint: string; seconds: number },
): Promise<number> {
  const began = sql`(select began_at from connected_lists where server_id = ${serverId} and id = ${id})`;
  const { numAffectedRows } = await sql`delete from connected_messages
    where server_id = ${serverId} and channel_id = ${channelId} and list_id is distinct from ${id}
      and arrived_at < ${began}`.execute(trx);
  await sql`update connected_channels set list_began_at = ${began}, listed_at = clock_timestamp(), hint = ${hint},
      read_only = ${seconds > CHANNEL_SWEEP_SECONDS ? 'slow' : ''},
      messages = (select count(*) from connected_messages
        where server_id = ${serverId} and channel_id = ${channelId} and list_id = ${id})
    where server_id = ${serverId} and id = ${channelId}`.execute(trx);
  await removeList(trx, serverId, id);
  return Number(numAffectedRows ?? 0);
}

/** Removes no messages. The channel is only read until a complete list of it. */
export async function endFailedList(
  trx: Trx,
  serverId: string,
  { id, channelId }: { id: string; channelId: string },
): Promise<void> {
  await sql`update connected_channels set read_only = 'refused'
    where server_id = ${serverId} and id = ${channelId}`.execute(trx);
  await removeList(trx, serverId, id);
}

async function removeList(trx: Trx, serverId: string, id: string): Promise<void> {
  await trx.deleteFrom('connected_lists').where('server_id', '=', serverId).where('id', '=', id).execute();
}

export async function hasChannel(trx: Trx, serverId: string, id: string): Promise<boolean> {
  const row = await trx
    .selectFrom('connected_channels')
    .select('id')
    .where('server_id', '=', serverId)
    .where('id', '=', id)
    .forShare()
    .executeTakeFirst();
  return row !== undefined;
}

export async function saveHint(trx: Trx, { serverId, channelId }: Omit<Place, 'listId'>, hint: string): Promise<void> {
  await trx
    .updateTable('connected_channels')
    .set({ hint })
    .where('server_id', '=', serverId)
    .where('id', '=', channelId)
    .execute();
}

/** `listId` marks messages of a complete list; null for changes between lists. */
interface Place {
  serverId: string;
  channelId: string;
  listId: string | null;
}

/**
 * Writes descriptions of messages. Sizes that the server no longer tells are kept. A message that moved here, or whose date was
 * moved back, counts as arrived now, so that it waits a day.
 */
export async function saveMessages(
  trx: Trx,
  { serverId, channelId, listId }: Place,
  messages: readonly RemoteMessage[],
): Promise<void> {
  if (messages.length === 0) return;
  const rows = messages.map((message) => toRow(message));
  await sql`insert into connected_messages as m (server_id, channel_id, list_id, id, thread_id, original_id, user_id,
      created_at, active_at, deleted_at, kind, size, file_ids, file_bytes, file_sizes, arrived_at)
    select ${serverId}, ${channelId}, ${listId}, r.id, r.thread_id, r.original_id, r.user_id,
      r.created_at, r.active_at, r.deleted_at, r.kind, r.size, r.file_ids, r.file_bytes, r.file_sizes, clock_timestamp()
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (id text, thread_id text, original_id text, user_id text,
      created_at bigint, active_at bigint, deleted_at bigint, kind text, size integer, file_ids text[], file_bytes bigint, file_sizes bigint[])
    on conflict (server_id, id) do update set
      channel_id = excluded.channel_id, thread_id = excluded.thread_id, original_id = excluded.original_id,
      user_id = excluded.user_id, created_at = excluded.created_at, deleted_at = excluded.deleted_at, kind = excluded.kind,
      active_at = greatest(excluded.active_at, m.active_at),
      size = coalesce(excluded.size, m.size), file_ids = excluded.file_ids,
      file_bytes = coalesce(excluded.file_bytes, case when excluded.file_ids = m.file_ids then m.file_bytes end),
      file_sizes = coalesce(excluded.file_sizes, case when excluded.file_ids = m.file_ids then m.file_sizes end),
      list_id = coalesce(excluded.list_id, m.list_id),
      arrived_at = case when excluded.channel_id <> m.channel_id or excluded.created_at < m.created_at
        then excluded.arrived_at else m.arrived_at end`.execute(trx);
}

function toRow({ id, root_id, original_id, files, updated_at, edited_at, ...message }: RemoteMessage) {
  const sizes = files.map(({ size }) => size);
  return {
    id,
    thread_id: root_id || original_id || id,
    original_id,
    user_id: message.user_id,
    created_at: message.created_at,
    active_at: Math.max(message.created_at, updated_at, edited_at, message.deleted_at),
    deleted_at: message.deleted_at,
    kind: message.kind,
    size: message.size,
    file_ids: files.map((file) => file.id),
    file_bytes: sizes.includes(null) ? null : sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0),
    file_sizes: sizes.some((size) => size !== null) ? sizes : null,
  };
}

/** Removes messages whose channel is gone, at most `limit`. Returns true if there may be more. */
export async function removeMessagesWithoutChannel(db: Database, limit: number): Promise<boolean> {
  // Steps through the index from channel to channel, which reads one message of each.
  const { numAffectedRows } = await sql`with recursive channels as (
      (select server_id, channel_id from connected_messages order by server_id, channel_id limit 1)
      union all
      select next.server_id, next.channel_id from channels, lateral (
        select m.server_id, m.channel_id from connected_messages m
        where (m.server_id, m.channel_id) > (channels.server_id, channels.channel_id)
        order by m.server_id, m.channel_id limit 1) as next
    ), gone as (select * from channels where not exists (select 1 from connected_channels c
      where c.server_id = channels.server_id and c.id = channels.channel_id) limit 1)
    delete from connected_messages where (server_id, id) in (
      select server_id, id from connected_messages join gone using (server_id, channel_id) limit ${limit})`.execute(db);
  return Number(numAffectedRows ?? 0) > 0;
}

/** Removes what a team governed that stopped doing so, and users whom no team governs anymore. Messages follow in batches. */
export async function removeTeam(trx: Trx, { serverId, teamId }: { serverId: string; teamId: string }): Promise<void> {
  await trx.deleteFrom('connected_channels').where('server_id', '=', serverId).where('team_id', '=', teamId).execute();
  await sql`delete from connected_users u where server_id = ${serverId} and not exists (
      select 1 from connected_teams t where t.server_id = u.server_id and t.accepted_at is not null
        and (t.direct_messages or t.remote_id = any(u.team_ids || u.left_team_ids)))`.execute(trx);
}

/** For messages that are gone at the server. */
export async function removeMessages(trx: Trx, serverId: string, ids: readonly string[]): Promise<void> {
  await trx
    .deleteFrom('connected_messages')
    .where('server_id', '=', serverId)
    .where('id', '=', sql<string>`any(${[...ids]})`)
    .execute();
}

/** For a restored workspace, with a schema of any version. */
export const UNLIST_ALL_CHANNELS = `do $$ begin
  if to_regclass('connected_channels') is not null then
    update connected_channels set list_began_at = null, listed_at = null;
  end if;
end $$`;
