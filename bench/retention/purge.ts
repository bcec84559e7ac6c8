import { setTimeout as delay } from 'node:timers/promises';
import { backUpMessages, dropBackup, restoreMessages } from '../content/messages.ts';
import { signIn } from '../setup/processes.ts';
import { boundRow, type Row, ratioRow, short } from '../setup/report.ts';
import type { Bench } from '../setup/setup.ts';
import { measureInTurns, type Pair, percentile, timed } from '../setup/statistics.ts';
import { type ProbeTimes, withProbes } from './purge-probes.ts';
import { findNearestReach, type PublicReach, REACHED } from './reach.ts';
import { runNow, setRecovery, setRule } from './run-now.ts';

const IDLE_MS = 2_000;
const WAIT_MS = 100;

/** Run now over a tenth of many messages, against one DELETE of the same rows, and the effect of each on other calls. */
export async function retentionPurge(bench: Bench): Promise<Row[]> {
  const { database, team, server, messages } = bench;
  const reach = await findNearestReach(database, team, messages / 10);
  await backUpMessages(database, team, reach.cutoff);
  // As it was before there were archives: these have rows of their own.
  await setRecovery(bench, 0);
  await setRule(bench, { value: 1, duration: reach.duration });
  try {
    const cookie = await signIn(server, team);
    return [...(await measureRows(bench, reach, cookie)), await measureWithHolds(bench, reach, cookie)];
  } finally {
    await setRule(bench, { value: 0 });
    await restoreMessages(database, team);
    await dropBackup(database);
  }
}

async function measureRows(bench: Bench, reach: PublicReach, cookie: string): Promise<Row[]> {
  const { options, messages, database, team } = bench;
  const { cutoff, count } = reach;
  const watch = { ...bench, cookie, cutoff };
  const idle = noTimes();
  const during = { ours: noTimes(), bare: noTimes() };
  const side = async (into: ProbeTimes, work: () => Promise<number>) => {
    await restoreMessages(database, team);
    const quiet = await withProbes({ ...watch, cutoff: 0 }, () => delay(IDLE_MS));
    collect(quiet.seen, idle);
    const { result, seen } = await withProbes(watch, work);
    collect(seen, into);
    return result / 1000;
  };
  const pair = await measureInTurns(
    options.isQuick ? 3 : 5,
    () => side(during.ours, () => runNow(bench, cookie, count)),
    () => side(during.bare, () => deleteAll(bench, reach)),
  );
  return getRows({ reach, messages, pair, idle, during });
}

/** The same purge with many holds, whose users wrote none of the messages: each row is looked for in their lists. */
async function measureWithHolds(bench: Bench, reach: PublicReach, cookie: string): Promise<Row> {
  const { database, team, options } = bench;
  const side = async (holds: number) => {
    await restoreMessages(database, team);
    await setHolds(bench, holds);
    return (await runNow(bench, cookie, reach.count)) / 1000;
  };
  try {
    const pair = await measureInTurns(
      options.isQuick ? 3 : 5,
      () => side(HOLDS),
      () => side(0),
    );
    const name = `the same with ${HOLDS} holds that name 10,000 users, against without`;
    return ratioRow(name, { ...pair, unit: 's' }, { max: 1.3 });
  } finally {
    await setHolds(bench, 0);
  }
}

const HOLDS = 100;

/** Replaces the holds of the team: each names a hundred users and has dates of its own. */
async function setHolds({ database: { pool }, team }: Bench, count: number): Promise<void> {
  await pool.query('delete from holds where team_id = $1', [team.id]);
  await pool.query(
    `insert into holds (team_id, id, name, reason, from_at, has_people, has_channels)
    select $1, lpad(n::text, 26, 'h'), 'Hold', 'Case', n, true, false from generate_series(1, $2::int) n`,
    [team.id, count],
  );
  await pool.query(
    `insert into hold_people (team_id, person_id, hold_id)
    select $1, lpad((n * 1000 + m)::text, 26, 'p'), lpad(n::text, 26, 'h')
    from generate_series(1, $2::int) n, generate_series(1, 100) m`,
    [team.id, count],
  );
  await pool.query('analyze hold_people');
}

interface Measured {
  reach: PublicReach;
  messages: number;
  pair: Pair;
  idle: ProbeTimes;
  during: { ours: ProbeTimes; bare: ProbeTimes };
}

function getRows({ reach, messages, pair, idle, during }: Measured): Row[] {
  const number = (rows: number) => rows.toLocaleString('en-US');
  const name = `retention purge of ${number(reach.count)} of ${number(messages)} messages`;
  const p99 = (seen: ProbeTimes) => percentile(seen.lists, 99);
  const longest = (seen: ProbeTimes, what: 'changes' | 'additions') => short(Math.max(...seen[what]));
  const wait = (row: string, what: 'changes' | 'additions', limit: string) =>
    boundRow(row, Math.max(...during.ours[what]), { max: WAIT_MS, unit: 'ms', limit });
  const lists = { ours: p99(during.ours), limit: p99(idle), unit: 'ms' };
  const changed = `${longest(during.bare, 'changes')} ms during one DELETE`;
  const added = `${longest(during.bare, 'additions')} ms during one DELETE, ${longest(idle, 'additions')} ms without`;
  return [
    ratioRow(`${name}, against one DELETE`, { ...pair, unit: 's' }, { max: 1.6 }),
    ratioRow('the same: p99 of list calls, against without', lists, { max: 2 }),
    wait('the same: longest wait to change the message deleted next', 'changes', changed),
    wait('the same: longest wait to add a message', 'additions', added),
    { row: 'p99 of list calls during one DELETE', ours: '', limit: `${short(p99(during.bare))} ms`, target: '' },
  ];
}

function noTimes(): ProbeTimes {
  return { lists: [], changes: [], additions: [] };
}

function collect(seen: ProbeTimes, into: ProbeTimes): void {
  for (const what of ['lists', 'changes', 'additions'] as const) into[what].push(...seen[what]);
}

async function deleteAll({ database, team }: Bench, { cutoff, count }: PublicReach): Promise<number> {
  let deleted: number | null = 0;
  const took = await timed(async () => {
    deleted = (await database.pool.query(`delete from messages where ${REACHED}`, [team.id, cutoff])).rowCount;
  });
  if (deleted !== count) throw new Error(`One DELETE removed ${deleted} of ${count} messages.`);
  return took;
}
