import { setTimeout as delay } from 'node:timers/promises';
import type { Bench } from '../bench.ts';
import { type Client, openClient, timesDuring } from '../setup/load.ts';
import { signIn, startServer } from '../setup/server.ts';
import { type Figure, inTurns, percentile, ratioFigure, timed } from '../setup/statistics.ts';

const DAY_MS = 86_400_000;
const POLL_MS = 50;
const NIGHTS = 30;

const OF_PUBLIC = "team_id = $1 and channel_type = 'O'";
/** The condition of a rule for public channels. */
const REACHED = `${OF_PUBLIC} and create_at < $2`;

interface Reach {
  days: number;
  cutoff: number;
  count: number;
}

/** Finds the rule that deletes about a tenth of the messages. Teams of the bench are in UTC, and rules delete whole days. */
async function findReach({ database: { pool }, large: { id, messages } }: Bench): Promise<Reach> {
  const { rows } = await pool.query(
    `select create_at from messages where ${OF_PUBLIC} order by create_at, id offset $2 limit 1`,
    [id, Math.floor(messages / 10)],
  );
  const days = Math.floor((Date.now() - rows[0].create_at) / DAY_MS);
  const cutoff = (Math.floor(Date.now() / DAY_MS) - days) * DAY_MS;
  const counted = await pool.query(`select count(*)::int as count from messages where ${REACHED}`, [id, cutoff]);
  return { days, cutoff, count: counted.rows[0].count };
}

/** Saves a rule that takes effect immediately. Through the API, a stricter one waits for 24 hours. */
async function saveRule({ database: { pool }, large }: Bench, rule: object): Promise<void> {
  await pool.query(
    `insert into retention_policies (team_id, kind, rule, rule_saved_at) values ($1, 'public_channels', $2, clock_timestamp())
      on conflict (team_id, kind) do update set rule = $2, waiting = null, rule_saved_at = clock_timestamp(), saved_at = now()`,
    [large.id, rule],
  );
}

const ruleOf = ({ days }: Reach) => ({ value: 1, duration: { count: days, period: 'd' } });

/** Copies the reached messages, and returns a function that puts them back. */
async function copyReached({ database: { pool }, large }: Bench, { cutoff }: Reach): Promise<() => Promise<void>> {
  await pool.query('drop table if exists bench_reached');
  await pool.query('create unlogged table bench_reached as select * from messages limit 0');
  await pool.query(`insert into bench_reached select * from messages where ${REACHED}`, [large.id, cutoff]);
  return async () => {
    // Space is freed first, because the table would otherwise grow with each round.
    await pool.query('vacuum messages');
    // They are stored in the order in which they were written, as before.
    await pool.query('insert into messages select * from bench_reached order by create_at, id on conflict do nothing');
    await pool.query('vacuum (analyze) messages');
  };
}

/** One DELETE. It returns JSON because an archive needs every row as text, which takes several times as long as deleting it. */
async function removeReached({ database: { pool }, large }: Bench, { cutoff, count }: Reach): Promise<void> {
  const { rows } = await pool.query(
    `with taken as (delete from messages where ${REACHED} returning row_to_json(messages)::text as line)
      select count(*)::int as count, sum(length(line)) from taken`,
    [large.id, cutoff],
  );
  const deleted: number = rows[0].count;
  if (deleted !== count) throw new Error(`One DELETE removed ${deleted} of ${count} messages.`);
}

