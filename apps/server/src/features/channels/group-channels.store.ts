import type { ChannelGroup } from '@steward/contract/channels/groups';
import { type RawBuilder, sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { matchesSearch } from '#platform/database/search.ts';
import { canJoin } from '#workspace/channels/channels.store.ts';

interface GroupPage {
  search: string;
  /** Name in lower case and id of the last group of the page before. */
  after: readonly string[] | undefined;
  limit: number;
}

/** By name. */
export function listGroups(
  db: Database,
  teamId: string,
  { search, after = [], limit }: GroupPage,
): Promise<(ChannelGroup & { sort: string })[]> {
  const [name = '', id = ''] = after;
  const isAfter = after.length === 0 ? sql`true` : sql`(lower(g.display_name) collate "C", g.id) > (${name}, ${id})`;
  return selectGroups(
    db,
    sql`g.team_id = ${teamId} and ${matchesSearch(sql`search_fold(g.display_name)`, search)} and ${isAfter}
      order by lower(g.display_name) collate "C", g.id limit ${limit}`,
  );
}

export async function findGroup(db: Database | Trx, teamId: string, id: string): Promise<ChannelGroup | undefined> {
  return (await selectGroups(db, sql`g.team_id = ${teamId} and g.id = ${id}`))[0];
}

async function selectGroups(db: Database | Trx, matches: RawBuilder<unknown>) {
  const { rows } = await sql<ChannelGroup & { sort: string }>`
    select g.id, g.display_name as name, coalesce(g.external_id, '') as external_id, lower(g.display_name) as sort,
      (select count(*)::int from scim_group_members b join scim_users s on s.team_id = b.team_id and s.id = b.user_id
        where b.team_id = g.team_id and b.group_id = g.id and s.person_id is not null) as members,
      (select coalesce(jsonb_agg(jsonb_build_object('channel_id', c.id, 'channel_name', c.display_name, 'type', c.type,
          'archived', c.delete_at > 0) order by lower(c.display_name), c.id), '[]')
        from group_channels h join channels c on c.team_id = h.team_id and c.id = h.channel_id
        where h.team_id = g.team_id and h.group_id = g.id) as channels
    from scim_groups g where ${matches}`.execute(db);
  return rows;
}

/** The caller has locked the team. */
export async function replaceGroupChannels(
  trx: Trx,
  { teamId, groupId }: { teamId: string; groupId: string },
  channelIds: readonly string[],
): Promise<void> {
  await trx.deleteFrom('group_channels').where('team_id', '=', teamId).where('group_id', '=', groupId).execute();
  if (channelIds.length === 0) return;
  await trx
    .insertInto('group_channels')
    .values(channelIds.map((channel_id) => ({ team_id: teamId, group_id: groupId, channel_id })))
    .execute();
}

export interface ChannelEffect {
  channel_id: string;
  channel_name: string;
  joining: number;
  leaving: number;
}

/** Counts who would join and leave the channels that the group has now or would have. */
export async function countEffects(
  db: Database,
  { teamId, groupId }: { teamId: string; groupId: string },
  channelIds: readonly string[],
): Promise<ChannelEffect[]> {
  const { rows } = await sql<ChannelEffect>`
    with grouped as materialized (
      select distinct m.person_id, ${canJoin} as can_join from scim_group_members b
      join scim_users s on s.team_id = b.team_id and s.id = b.user_id
      join memberships m on m.team_id = s.team_id and m.person_id = s.person_id
      where b.team_id = ${teamId} and b.group_id = ${groupId}
    ), others as materialized (
      select distinct g.channel_id, s.person_id from group_channels g
      join scim_group_members b on b.team_id = g.team_id and b.group_id = g.group_id
      join scim_users s on s.team_id = b.team_id and s.id = b.user_id
      where g.team_id = ${teamId} and g.group_id <> ${groupId}
        and g.channel_id in (select channel_id from group_channels where team_id = ${teamId} and group_id = ${groupId})
    ), concerned as (
      select c.id, c.display_name, c.delete_at, c.id = any(${[...channelIds]}) as is_wanted from channels c
      where c.team_id = ${teamId} and (c.id = any(${[...channelIds]})
        or exists (select 1 from group_channels g
          where g.team_id = c.team_id and g.group_id = ${groupId} and g.channel_id = c.id))
    )
    select c.id as channel_id, c.display_name as channel_name,
      case when not c.is_wanted or c.delete_at > 0 then 0 else (select count(*)::int from grouped p
        where p.can_join and not exists (select 1 from channel_members j
          where j.team_id = ${teamId} and j.channel_id = c.id and j.person_id = p.person_id)) end as joining,
      case when c.is_wanted then 0 else (select count(*)::int from channel_members j
        where j.team_id = ${teamId} and j.channel_id = c.id and j.reason = 'group'
          and not exists (select 1 from others o
            where o.channel_id = j.channel_id and o.person_id = j.person_id)) end as leaving
    from concerned c order by lower(c.display_name), c.id`.execute(db);
  return rows;
}
