import type { ChannelType } from '@steward/contract/channels';
import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { isIntegrationMember } from '#workspace/people/members/managers.store.ts';

/** Most people of a team, and of a channel, who write generated content. */
const PEOPLE = 500;
const OF_CHANNEL = 50;

/** People of the team who can sign in. */
export async function listPeople(db: Database | Trx, teamId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('memberships as m')
    .innerJoin('people as p', 'p.id', 'm.person_id')
    .select('p.id')
    .where('m.team_id', '=', teamId)
    .where('m.deactivated', '=', false)
    .where(sql<boolean>`not ${isIntegrationMember}`)
    .orderBy('p.id')
    .limit(PEOPLE)
    .execute();
  return rows.map(({ id }) => id);
}

/** Channels of the team that are not archived, with some of their members: those with these ids, or all. */
export async function listStage(
  db: Database | Trx,
  teamId: string,
  ids: readonly string[] | undefined,
): Promise<{ id: string; type: ChannelType; members: string[] }[]> {
  const { rows } = await sql<{ id: string; type: ChannelType; members: string[] }>`
    select c.id, c.type, array(select j.person_id from channel_members j
      where j.team_id = c.team_id and j.channel_id = c.id order by j.person_id limit ${OF_CHANNEL}) as members
    from channels c where c.team_id = ${teamId} and c.delete_at = 0
      and ${ids === undefined ? sql`true` : sql`c.id = any(${ids})`} order by c.id`.execute(db);
  return rows;
}

/** Which of these files the team has. */
export async function listFileIds(db: Database, teamId: string, ids: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('files')
    .select('id')
    .where('team_id', '=', teamId)
    .where('id', '=', sql<string>`any(${ids})`)
    .execute();
  return rows.map(({ id }) => id);
}
