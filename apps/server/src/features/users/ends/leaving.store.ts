import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { toMilliseconds } from '#platform/database/milliseconds.ts';
import { endsWithin } from '#workspace/users/active-members.store.ts';
import { nameInTeam } from '#workspace/users/users.store.ts';

export interface TeamWithLeaving {
  id: string;
  display_name: string;
  time_zone: string;
  /** By the clock of the database, in milliseconds. */
  now: number;
}

export async function listTeamsWithLeaving(db: Database, days: number): Promise<TeamWithLeaving[]> {
  const { rows } = await sql<TeamWithLeaving>`
    select t.id, t.display_name, t.time_zone, ${toMilliseconds(sql`now()`)} as now from teams t
    where t.id in (select m.team_id from memberships m where ${endsWithin(days, 'm')}) order by t.id`.execute(db);
  return rows;
}

/** The first of them by date, and the number of all. */
export async function listLeaving(
  trx: Trx,
  teamId: string,
  { days, limit }: { days: number; limit: number },
): Promise<{ rows: { name: string; ends_on: string }[]; total: number }> {
  const { rows } = await sql<{ name: string; ends_on: string; total: number }>`
    select ${nameInTeam({ team: 'm.team_id', user: 'm.person_id', users: 'p' })} as name, m.ends_on::text as ends_on,
      count(*) over ()::int as total
    from memberships m join people p on p.id = m.person_id where m.team_id = ${teamId} and ${endsWithin(days, 'm')}
    order by m.ends_at, m.person_id limit ${limit}`.execute(trx);
  return { rows, total: rows[0]?.total ?? 0 };
}
