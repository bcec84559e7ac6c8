import type { ConnectedChannelType, ReadOnly } from '@steward/contract/connections/fields';
import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';

export interface ChannelToRead {
  id: string;
  type: ConnectedChannelType;
  team_id: string;
  list_began_at: number;
  listed_at: number;
  hint: string;
  read_only: ReadOnly;
  /** An open order names messages of it, and the last list began before the order or more than `LIST_HOURS` ago. */
  needed: boolean;
}

/** A permit needs a complete list of its channel that began after the order, and at most this many hours ago. */
export const LIST_HOURS = 6;

const began = (alias: string) =>
  sql`coalesce((extract(epoch from ${sql.ref(`${alias}.list_began_at`)}) * 1000)::bigint, 0)`;

const isNeeded = sql<boolean>`c.read_only = '' and exists (select 1 from connected_orders o where o.server_id = c.server_id
    and o.team_id = c.team_id and o.state = 'open'
    and (c.list_began_at is null or c.list_began_at < o.opened_at
      or c.list_began_at < clock_timestamp() - make_interval(hours => ${LIST_HOURS}))
    and exists (select 1 from connected_order_rows r where r.order_id = o.id and r.channel_id = c.id and r.outcome = ''))`;

/** The next channels after `after`: those that an order needs, then by the begin of their last list. */
export async function listChannelsToRead(
  db: Database,
  serverId: string,
  { after, limit }: { after: readonly string[] | undefined; limit: number },
): Promise<ChannelToRead[]> {
  const [needed = '', at = '0', id = ''] = after ?? [];
  const isAfter = after
    ? sql`where (not needed, list_began_at, id) > (${needed !== 'needed'}, ${Number(at)}, ${id})`
    : sql``;
  const { rows } = await sql<ChannelToRead>`select * from (
      select c.id, c.type, c.remote_team_id as team_id, ${began('c')} as list_began_at, c.hint,
        c.read_only,
        coalesce((extract(epoch from c.listed_at) * 1000)::bigint, 0) as listed_at,
        ${isNeeded} as needed
      from connected_channels c join connected_teams t on t.server_id = c.server_id and t.team_id = c.team_id
      where c.server_id = ${serverId} and t.accepted_at is not null) as channels
    ${isAfter} order by not needed, list_began_at, id limit ${limit}`.execute(db);
  return rows;
}

/** True if all channels of the team are known, and all of their messages were listed at least once, unless the server refuses that. */
export async function isFilled(
  db: Database | Trx,
  { serverId, teamId }: { serverId: string; teamId: string },
): Promise<boolean> {
  const { rows } = await sql<{ is_filled: boolean }>`select s.channels_listed_at is not null
      and s.users_listed_at is not null and not exists (select 1 from connected_channels c
        where c.server_id = s.id and c.team_id = ${teamId} and c.listed_at is null and c.read_only = '') as is_filled
    from connected_servers s where s.id = ${serverId}`.execute(db);
  return rows[0]?.is_filled ?? false;
}
