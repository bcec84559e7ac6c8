import type { RetentionRule } from '@steward/contract/retention/fields';
import { countAges, forecast } from '@steward/server/src/features/retention/foresight/foresight.actions.ts';
import { findTeamRules } from '@steward/server/src/workspace/retention/team-rules.store.ts';
import { type Row, ratioRow } from '../setup/report.ts';
import type { Bench } from '../setup/setup.ts';
import { measureInTurns, timed } from '../setup/statistics.ts';
import { findNearestReach } from './reach.ts';

const NIGHTS = 30;

/**
 * Ages of all messages in public channels, and a forecast of a rule that deletes a tenth of the team's messages, against
 * `count(*)` of all of them. Without the server, whose cache would answer every time but the first.
 */
export async function retentionForesight({ database, team, options, messages }: Bench): Promise<Row[]> {
  const { db, pool } = database;
  // For index-only scans despite what an earlier row wrote.
  await pool.query('vacuum (analyze) messages');
  const saved = await findTeamRules(db, team.id);
  if (saved === undefined) throw new Error('The team has no rules.');
  const { duration } = await findNearestReach(database, team, messages / 10);
  const current: RetentionRule = { value: 1, duration };
  const rules = { ...saved, byKind: { ...saved.byKind, public_channels: { current, scheduled: null } } };
  const limiter = <T>(work: () => Promise<T>) => work();
  const ages = () => countAges(db, { teamId: team.id, kind: 'public_channels', clock: 'own' }, rules);
  const ahead = () => forecast({ db, limiter }, { teamId: team.id, days: NIGHTS }, rules);
  const count = () => pool.query(`select count(*) from messages where team_id = $1 and channel_type = 'O'`, [team.id]);
  await Promise.all([ages(), ahead(), count()]);
  const compare = async (name: string, ours: () => Promise<unknown>, max: number) => {
    const pair = await measureInTurns(
      options.rounds,
      () => timed(ours),
      () => timed(count),
    );
    return ratioRow(`${name}, against count(*)`, { ...pair, unit: 'ms' }, { max });
  };
  return [
    await compare('retention ages of all public messages', ages, 3),
    await compare(`retention forecast of ${NIGHTS} nights`, ahead, 4),
  ];
}
