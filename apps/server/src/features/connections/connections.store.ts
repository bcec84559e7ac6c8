import type { ConnectedChannel, Connection, ConnectionHealth } from '@steward/contract/connections';
import type { CheckRow } from '@steward/contract/connections/fields';
import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { millisecondsIn, toMilliseconds } from '#platform/database/milliseconds.ts';
import { nameInTeam } from '#workspace/users/users.store.ts';
import type { MappingKey } from './mappings.store.ts';

export interface StoredConnection extends Omit<Connection, 'health' | 'reason' | 'open_order'> {
  is_silent: boolean;
  is_listed: boolean;
  /** Users or channels were listed before, but not within a day. */
  is_stale: boolean;
  /** Channels whose messages were never listed, although the server doesn't refuse it. */
  channels_waiting: number;
}

/** Bridges report at least every minute; after this many minutes without, a connection counts as silent. */
const SILENT_MINUTES = 10;

/** Channels are listed one after the other, those of all teams in one row, at the average time that the lists so far took. */
const secondsLeft = sql`(select ceil(extract(epoch from avg(listed_at - list_began_at))
    * count(*) filter (where listed_at is null and read_only = ''))::int
  from connected_channels where server_id = s.id)`;

export async function listConnections(db: Database, teamId: string): Promise<StoredConnection[]> {
  const acceptedBy = nameInTeam({ team: 't.team_id', user: 't.accepted_by', users: 'p' });
  const { rows } = await sql<StoredConnection>`select s.id, s.provider, s.name, t.remote_id as remote_team_id,
      t.direct_messages, ${millisecondsIn('t.accepted_at')} as accepted_at,
      case when t.accepted_by is null then '' else ${acceptedBy} end as accepted_by_name,
      t.paused_at is not null as paused, s.server_version, s.checks, s.rehearsal,
      ${millisecondsIn('s.reported_at')} as last_seen_at, ${millisecondsIn('s.rehearsed_at')} as rehearsed_at,
      coalesce(s.reported_at < clock_timestamp() - make_interval(mins => ${SILENT_MINUTES}), true) as is_silent,
      s.users_listed_at is not null and s.channels_listed_at is not null as is_listed,
      coalesce(least(s.users_listed_at, s.channels_listed_at) < clock_timestamp() - interval '1 day', false) as is_stale,
      (select count(*)::int from connected_users u where u.server_id = s.id and t.remote_id = any(u.team_ids)) as users,
      c.channels, c.channels_filled, c.channels_waiting, c.channels_read_only, c.messages, c.listed_at,
      case when c.channels_waiting > 0 then ${secondsLeft} end as seconds_left
    from connected_teams t join connected_servers s on s.id = t.server_id left join people p on p.id = t.accepted_by
    cross join lateral (select count(*)::int as channels, count(listed_at)::int as channels_filled,
        (count(*) filter (where listed_at is null and read_only = ''))::int as channels_waiting,
        (count(*) filter (where read_only <> ''))::int as channels_read_only,
        coalesce(sum(case when listed_at is null then
          (select l.rows from connected_lists l where l.server_id = s.id and l.kind = 'messages' and l.channel_id = n.id)
          else messages end), 0)::int as messages,
        coalesce(case when count(*) = count(listed_at) then ${toMilliseconds(sql`min(listed_at)`)} end, 0) as listed_at
      from connected_channels n where server_id = s.id and team_id = t.team_id) as c
    where t.team_id = ${teamId} order by s.name, s.id`.execute(db);
  return rows;
}

/** One word about a connection, and one sentence if something is wrong. */
export function describeHealth(connection: StoredConnection): { health: ConnectionHealth; reason: string } {
  const failed = (connection.checks as CheckRow[]).find(({ passed }) => !passed);
  const unrehearsed = (connection.rehearsal as CheckRow[]).find(({ passed }) => !passed);
  if (connection.accepted_at === 0) return { health: 'waiting', reason: 'An owner has to accept this connection.' };
  if (connection.is_silent)
    return { health: 'silent', reason: 'The bridge has not reported for ten minutes. Ask the system administrator.' };
  if (failed) return { health: 'problem', reason: failed.detail || failed.name };
  if (connection.paused) return { health: 'paused', reason: 'Deletion is paused.' };
  if (unrehearsed)
    return { health: 'problem', reason: `The rehearsal failed: ${unrehearsed.detail || unrehearsed.name}` };
  if (connection.is_stale)
    return { health: 'problem', reason: 'Users and channels were not listed for a day. Ask the system administrator.' };
  if (!connection.is_listed || connection.channels_waiting > 0)
    return { health: 'filling', reason: 'Channels and messages are being counted for the first time.' };
  return { health: 'ok', reason: '' };
}

/** Public and private channels by name, the next ones after `after`. Private ones have no name unless `seesPrivate`. */
export async function listConnectedChannels(
  db: Database,
  { serverId, teamId, seesPrivate }: MappingKey & { seesPrivate: boolean },
  page: {
    search?: string | undefined;
    defaults?: boolean;
    open?: boolean;
    after: readonly string[] | undefined;
    limit: number;
  },
): Promise<ConnectedChannel[]> {
  const { search = '', defaults = false, open = false, after, limit } = page;
  const pattern = `%${search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const name = seesPrivate ? sql`c.name` : sql`case when c.type = 'O' then c.name else '' end`;
  const { rows } = await sql<ConnectedChannel>`select * from (select c.id, c.type, ${name} as name,
        c.archived_at > 0 as archived, c.messages, ${millisecondsIn('c.listed_at')} as listed_at,
        c.read_only, c.id = any(t.default_channel_ids) as is_default
      from connected_channels c join connected_teams t on t.server_id = c.server_id and t.team_id = c.team_id
      where c.server_id = ${serverId} and c.team_id = ${teamId} and c.type in ('O', 'P')) as channels
    where ${search === '' ? sql`true` : sql`name ilike ${pattern}`}
      ${defaults ? sql`and is_default` : sql``} ${open ? sql`and type = 'O' and not archived` : sql``}
      ${after === undefined ? sql`` : sql`and (name collate "C", id) > (${after[0] ?? ''}, ${after[1] ?? ''})`}
    order by name collate "C", id limit ${limit}`.execute(db);
  return rows;
}

export async function findPublicChannels(trx: Trx, { serverId, teamId }: MappingKey, ids: readonly string[]) {
  const rows = await trx
    .selectFrom('connected_channels')
    .select('id')
    .where('server_id', '=', serverId)
    .where('team_id', '=', teamId)
    .where('type', '=', 'O')
    .where('id', '=', sql<string>`any(${[...ids]})`)
    .execute();
  return rows.map(({ id }) => id);
}
