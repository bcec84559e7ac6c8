import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import type { OfferedChannel } from './offered-channels.rules.ts';

/** The channels of the team with these ids, with the person's membership, in no order. */
export async function findOfferedChannels(
  db: Database | Trx,
  { teamId, personId, ids }: { teamId: string; personId: string; ids: readonly string[] },
): Promise<OfferedChannel[]> {
  const { rows } = await sql<OfferedChannel>`
    select c.id, c.type, c.name, c.display_name, c.delete_at, j.person_id is not null as has_joined
    from channels c
    left join channel_members j on j.team_id = c.team_id and j.channel_id = c.id and j.person_id = ${personId}
    where c.team_id = ${teamId} and c.id = any(${ids})`.execute(db);
  return rows;
}
