import { ORDER_ROWS_DAYS } from '@steward/contract/api/limits';
import type { Order, OrderRow } from '@steward/contract/connections';
import type { KeptReason, OrderState } from '@steward/contract/connections/fields';
import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { millisecondsIn } from '#platform/database/milliseconds.ts';
import type { MappingKey } from '../mappings.store.ts';
import { selectOldThreads, type ThreadSelection } from './threads.store.ts';

export interface StoredOrder extends Omit<Order, 'kept'> {
  server_id: string;
  team_id: string;
}

const selectOrders = (db: Database | Trx) =>
  db
    .selectFrom('connected_orders as o')
    .select(['o.id', 'o.server_id', 'o.team_id', 'o.rows', 'o.threads', 'o.gone', 'o.orphans', 'o.digest', 'o.proof'])
    .select(['o.server_version', 'o.reason'])
    .select([
      sql<OrderState>`o.state`.as('state'),
      sql<Partial<Record<KeptReason, number>>>`o.kept_by`.as('kept_by'),
      millisecondsIn('o.opened_at').as('opened_at'),
      millisecondsIn('o.closed_at').as('closed_at'),
    ]);

export function toOrder({ server_id: _server, team_id: _team, ...order }: StoredOrder): Order {
  return { ...order, kept: Object.values(order.kept_by).reduce((sum, count) => sum + count, 0) };
}

/** Newest first. */
export function listOrders(
  db: Database,
  { serverId, teamId }: MappingKey,
  { before, limit }: { before: string | undefined; limit: number },
): Promise<StoredOrder[]> {
  return selectOrders(db)
    .where('o.server_id', '=', serverId)
    .where('o.team_id', '=', teamId)
    .$if(before !== undefined, (query) => query.where('o.id', '<', before ?? ''))
    .orderBy('o.id', 'desc')
    .limit(limit)
    .execute();
}

