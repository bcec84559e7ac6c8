import { setTimeout as delay } from 'node:timers/promises';
import { backUpMessages, dropBackup, restoreMessages } from '../content/messages.ts';
import { copyIn, copyOut, copyRows } from '../setup/copy.ts';
import { createWatch, signIn, vitals } from '../setup/processes.ts';
import { boundRow, type Row, ratioRow, short } from '../setup/report.ts';
import type { Bench } from '../setup/setup.ts';
import { measureInTurns, percentile, timed } from '../setup/statistics.ts';
import { withProbes } from './purge-probes.ts';
import { findNearestReach, type PublicReach, REACHED } from './reach.ts';
import { restoreLastRun, runNow, setRecovery, setRule } from './run-now.ts';

const GROWTH_MIB = 40;
const IDLE_MS = 2_000;

/** A run that archives what it deletes against COPY and one DELETE, and its restore against COPY into the indexed table. */
export async function retentionArchive(bench: Bench): Promise<Row[]> {
  const { database, team, server, messages } = bench;
  const reach = await findNearestReach(database, team, messages / 10);
  await backUpMessages(database, team, reach.cutoff);
  await setRecovery(bench, 7);
  await setRule(bench, { value: 1, duration: reach.duration });
  try {
    return await measure(bench, reach, await signIn(server, team));
  } finally {
    await setRule(bench, { value: 0 });
    await prepare(bench);
    await dropBackup(database);
  }
}

/** All messages are there, and none is held from an earlier restore. */
async function prepare({ database, team }: Bench): Promise<void> {
  await database.pool.query('delete from holds where team_id = $1', [team.id]);
  await restoreMessages(database, team);
}

async function measure(bench: Bench, reach: PublicReach, cookie: string): Promise<Row[]> {
  const { options, database, team, server, messages } = bench;
  const rounds = options.isQuick ? 3 : 5;
  const reached = REACHED.replace('$1', `'${team.id}'`).replace('$2', String(reach.cutoff));
  const query = `select * from messages where ${reached}`;
  await prepare(bench);
  const copied = await copyRows(database.url, query);
  const atRest = await vitals(server);
  const { time, worst } = createWatch(server);
  const archive = async () => {
    await prepare(bench);
    let took = 0;
    await time(async () => {
      took = await runNow(bench, cookie, reach.count);
    });
    return took / 1000;
  };
  const restore = async () => {
    let took = 0;
    await time(async () => {
      took = await restoreLastRun(bench, cookie, reach.count);
    });
    return took / 1000;
  };
  const archived = await measureInTurns(rounds, archive, async () => {
    await prepare(bench);
    const took = await timed(async () => {
      await copyOut(database.url, `copy (${query}) to stdout`);
      await database.pool.query(`delete from messages where ${reached}`);
    });
    return took / 1000;
  });
  const restored = await measureInTurns(
    rounds,
    async () => {
      await archive();
      return restore();
    },
    async () => {
      await prepare(bench);
      await database.pool.query(`delete from messages where ${reached}`);
      return (await timed(() => copyIn(database.url, 'copy messages from stdin', copied))) / 1000;
    },
  );
  const lists = await measureLists(bench, reach, cookie);
  const number = (rows: number) => rows.toLocaleString('en-US');
  const name = `archive of ${number(reach.count)} of ${number(messages)} messages`;
  return [
    ratioRow(`${name} and their deletion, against COPY and one DELETE`, { ...archived, unit: 's' }, { max: 1.6 }),
    ratioRow('the restore of the same, against COPY into the indexed table', { ...restored, unit: 's' }, { max: 2 }),
    boundRow('the same: server memory beyond that at rest', Math.max(0, worst.residentMiB - atRest.residentMiB), {
      max: GROWTH_MIB,
      unit: 'MiB',
      limit: `${short(worst.residentMiB)} MiB at most`,
    }),
    ratioRow('the same: p95 of list calls, against without', { ...lists, unit: 'ms' }, { max: 2 }),
  ];
}

/** How long list calls take while a run archives, and while nothing else works: of its own, because the calls slow the run down. */
async function measureLists(
  bench: Bench,
  reach: PublicReach,
  cookie: string,
): Promise<{ ours: number; limit: number }> {
  await prepare(bench);
  const idle = await withProbes({ ...bench, cookie, cutoff: 0 }, () => delay(IDLE_MS));
  const during = await withProbes({ ...bench, cookie, cutoff: reach.cutoff }, () => runNow(bench, cookie, reach.count));
  return { ours: percentile(during.seen.lists, 95), limit: percentile(idle.seen.lists, 95) };
}
