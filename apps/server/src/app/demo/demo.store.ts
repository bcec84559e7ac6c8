import type { ChannelType } from '@steward/contract/channels';
import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';

/** Key of the advisory lock for creating the demo workspace; an arbitrary unused number. */
const LOCK = 7_314_207;
/** Maximum number of authors per channel of generated messages. */
const CHANNEL_AUTHORS_MAX = 50;

/**
 * Reserves the creation of the demo workspace until the commit; false if another node is creating it. It doesn't wait,
 * because that could exceed the lock timeout.
 */
export async function lockDemo(trx: Trx): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`select pg_try_advisory_xact_lock(${LOCK}) as locked`.execute(trx);
  return rows[0]?.locked ?? false;
}

/** The unarchived channels with these ids, or all of the team, each with some of its members. */
export async function listStage(
  db: Database | Trx,
  teamId: string,
  ids: readonly string[] | undefined,
): Promise<{ id: string; type: ChannelType; members: string[] }[]> {
  const { rows } = await sql<{ id: string; type: ChannelType; members: string[] }>`
    select c.id, c.type, array(select j.person_id from channel_members j
      where j.team_id = c.team_id and j.channel_id = c.id order by j.person_id limit ${CHANNEL_AUTHORS_MAX}) as members
    from channels c where c.team_id = ${teamId} and c.delete_at = 0
      and ${ids === undefined ? sql`true` : sql`c.id = any(${ids})`} order by c.id`.execute(db);
  return rows;
}
