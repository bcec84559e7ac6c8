import { type ConnectedKind, KIND_OF_CONNECTED_CHANNEL } from '@steward/contract/connections/fields';
import { type RawBuilder, sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import type { ActiveHold } from '#workspace/content/holds/active-holds.rules.ts';
import { isConnectedHeld } from '#workspace/content/holds/connected-held.store.ts';

/** Old threads of a team at a connected server, and what keeps them. One statement serves previews, orders and permits. */
export interface ThreadSelection {
  serverId: string;
  teamId: string;
  /** Messages with an earlier date are old, in milliseconds; kinds that keep everything are absent. */
  cutoffs: Partial<Record<ConnectedKind, number>>;
  holds: readonly ActiveHold[];
  /** Only these threads of a channel. */
  only?: { channelId: string; threadIds: readonly string[] };
}

/** In the order of precedence. `due` may be deleted. */
export type ThreadState = 'held' | 'thread' | 'arrived' | 'due';

/** A thread in which something happened, or of which a row arrived here, within a day is kept. */
const DAY = sql`interval '1 day'`;

/**
 * Threads with at least one old row: `channel_id`, `thread_id`, `kind`, `state`, `rows`, `old_rows`, `files`, `bytes`, `oldest`,
 * `newest`. A thread is due if all of its rows are old, earlier versions and messages that are marked deleted included, nothing
 * happened in it for a day, all of it was known for a day, and no hold covers any of it.
 */
export function selectOldThreads(selection: ThreadSelection): RawBuilder<unknown> {
  const { serverId, teamId, holds, only } = selection;
  const isOnly = only ? sql`and m.channel_id = ${only.channelId} and m.thread_id = any(${[...only.threadIds]})` : sql``;
  // Grouped by columns of an index alone, so that nothing is sorted.
  return sql`select channel_id, thread_id, kind, rows, old_rows, files, bytes, oldest, newest,
      case when is_held then 'held' when old_rows < rows or is_active then 'thread' when has_arrived then 'arrived'
        else 'due' end as state
    from (
      select m.channel_id, m.thread_id, max(c.kind) as kind, count(*)::int as rows,
        (count(*) filter (where m.created_at < c.cutoff))::int as old_rows,
        sum(cardinality(m.file_ids))::int as files,
        sum(coalesce(m.size, 0) + coalesce(m.file_bytes, 0))::bigint as bytes,
        min(m.created_at) as oldest, max(m.created_at) as newest,
        max(m.active_at) >= extract(epoch from clock_timestamp() - ${DAY}) * 1000 as is_active,
        greatest(max(m.arrived_at), max(c.arrived_at)) > clock_timestamp() - ${DAY} as has_arrived,
        bool_or(${isConnectedHeld(teamId, holds)}) as is_held
      from (${selectChannels(selection)}) as c
      join connected_messages m on m.server_id = ${serverId} and m.channel_id = c.id ${isOnly}
      where c.team_id = ${teamId}
      group by m.channel_id, m.thread_id
    ) as threads where old_rows > 0`;
}

/** Channels of which all messages were listed at least once and that aren't only read, with the cutoff of their kind. */
function selectChannels({ serverId, teamId, cutoffs }: ThreadSelection): RawBuilder<unknown> {
  const types = Object.entries(KIND_OF_CONNECTED_CHANNEL).flatMap(([type, kind]) => {
    const cutoff = cutoffs[kind];
    return cutoff === undefined ? [] : [sql`(${type}::text, ${kind}::text, ${cutoff}::bigint)`];
  });
  if (types.length === 0)
    return sql`select *, ''::text as kind, 0::bigint as cutoff from connected_channels where false`;
  return sql`select c.id, c.team_id, c.type, c.member_ids, c.arrived_at, k.kind, k.cutoff
    from connected_channels c join (values ${sql.join(types)}) as k (type, kind, cutoff) on k.type = c.type
    where c.server_id = ${serverId} and c.team_id = ${teamId} and c.listed_at is not null
      and c.read_only = ''`;
}

export interface ThreadCount {
  kind: ConnectedKind;
  state: ThreadState;
  threads: number;
  rows: number;
  old_rows: number;
  files: number;
  bytes: number;
  oldest: number;
  newest: number;
}

export async function countOldThreads(db: Database | Trx, selection: ThreadSelection): Promise<ThreadCount[]> {
  const { rows } = await sql<ThreadCount>`select kind, state, count(*)::int as threads, sum(rows)::int as rows,
      sum(old_rows)::int as old_rows, sum(files)::int as files, sum(bytes)::bigint as bytes,
      min(oldest) as oldest, max(newest) as newest
    from (${selectOldThreads(selection)}) as t group by kind, state`.execute(db);
  return rows;
}

/** The state of each of the threads that `selection.only` names; threads without an old row are absent. */
export async function findThreadStates(trx: Trx, selection: ThreadSelection): Promise<Map<string, ThreadState>> {
  const { rows } = await sql<{ thread_id: string; state: ThreadState }>`select thread_id, state
    from (${selectOldThreads(selection)}) as t`.execute(trx);
  return new Map(rows.map(({ thread_id, state }) => [thread_id, state]));
}
