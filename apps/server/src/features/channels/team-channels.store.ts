import { type RawBuilder, sql } from 'kysely';
import type { Database } from '#platform/database/database.ts';
import { toLikePattern } from '#platform/database/search-plan.ts';
import { GENERAL } from '#workspace/access/channel-access.rules.ts';
import type { ChannelRow } from '#workspace/channels/channels.store.ts';

/** A search for channels of a team. */
interface ChannelSearch {
  teamId: string;
  /** The caller: private channels are listed only for their members. */
  personId: string;
  search: string;
  offset: number;
  limit: number;
}

/** One page of the channels that the caller can choose from: general first, then by name. */
export async function listChannels(db: Database, query: ChannelSearch): Promise<ChannelRow[]> {
  const { teamId, personId, search, offset, limit } = query;
  const { rows } = await sql<ChannelRow>`
    select c.id, c.team_id, c.type, c.name, c.display_name, c.header, c.purpose, c.creator_id, c.create_at, c.update_at,
      c.delete_at, c.last_post_at
    from channels c
    where c.team_id = ${teamId} and c.delete_at = 0 and ${matches(search)} and (c.type = 'O' or c.type = 'P' and exists (
      select 1 from channel_members j
      where j.team_id = c.team_id and j.channel_id = c.id and j.person_id = ${personId}))
    order by c.name = ${GENERAL} desc, lower(c.display_name), c.id limit ${limit} offset ${offset}`.execute(db);
  return rows;
}

function matches(search: string): RawBuilder<unknown> {
  if (search === '') return sql`true`;
  return sql`(search_fold(c.display_name) like ${toLikePattern(search)} or search_fold(c.name) like ${toLikePattern(search)})`;
}
