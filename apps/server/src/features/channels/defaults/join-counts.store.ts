import { sql } from 'kysely';
import type { Database } from '#platform/database/database.ts';
import { canJoin } from '#workspace/channels/channels.store.ts';

/** Counts of the members that some channels would get. */
export interface JoinCounts {
  /** Members who can join channels. */
  people: number;
  /** How many of them are in all of these channels already. */
  inAll: number;
  /** Number of them by channel id, without channels that have none. */
  inEach: Record<string, number>;
}

/** How many members of a team can join channels. */
export async function countPeople(db: Database, teamId: string): Promise<number> {
  const { rows } = await sql<{ people: number }>`select count(*)::int as people
    from memberships m where m.team_id = ${teamId} and ${canJoin}`.execute(db);
  return rows[0]?.people ?? 0;
}

/** Counts members of the channels: reads the team once, and only the members of the channels. */
export async function countJoiners(db: Database, teamId: string, channelIds: readonly string[]): Promise<JoinCounts> {
  const { rows } = await sql<{ people: number; in_all: number; in_each: Record<string, number> }>`
    with who as materialized (
      select m.person_id from memberships m
      where m.team_id = ${teamId} and ${canJoin}
    ), joined as materialized (
      select j.channel_id, j.person_id from channel_members j join who on who.person_id = j.person_id
      where j.team_id = ${teamId} and j.channel_id = any(${channelIds})
    )
    select (select count(*)::int from who) as people,
      (select count(*)::int from (select 1 from joined group by person_id having count(*) = ${channelIds.length}) complete)
        as in_all,
      (select coalesce(jsonb_object_agg(channel_id, people), '{}')
        from (select channel_id, count(*) as people from joined group by channel_id) of_channel) as in_each`.execute(
    db,
  );
  const { people = 0, in_all = 0, in_each = {} } = rows[0] ?? {};
  return { people, inAll: in_all, inEach: in_each };
}