/** The open orders of a server: those that waited longest come first. */
export async function listOrdersInTurn(trx: Trx, serverId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from connected_orders
    where server_id = ${serverId} and state = 'open' order by turn_at nulls first, id`.execute(trx);
  return rows.map(({ id }) => id);
}

export async function setTurn(trx: Trx, id: string): Promise<void> {
  await sql`update connected_orders set turn_at = clock_timestamp() where id = ${id}`.execute(trx);
}

/** The open orders of a server, the oldest first. */
export function listOpenOrders(db: Database | Trx, serverId: string): Promise<StoredOrder[]> {
  return selectOrders(db).where('o.server_id', '=', serverId).where('o.state', '=', 'open').orderBy('o.id').execute();
}

export function findOrder(db: Database | Trx, id: string): Promise<StoredOrder | undefined> {
  return selectOrders(db).where('o.id', '=', id).executeTakeFirst();
}

export function lockOrder(trx: Trx, id: string): Promise<StoredOrder | undefined> {
  return selectOrders(trx).where('o.id', '=', id).forUpdate(['o']).executeTakeFirst();
}

export function lockOpenOrder(trx: Trx, { serverId, teamId }: MappingKey): Promise<StoredOrder | undefined> {
  return selectOrders(trx)
    .where('o.server_id', '=', serverId)
    .where('o.team_id', '=', teamId)
    .where('o.state', '=', 'open')
    .forUpdate(['o'])
    .executeTakeFirst();
}

/** Adds an order that names nothing yet. */
export async function addOrder(trx: Trx, id: string, { serverId, teamId }: MappingKey): Promise<void> {
  await sql`insert into connected_orders (id, server_id, team_id, state, opened_at, rows, threads, digest)
    values (${id}, ${serverId}, ${teamId}, 'open', clock_timestamp(), 0, 0, '')`.execute(trx);
}

export async function removeOrder(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom('connected_orders').where('id', '=', id).execute();
}

/** Names the due threads in an order, the oldest first, at most `limit` rows. Returns the number of threads. */
export async function addDueRows(
  trx: Trx,
  selection: ThreadSelection,
  { orderId, limit }: { orderId: string; limit: number },
): Promise<number> {
  const { rows } = await sql<{ threads: number }>`with due as (
      select channel_id, thread_id, sum(rows) over (order by newest, channel_id, thread_id) as total
      from (${selectOldThreads(selection)}) as t where state = 'due'
    ), chosen as (select channel_id, thread_id from due where total <= ${limit}
    ), added as (
      insert into connected_order_rows (order_id, id, channel_id, thread_id, created_at)
      select ${orderId}, m.id, m.channel_id, m.thread_id, m.created_at from chosen d
      join connected_messages m on m.server_id = ${selection.serverId} and m.channel_id = d.channel_id
        and m.thread_id = d.thread_id
    ) select count(*)::int as threads from chosen`.execute(trx);
  return rows[0]?.threads ?? 0;
}

/** Counts the rows of an order. The digest is SHA-256 of its ids in order, each followed by a line feed. */
export async function saveOrderTotals(
  trx: Trx,
  id: string,
  threads: number,
): Promise<{ rows: number; threads: number; digest: string }> {
  const { rows } = await sql<{ rows: number; threads: number; digest: string }>`update connected_orders set
      threads = ${threads}, rows = (select count(*) from connected_order_rows where order_id = ${id}),
      digest = (select encode(sha256(convert_to(coalesce(string_agg(id || E'\\n', '' order by id), ''), 'UTF8')), 'hex')
        from connected_order_rows where order_id = ${id})
    where id = ${id} returning rows, threads, digest`.execute(trx);
  return rows[0] ?? { rows: 0, threads: 0, digest: '' };
}

/** A channel of which the order names more messages than its last complete list had. */
export async function findOverfullChannel(trx: Trx, id: string): Promise<string | undefined> {
  const { rows } = await sql<{ channel_id: string }>`select r.channel_id from connected_order_rows r
    join connected_orders o on o.id = r.order_id
    join connected_channels c on c.server_id = o.server_id and c.id = r.channel_id
    where r.order_id = ${id} group by r.channel_id, c.messages having count(*) > c.messages limit 1`.execute(trx);
  return rows[0]?.channel_id;
}

export async function refuseOrder(trx: Trx, id: string, reason: string): Promise<void> {
  await trx.deleteFrom('connected_order_rows').where('order_id', '=', id).execute();
  await trx
    .updateTable('connected_orders')
    .set({ state: 'refused', closed_at: sql<Date>`clock_timestamp()`, reason })
    .where('id', '=', id)
    .execute();
}

/** SHA-256 of the ids in order, each with a space, its outcome and a line feed. */
const selectProof = (id: string) => sql`(select encode(sha256(convert_to(
    coalesce(string_agg(id || ' ' || outcome || E'\\n', '' order by id), ''), 'UTF8')), 'hex')
  from connected_order_rows where order_id = ${id})`;

export async function endOrder(
  trx: Trx,
  id: string,
  { state, reason, serverVersion }: { state: 'done' | 'stopped'; reason: string; serverVersion: string },
): Promise<void> {
  await sql`update connected_orders set state = ${state}, closed_at = clock_timestamp(), reason = ${reason},
      server_version = ${serverVersion}, proof = ${selectProof(id)}
    where id = ${id}`.execute(trx);
}

/** For outcomes that were written after the end of an order. */
export async function saveProof(trx: Trx, id: string): Promise<void> {
  await sql`update connected_orders set proof = ${selectProof(id)} where id = ${id}`.execute(trx);
}

export interface RowOutcome {
  id: string;
  outcome: 'gone' | 'kept';
  reason: KeptReason | '';
}

/** Writes outcomes of rows that have none. */
export async function saveOutcomes(trx: Trx, orderId: string, outcomes: readonly RowOutcome[]): Promise<void> {
  if (outcomes.length === 0) return;
  await sql`update connected_order_rows r set outcome = n.outcome, reason = n.reason
    from jsonb_to_recordset(${JSON.stringify(outcomes)}::jsonb) as n (id text, outcome text, reason text)
    where r.order_id = ${orderId} and r.id = n.id and r.outcome = ''`.execute(trx);
  const gone = outcomes.filter(({ outcome }) => outcome === 'gone').length;
  const kept: Record<string, number> = {};
  for (const { outcome, reason } of outcomes) if (outcome === 'kept') kept[reason] = (kept[reason] ?? 0) + 1;
  await sql`update connected_orders set gone = gone + ${gone}, kept_by = kept_by || coalesce((
      select jsonb_object_agg(k.key, coalesce((kept_by->>k.key)::int, 0) + k.value::int)
      from jsonb_each_text(${JSON.stringify(kept)}::jsonb) as k), '{}')
    where id = ${orderId}`.execute(trx);
}

export async function countOrphans(trx: Trx, orderId: string, orphans: number): Promise<void> {
  await trx
    .updateTable('connected_orders')
    .set(({ eb }) => ({ orphans: eb('orphans', '+', orphans) }))
    .where('id', '=', orderId)
    .execute();
}

export async function hasOpenRows(trx: Trx, orderId: string): Promise<boolean> {
  const row = await trx
    .selectFrom('connected_order_rows')
    .select('id')
    .where('order_id', '=', orderId)
    .where('outcome', '=', '')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * The channel whose open rows come next: one with a current list before those that need a new one. Rows of a channel that is only
 * read, or that the team doesn't govern anymore, need no list.
 */
export async function findNextChannel(
  trx: Trx,
  { id }: { id: string },
  hours: number,
): Promise<{ channel_id: string; is_listed: boolean } | undefined> {
  const { rows } = await sql<{ channel_id: string; is_listed: boolean }>`select r.channel_id,
      coalesce(c.list_began_at > o.opened_at and c.list_began_at > clock_timestamp() - make_interval(hours => ${hours}),
        false) or c.id is null or c.read_only <> '' as is_listed
    from (select distinct order_id, channel_id from connected_order_rows where order_id = ${id} and outcome = '') as r
    join connected_orders o on o.id = r.order_id
    left join connected_channels c on c.server_id = o.server_id and c.team_id = o.team_id and c.id = r.channel_id
    order by is_listed desc, r.channel_id limit 1`.execute(trx);
  return rows[0];
}

/** Undefined if the team of the order doesn't govern it. */
export async function findChannel(
  trx: Trx,
  { server_id, team_id }: StoredOrder,
  id: string,
): Promise<{ read_only: string } | undefined> {
  return trx
    .selectFrom('connected_channels')
    .select('read_only')
    .where('server_id', '=', server_id)
    .where('team_id', '=', team_id)
    .where('id', '=', id)
    .executeTakeFirst();
}

export interface OpenRow {
  id: string;
  thread_id: string;
  /** Null if the message isn't listed here anymore. */
  original_id: string | null;
  created_at: number;
  file_ids: string[] | null;
  channel_type: 'O' | 'P' | 'D' | 'G' | null;
  remote_team_id: string | null;
}

interface OrderPlace {
  id: string;
  serverId: string;
  channelId: string;
}

/** Open rows of a channel in the order in which they are deleted: versions, replies, then the first message of a thread. */
const selectOpenRows = ({ id, serverId, channelId }: OrderPlace) => sql`select r.id, r.thread_id, m.original_id,
      r.created_at, m.file_ids, c.type as channel_type, c.remote_team_id
    from connected_order_rows r
    left join connected_messages m on m.server_id = ${serverId} and m.id = r.id and m.channel_id = r.channel_id
    left join connected_channels c on c.server_id = ${serverId} and c.id = r.channel_id
    where r.order_id = ${id} and r.channel_id = ${channelId} and r.outcome = ''`;
const DELETION_ORDER = sql`order by r.thread_id, r.id = r.thread_id, coalesce(m.original_id, '') = '', r.id`;

export async function listOpenRows(trx: Trx, place: OrderPlace, limit: number): Promise<OpenRow[]> {
  const { rows } = await sql<OpenRow>`${selectOpenRows(place)} ${DELETION_ORDER} limit ${limit}`.execute(trx);
  return rows;
}

/** The rows of a permit that have no outcome yet. */
export async function listPermitRows(trx: Trx, place: OrderPlace, ids: readonly string[]): Promise<OpenRow[]> {
  const { rows } = await sql<OpenRow>`${selectOpenRows(place)} and r.id = any(${[...ids]}) ${DELETION_ORDER}`.execute(
    trx,
  );
  return rows;
}

export async function listOutcomes(
  trx: Trx,
  orderId: string,
  ids: readonly string[],
): Promise<{ id: string; outcome: string; reason: string }[]> {
  const { rows } = await sql<{ id: string; outcome: string; reason: string }>`select id, outcome, reason
    from connected_order_rows where order_id = ${orderId} and id = any(${[...ids]})`.execute(trx);
  return rows;
}

/** Threads of the channel that have a row which the order doesn't name. */
export async function listGrownThreads(
  trx: Trx,
  { id, serverId, channelId }: { id: string; serverId: string; channelId: string },
  threadIds: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ thread_id: string }>`select distinct m.thread_id from connected_messages m
    where m.server_id = ${serverId} and m.channel_id = ${channelId} and m.thread_id = any(${[...threadIds]})
      and not exists (select 1 from connected_order_rows r where r.order_id = ${id} and r.id = m.id)`.execute(trx);
  return rows.map(({ thread_id }) => thread_id);
}

/** Threads of which the order keeps a message that still exists. */
export async function listKeptThreads(trx: Trx, id: string, threadIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ thread_id: string }>`select distinct thread_id from connected_order_rows
    where order_id = ${id} and thread_id = any(${[...threadIds]}) and outcome = 'kept' and reason <> 'absent'`.execute(
    trx,
  );
  return rows.map(({ thread_id }) => thread_id);
}

/** By id; names of private channels only if `seesPrivate`. */
export async function listOrderRows(
  db: Database,
  order: { id: string; serverId: string; seesPrivate: boolean },
  {
    kept,
    reason,
    after,
    limit,
  }: { kept: boolean; reason: string | undefined; after: string | undefined; limit: number },
): Promise<OrderRow[]> {
  const { rows } = await sql<OrderRow>`select r.id, r.channel_id, r.thread_id, r.created_at, r.outcome, r.reason,
      case when c.type = 'O' or (c.type = 'P' and ${order.seesPrivate}::boolean) then c.name else '' end as channel_name
    from connected_order_rows r
    left join connected_channels c on c.server_id = ${order.serverId} and c.id = r.channel_id
    where r.order_id = ${order.id} and r.id > ${after ?? ''} ${kept ? sql`and r.outcome = 'kept'` : sql``}
      ${reason === undefined ? sql`` : sql`and r.reason = ${reason}`} order by r.id limit ${limit}`.execute(db);
  return rows;
}

/** Orders are kept for two years, their rows for a month. */
export async function removeOldOrders(db: Database): Promise<void> {
  await sql`delete from connected_order_rows where order_id in (select id from connected_orders
    where closed_at < now() - make_interval(days => ${ORDER_ROWS_DAYS}))`.execute(db);
  await sql`delete from connected_orders where closed_at < now() - interval '2 years'`.execute(db);
}

/** For a restored workspace, with a schema of any version. A permit counts only while its order is open. */
export const STOP_ALL_ORDERS = `do $$ begin
  if to_regclass('connected_orders') is not null then
    update connected_orders set state = 'stopped', closed_at = now(), reason = 'The workspace was restored from a backup.'
      where state = 'open';
  end if;
end $$`;
