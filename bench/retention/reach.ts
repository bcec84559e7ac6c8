import type { Duration } from '@steward/contract/retention/fields';
import { computeCutoff } from '@steward/server/src/workspace/retention/cutoff.rules.ts';
import type { BenchDatabase, Team } from '../setup/database.ts';

/** What a rule deletes among the team's messages in public channels. */
export interface PublicReach {
  duration: Duration;
  cutoff: number;
  count: number;
}

const OF_PUBLIC = "team_id = $1 and channel_type = 'O'";
/** The condition of a rule for public channels; $1 is the team, $2 the cutoff. */
export const REACHED = `${OF_PUBLIC} and create_at < $2`;

/** What a rule of that many days deletes today. The bench's teams are in UTC. */
export async function measureReach({ pool }: BenchDatabase, team: Team, days: number): Promise<PublicReach> {
  const duration: Duration = { count: days, period: 'd' };
  const cutoff = computeCutoff(duration, Date.now(), 'UTC');
  if (cutoff === null) throw new Error(`${days} days are no duration.`);
  const { rows } = await pool.query(`select count(*)::int as count from messages where ${REACHED}`, [team.id, cutoff]);
  return { duration, cutoff, count: rows[0].count };
}

/** The rule that deletes the number of messages nearest to `wanted`. */
export async function findNearestReach(database: BenchDatabase, team: Team, wanted: number): Promise<PublicReach> {
  const { rows } = await database.pool.query(
    `select create_at from messages where ${OF_PUBLIC} order by create_at, id offset $2 limit 1`,
    [team.id, wanted],
  );
  if (!rows[0]) throw new Error(`The team has fewer than ${wanted} messages in public channels.`);
  const days = Math.floor((Date.now() - rows[0].create_at) / 86_400_000);
  const one = await measureReach(database, team, days);
  const other = await measureReach(database, team, days + 1);
  return Math.abs(one.count - wanted) < Math.abs(other.count - wanted) ? one : other;
}