/** Measures a run that archives and deletes, and list calls of others during the run, against one DELETE that returns the rows as JSON. */
export async function purge(bench: Bench): Promise<Figure[]> {
  const { database, small, large, isQuick } = bench;
  const reach = await findReach(bench);
  const restore = await copyReached(bench, reach);
  await database.pool.query(
    `insert into retention_recovery (team_id, days, saved_by) values ($1, 7, '') on conflict (team_id) do update set days = 7`,
    [large.id],
  );
  await saveRule(bench, ruleOf(reach));
  await using server = await startServer(database);
  const list = { path: `/api/v4/admin/teams/${small.id}/users`, cookie: await signIn(server, small) };
  const cookie = await signIn(server, large);
  const run = () => runNow(openClient(server.port), { bench, cookie, count: reach.count });
  const remove = () => removeReached(bench, reach);
  const restored = (measure: () => Promise<number>) => () => restore().then(measure);
  const during = (work: () => Promise<unknown>) =>
    restored(async () => percentile(await timesDuring(server.port, list, work), 95));
  const rounds = isQuick ? 2 : 3;
  const pair = await inTurns(
    rounds,
    restored(async () => (await run()) / 1000),
    restored(async () => (await timed(remove)) / 1000),
  );
  // The list calls have separate runs, because they slow them down.
  const lists = await inTurns(rounds, during(run), during(remove));
  await saveRule(bench, { value: 0 });
  await restore();
  await database.pool.query('drop table bench_reached');
  const number = (rows: number) => rows.toLocaleString('en-US');
  return [
    ratioFigure(`archive and delete ${number(reach.count)} of ${number(large.messages)} messages`, pair, {
      is: 'one DELETE that returns JSON',
      unit: 's',
      max: 3,
    }),
    ratioFigure('p95 of list calls of others during a run', lists, { is: 'during the DELETE', unit: 'ms', max: 2 }),
  ];
}

/** Returns the milliseconds from Run now to the end of the run, by the database's clock. */
async function runNow(
  client: Client,
  { bench: { large }, cookie, count }: { bench: Bench; cookie: string; count: number },
): Promise<number> {
  const path = `/api/v4/admin/teams/${large.id}/retention`;
  const body = { kinds: ['public_channels'] };
  let [run] = (await client.json({ path: `${path}/run`, method: 'POST', cookie, body })).records;
  while (run.state === 'running') {
    await delay(POLL_MS);
    [run] = (await client.json({ path: `${path}/runs?kind=public_channels&limit=1`, cookie })).records;
  }
  client.close();
  if (run.state !== 'finished' || run.deleted !== count)
    throw new Error(`The run ${run.state} after ${run.deleted} of ${count} messages. ${run.note}`);
  return run.ended_at - run.started_at;
}

/** Measures the preview of a rule and the forecast of the next nights, against `count(*)`. */
export async function preview(bench: Bench): Promise<Figure[]> {
  const { database, large, rounds } = bench;
  const { pool } = database;
  // VACUUM allows index-only scans.
  await pool.query('vacuum (analyze) messages');
  const reach = await findReach(bench);
  await using server = await startServer(database);
  const cookie = await signIn(server, large);
  const client = openClient(server.port);
  const path = `/api/v4/admin/teams/${large.id}/retention`;
  const body = { public_channels: ruleOf(reach) };
  const ask = () => timed(() => client.json({ path: `${path}/preview`, method: 'POST', cookie, body }));
  const count = () =>
    timed(() => pool.query(`select count(*) from messages where ${REACHED}`, [large.id, reach.cutoff]));
  // The first call on each connection reads the catalogs.
  await ask();
  await count();
  const previewed = await inTurns(rounds, ask, count);
  const forecast = await inTurns(
    rounds,
    async () => {
      // A response is cached until a rule is saved.
      await saveRule(bench, ruleOf(reach));
      return timed(() => client.json({ path: `${path}/forecast?days=${NIGHTS}`, cookie }));
    },
    () => timed(() => pool.query(`select count(*) from messages where ${OF_PUBLIC}`, [large.id])),
  );
  await saveRule(bench, { value: 0 });
  client.close();
  const number = (rows: number) => rows.toLocaleString('en-US');
  return [
    ratioFigure(`preview of ${number(reach.count)} of ${number(large.messages)} messages`, previewed, {
      is: 'count(*) of the same',
      unit: 'ms',
      max: 1.5,
    }),
    ratioFigure(`forecast of ${NIGHTS} nights`, forecast, {
      is: 'count(*) of all in public channels',
      unit: 'ms',
      max: 4,
    }),
  ];
}
