import type { RetentionKind } from '@steward/contract/retention/fields';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '#platform/database/database.ts';
import { type ActiveHold, holdsOn } from '#workspace/content/holds/active-holds.rules.ts';
import { isConnectedHeld } from '#workspace/content/holds/connected-held.store.ts';
import { isHeld } from '#workspace/content/holds/held.store.ts';
import type { ItemPlace } from '#workspace/content/items.store.ts';
import { nameInTeam } from '#workspace/users/users.store.ts';

/** `blob` is the key of the content in the blob store. It isn't exported. */
export interface HeldRow {
  id: string;
  name?: string;
  blob?: string | null;
  [column: string]: unknown;
}

const PAGE = 1_000;

const SHARED = 'i.id, i.external_id, i.create_at, i.update_at, i.delete_at';
const COLUMNS = {
  messages: `${SHARED}, i.channel_id, c.display_name as channel_name, i.channel_type, i.text, i.root_id,
    i.root_id <> '' and not exists (
      select 1 from messages r where r.team_id = i.team_id and r.id = i.root_id) as root_deleted,
    i.file_ids, i.props`,
  files: `${SHARED}, i.channel_id, c.display_name as channel_name, i.post_id, i.name, i.size, i.digest, i.blob`,
  records: `${SHARED}, i.kind, i.title, i.text, i.name, i.size, i.digest, i.clock, i.blob`,
} as const;

function isAt(place: ItemPlace): RawBuilder<unknown> {
  if (place.table === 'messages') return sql`channel_type = ${place.type}`;
  return place.table === 'records' ? sql`kind = ${place.kind} and not doomed` : sql`not doomed`;
}

/** Rows are in order of id, with the names of authors and channels. */
export async function* readHeldRows(
  db: Database,
  { teamId, hold, kind, place }: { teamId: string; hold: ActiveHold; kind: RetentionKind; place: ItemPlace },
): AsyncIterable<HeldRow> {
  const held = isHeld(teamId, holdsOn(kind, [hold]), { table: place.table });
  if (held === undefined) return;
  const author = nameInTeam({ team: 'i.team_id', user: 'i.user_id', users: 'p' });
  const channel =
    place.table === 'records' ? sql`` : sql`left join channels c on c.team_id = i.team_id and c.id = i.channel_id`;
  for (let after = ''; ; ) {
    const { rows } = await sql<HeldRow>`select ${sql.raw(COLUMNS[place.table])}, i.user_id, ${author} as author_name
      from (select * from ${sql.table(place.table)} where team_id = ${teamId} and ${isAt(place)} and id > ${after} and ${held}
        order by id limit ${PAGE}) i
      left join people p on p.id = i.user_id ${channel} order by i.id`.execute(db);
    yield* rows;
    if (rows.length < PAGE) return;
    after = rows.at(-1)?.id ?? '';
  }
}

/** A message of a connected server, described without its text. Times are in milliseconds, 0 for never. */
export interface ConnectedHeldRow {
  /** False for a message that is kept because the hold covers another one of its thread. */
  covered: boolean;
  id: string;
  /** The message that this is an earlier version of; '' for messages. */
  original_id: string;
  deleted_at: number;
  [column: string]: unknown;
}

/** Threads of which the rows are read at once. */
const THREADS = 200;

interface Thread {
  server_id: string;
  channel_id: string;
  thread_id: string;
}

/**
 * All messages of the threads of connected servers that the hold keeps, by server, channel and thread. A thread is kept as a whole
 * if the hold covers any message of it.
 */
export async function* readConnectedHeldRows(
  db: Database,
  teamId: string,
  hold: ActiveHold,
): AsyncIterable<ConnectedHeldRow> {
  for (let after: Thread | undefined; ; ) {
    const threads = await listHeldThreads(db, { teamId, hold, after });
    if (threads.length > 0) yield* readThreads(db, { teamId, hold, threads });
    after = threads.at(-1);
    if (threads.length < THREADS) return;
  }
}

async function listHeldThreads(
  db: Database,
  { teamId, hold, after }: { teamId: string; hold: ActiveHold; after: Thread | undefined },
): Promise<Thread[]> {
  const isAfter = after
    ? sql`and (m.server_id, m.channel_id, m.thread_id) > (${after.server_id}, ${after.channel_id}, ${after.thread_id})`
    : sql``;
  const { rows } = await sql<Thread>`select m.server_id, m.channel_id, m.thread_id
    from connected_messages m join connected_channels c on c.server_id = m.server_id and c.id = m.channel_id
    where c.team_id = ${teamId} and ${isConnectedHeld(teamId, [hold])} ${isAfter}
    group by 1, 2, 3 order by 1, 2, 3 limit ${THREADS}`.execute(db);
  return rows;
}

async function* readThreads(
  db: Database,
  { teamId, hold, threads }: { teamId: string; hold: ActiveHold; threads: readonly Thread[] },
): AsyncIterable<ConnectedHeldRow> {
  for (let after: readonly [string, string, string, string] = ['', '', '', '']; ; ) {
    const { rows } = await sql<ConnectedHeldRow & Thread>`select m.server_id, s.name as server_name, m.channel_id,
        c.name as channel_name, c.type as channel_type, c.member_ids as channel_member_ids, m.thread_id, m.id,
        case when m.thread_id in (m.id, m.original_id) then '' else m.thread_id end as root_id, m.original_id, m.user_id,
        coalesce(nullif(u.name, ''), u.username, '') as author_name, m.created_at, m.active_at, m.deleted_at, m.kind,
        m.size, m.file_ids, to_jsonb(m.file_sizes) as file_sizes, ${isConnectedHeld(teamId, [hold])} as covered
      from jsonb_to_recordset(${JSON.stringify(threads)}::jsonb) as t (server_id text, channel_id text, thread_id text)
      join connected_messages m on m.server_id = t.server_id and m.channel_id = t.channel_id and m.thread_id = t.thread_id
      join connected_channels c on c.server_id = m.server_id and c.id = m.channel_id
      join connected_servers s on s.id = m.server_id
      left join connected_users u on u.server_id = m.server_id and u.id = m.user_id
      where c.team_id = ${teamId} and (m.server_id, m.channel_id, m.thread_id, m.id) > (${sql.join([...after])})
      order by m.server_id, m.channel_id, m.thread_id, m.id limit ${PAGE}`.execute(db);
    yield* rows;
    const last = rows.at(-1);
    if (rows.length < PAGE || last === undefined) return;
    after = [last.server_id, last.channel_id, last.thread_id, last.id];
  }
}
