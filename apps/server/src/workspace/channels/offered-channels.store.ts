import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import type { OfferedChannel } from './offered-channels.rules.ts';

/** The channels of the team with these ids, with the person's membership, in no order. */
export async function findOfferedChannels(
  db: Database | Trx,
  { teamId, personId, ids }: { teamId: string; personId: string; ids: readonly string[] },
): Promise<OfferedChannel[]> {
  return db
    .selectFrom('channels as c')
    .leftJoin('channel_members as j', (join) =>
      join.onRef('j.team_id', '=', 'c.team_id').onRef('j.channel_id', '=', 'c.id').on('j.person_id', '=', personId),
    )
    .select(['c.id', 'c.type', 'c.name', 'c.display_name', 'c.delete_at'])
    .select(sql<boolean>`j.person_id is not null`.as('has_joined'))
    .where('c.team_id', '=', teamId)
    .where(sql<boolean>`c.id = any(${ids})`)
    .execute();
}
