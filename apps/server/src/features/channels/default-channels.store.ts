import type { ChannelType } from '@steward/contract/channels';
import type { DefaultChannel } from '@steward/contract/channels/defaults';
import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { matchesSearch } from '#platform/database/search.ts';
import { GENERAL } from '#workspace/channels/channels.rules.ts';
import type { ChannelRow } from '#workspace/channels/channels.store.ts';
import type { Choice } from './default-channels.rules.ts';

/** The default channels of a team, general first, with their current state. */
export async function listDefaultChannels(db: Database, teamId: string): Promise<DefaultChannel[]> {
  const { rows } = await sql<DefaultChannel>`
    select channel_id, channel_name, type, state, general from (
      select id as channel_id, display_name as channel_name, type, true as general,
        case when delete_at = 0 then 'active' else 'archived' end as state
      from channels where team_id = ${teamId} and name = ${GENERAL}
      union all
      select d.channel_id, coalesce(c.display_name, d.channel_name), c.type, false,
        case when c.id is null then 'missing' when c.delete_at = 0 then 'active' else 'archived' end
      from default_channels d left join channels c on c.team_id = d.team_id and c.id = d.channel_id
      where d.team_id = ${teamId} and c.name is distinct from ${GENERAL}
    ) defaults order by general desc, lower(channel_name), channel_id`.execute(db);
  return rows;
}

/** Ids of the stored default channels in order, without general. */
export async function listDefaultIds(db: Database | Trx, teamId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('default_channels')
    .select('channel_id')
    .where('team_id', '=', teamId)
    .orderBy('channel_id')
    .execute();
  return rows.map(({ channel_id }) => channel_id);
}

/**
 * Replaces all default channels, with their current names. Rows are written in the order of their ids, in which a batch of
 * joining members locks them too.
 */
export async function replaceDefaults(
  trx: Trx,
  teamId: string,
  channels: readonly Pick<Choice, 'id' | 'display_name'>[],
): Promise<void> {
  const ids = channels.map(({ id }) => id);
  await sql`with gone as (
      select channel_id from default_channels where team_id = ${teamId} and not channel_id = any(${ids})
      order by channel_id for update
    ) delete from default_channels d using gone where d.team_id = ${teamId} and d.channel_id = gone.channel_id`.execute(
    trx,
  );
  await sql`insert into default_channels as d (team_id, channel_id, channel_name)
    select ${teamId}, * from unnest(${ids}::text[], ${channels.map(({ display_name }) => display_name)}::text[])
    on conflict (team_id, channel_id) do update set channel_name = excluded.channel_name
    where d.channel_name <> excluded.channel_name`.execute(trx);
}

/** Finds those that are still open default channels, and locks them until the transaction ends. */
export async function lockOpenDefaults(trx: Trx, teamId: string, ids: readonly string[]): Promise<string[]> {
  const rows = await trx
    .selectFrom('default_channels as d')
    .innerJoin('channels as c', (join) => join.onRef('c.team_id', '=', 'd.team_id').onRef('c.id', '=', 'd.channel_id'))
    .select('c.id')
    .where('d.team_id', '=', teamId)
    .where(sql<boolean>`d.channel_id = any(${ids})`)
    .where('c.delete_at', '=', 0)
    .where('c.type', 'in', ['O', 'P'])
    .orderBy('d.channel_id')
    .forKeyShare('d')
    .execute();
  return rows.map(({ id }) => id);
}

interface ChannelSearch {
  teamId: string;
  /** The caller. Only members of a private channel see more than its name. */
  userId: string;
  search: string;
  type: ChannelType | undefined;
  offset: number;
  limit: number;
}

/**
 * One page of the channels that an admin can choose from: general first, then by name. Everything but the name of a private
 * channel is shown to its members only.
 */
export async function listChannels(db: Database, query: ChannelSearch): Promise<ChannelRow[]> {
  const { teamId, userId, search, type = null, offset, limit } = query;
  const { rows } = await sql<ChannelRow>`
    select c.id, c.team_id, c.type, c.name, c.display_name,
      case when ${isOpen} then c.header else '' end as header, case when ${isOpen} then c.purpose else '' end as purpose,
      case when ${isOpen} then c.creator_id else '' end as creator_id, case when ${isOpen} then c.create_at else 0 end as create_at,
      case when ${isOpen} then c.update_at else 0 end as update_at, c.delete_at,
      case when ${isOpen} then c.last_post_at else 0 end as last_post_at
    from channels c
    left join channel_members j on j.team_id = c.team_id and j.channel_id = c.id and j.person_id = ${userId}
    where c.team_id = ${teamId} and c.delete_at = 0 and c.type <> 'D'
      and (${type}::text is null or c.type = ${type}) and ${matchesSearch(names, search)}
    order by c.name = ${GENERAL} desc, lower(c.display_name), c.id limit ${limit} offset ${offset}`.execute(db);
  return rows;
}

const isOpen = sql`(c.type = 'O' or j.person_id is not null)`;

const names = sql`search_fold(c.display_name || e'\\n' || c.name)`;
