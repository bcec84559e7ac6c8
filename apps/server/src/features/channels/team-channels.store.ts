import type { ChannelType } from '@steward/contract/channels';
import { sql } from 'kysely';
import type { Database } from '#platform/database/database.ts';
import { matchesSearch } from '#platform/database/search.ts';
import { GENERAL } from '#workspace/channels/channels.rules.ts';
import type { ChannelRow } from '#workspace/channels/channels.store.ts';

/** A search for channels of a team. */
interface ChannelSearch {
  teamId: string;
  /** The caller: only its members see more of a private channel than its name. */
  personId: string;
  search: string;
  /** Of this type only. */
  type: ChannelType | undefined;
  offset: number;
  limit: number;
}

/**
 * One page of the channels that an admin can choose from: general first, then by name. What else is stored of a private
 * channel is shown to its members only.
 */
export async function listChannels(db: Database, query: ChannelSearch): Promise<ChannelRow[]> {
  const { teamId, personId, search, type = null, offset, limit } = query;
  const { rows } = await sql<ChannelRow>`
    select c.id, c.team_id, c.type, c.name, c.display_name,
      case when ${isOpen} then c.header else '' end as header, case when ${isOpen} then c.purpose else '' end as purpose,
      case when ${isOpen} then c.creator_id else '' end as creator_id, case when ${isOpen} then c.create_at else 0 end as create_at,
      case when ${isOpen} then c.update_at else 0 end as update_at, c.delete_at,
      case when ${isOpen} then c.last_post_at else 0 end as last_post_at
    from channels c
    left join channel_members j on j.team_id = c.team_id and j.channel_id = c.id and j.person_id = ${personId}
    where c.team_id = ${teamId} and c.delete_at = 0 and c.type <> 'D'
      and (${type}::text is null or c.type = ${type}) and ${matchesSearch(names, search)}
    order by c.name = ${GENERAL} desc, lower(c.display_name), c.id limit ${limit} offset ${offset}`.execute(db);
  return rows;
}

const isOpen = sql`(c.type = 'O' or j.person_id is not null)`;

const names = sql`search_fold(c.display_name || e'\\n' || c.name)`;
