import assert from 'node:assert/strict';
import { EventEmitter, on } from 'node:events';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { z } from 'zod';
import { inTransaction } from '#platform/database/database.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { retryNow, settled } from '#testing/faults/wait-for-jobs.ts';
import { TIME_SCALE } from '#testing/system/time-scale.ts';
import { DEAD_LETTERS, defineJob, defineWorker } from './jobs.ts';

const echo = defineJob({ name: 'test.echo', payload: z.object({ text: z.string() }), retries: 2, retrySeconds: 1 });
const poison = defineJob({ name: 'test.poison', payload: z.object({ text: z.string() }), retries: 1, retrySeconds: 1 });

const done = new EventEmitter();
const seen: { text: string; attempt: number }[] = [];
let failing = new Set<string>();

let node: TestApp;
let second: TestApp;

const handle = async ({ text }: { text: string }, meta: { attempt: number }) => {
  seen.push({ text, attempt: meta.attempt });
  done.emit('seen');
  if (failing.has(text)) throw new Error(`cannot do ${text}`);
};

beforeAll(async () => {
  const workers = () => [defineWorker(echo, handle), defineWorker(poison, handle)] as never[];
  node = await startApp({ workers });
  second = await startApp({ beside: node, workers });
});

afterAll(async () => {
  await second[Symbol.asyncDispose]();
  await node[Symbol.asyncDispose]();
});

const send = (job: typeof echo, text: string, on = node) =>
  inTransaction(on.db, (trx) => on.deps.jobs.send(trx, job, { text }));

async function until(condition: () => boolean): Promise<void> {
  const events = on(done, 'seen', { signal: AbortSignal.timeout(15_000 * TIME_SCALE) });
  while (!condition()) await events.next();
}

const times = (prefix: string) => seen.filter(({ text }) => text.startsWith(prefix));

test('a job runs once, on either of two nodes', async () => {
  for (let i = 0; i < 40; i += 1) await send(echo, `once ${i}`, i % 2 ? node : second);
  await until(() => new Set(times('once').map(({ text }) => text)).size === 40);
  await settled(node);
  assert.equal(times('once').length, 40);
});

test('a long queue is processed continuously, not one job per poll', async () => {
  await inTransaction(node.db, async (trx) => {
    for (let i = 0; i < 60; i += 1) await node.deps.jobs.send(trx, echo, { text: `many ${i}` });
  });
  // With one job per poll of five seconds, this would take minutes and hit the limit of `until`.
  await until(() => times('many').length === 60);
});

test('a job of a transaction that was rolled back does not exist', async () => {
  const failed = inTransaction(node.db, async (trx) => {
    await node.deps.jobs.send(trx, echo, { text: 'rolled back' });
    throw new Error('changed my mind');
  });
  await assert.rejects(failed, /changed my mind/);
  await send(echo, 'after it');
  await until(() => times('after it').length === 1);
  await settled(node);
  assert.deepEqual(times('rolled back'), []);
});

test('an invalid payload is rejected when it is sent', async () => {
  await assert.rejects(inTransaction(node.db, (trx) => node.deps.jobs.send(trx, echo, { text: 7 } as never)));
});

test("a failed job is retried, doesn't delay others, and completes once it succeeds", async () => {
  failing = new Set(['again 1']);
  await inTransaction(node.db, async (trx) => {
    for (let i = 0; i < 3; i += 1) await node.deps.jobs.send(trx, echo, { text: `again ${i}` });
  });
  await until(() => times('again').length >= 3);
  failing = new Set();
  await retryNow(node);
  await until(() => times('again 1').length >= 2);
  await settled(node);
  assert.deepEqual(
    times('again 1').map(({ attempt }) => attempt),
    [1, 2],
  );
  assert.deepEqual([times('again 0').length, times('again 2').length], [1, 1]);
});

test('a job that always fails ends in the dead letters, is logged as such, and others continue', async () => {
  failing = new Set(['hopeless']);
  await send(poison, 'hopeless');
  await until(() => times('hopeless').length === 1);
  await retryNow(node);
  await until(() => times('hopeless').length === 2);
  await send(poison, 'fine');
  await until(() => times('fine').length === 1);
  await settled(node);
  const { rows } = await sql<{ data: unknown }>`select data from pgboss.job where name = ${DEAD_LETTERS}`.execute(
    node.db,
  );
  assert.deepEqual(rows, [{ data: { text: 'hopeless' } }]);
  const log = [...node.log, ...second.log];
  assert.ok(log.some((line) => line.includes('job failed permanently') && line.includes('test.poison')));
  assert.ok(log.some((line) => line.includes('will be retried')));
});

test('a start changes only queues and schedules that differ from what their jobs say', async () => {
  const stored = async () => {
    const { rows } = await sql<{ name: string; retry_limit: number; updated: string; cron: string | null; at: string }>`
      select name, retry_limit, q.updated_on::text as updated, cron, s.updated_on::text as at
      from pgboss.queue q left join pgboss.schedule s using (name) where name like 'test.kept%' order by name`.execute(
      node.db,
    );
    return rows;
  };
  const payload = z.object({});
  const kept = { name: 'test.kept', payload, retries: 2, retrySeconds: 1, retryMaxSeconds: 60, schedule: '1 2 * * *' };
  const changed = { ...kept, name: 'test.kept.not' };
  const startWith = async (jobs: readonly ReturnType<typeof defineJob>[]) => {
    const workers = () => jobs.map((job) => defineWorker(job, async () => undefined)) as never[];
    await using _ = await startApp({ beside: node, workers });
  };
  await startWith([kept, changed]);
  const [first, firstChanged] = await stored();
  assert.deepEqual([first?.cron, firstChanged?.retry_limit], ['1 2 * * *', 2]);
  await startWith([kept, { ...changed, retries: 3, schedule: '3 4 * * *' }]);
  const [second, secondChanged] = await stored();
  assert.deepEqual(second, first);
  assert.deepEqual([secondChanged?.retry_limit, secondChanged?.cron], [3, '3 4 * * *']);
});

test('a node without workers creates the queues, leaves the schedules to the workers, and needs one connection', async () => {
  const job = defineJob({ name: 'test.elsewhere', schedule: '1 2 * * *' });
  await using web = await startApp({ work: false, workers: () => [defineWorker(job, async () => undefined)] });
  // pg-boss creates the second queue when it watches the schedules itself.
  const { rows } = await sql<{ queues: string[]; schedules: number; connections: number }>`
    select array(select name from pgboss.queue where name in (${job.name}, '__pgboss__send-it')) as queues,
      (select count(*)::int from pgboss.schedule) as schedules,
      (select count(*)::int from pg_stat_activity
        where datname = current_database() and application_name = 'steward jobs') as connections`.execute(web.db);
  assert.deepEqual(rows, [{ queues: [job.name], schedules: 0, connections: 1 }]);
});

describe('a stop', () => {
  const slow = defineJob({ name: 'test.slow' });

  /** A node that runs one job, which continues until `end` is resolved. */
  async function startSlow(end: (own: TestApp) => Promise<unknown>) {
    const { promise: started, resolve: begin } = Promise.withResolvers<void>();
    const handle = async () => {
      begin();
      await end(own);
    };
    const own = await startApp({ pool: 2, workers: () => [defineWorker(slow, handle)] });
    await inTransaction(own.db, (trx) => own.deps.jobs.send(trx, slow, {}));
    await started;
    return own;
  }

  const readState = async (own: TestApp) =>
    (await sql<{ state: string }>`select state from pgboss.job where name = ${slow.name}`.execute(own.db)).rows[0]
      ?.state;

  test('waits until a running job has ended', async () => {
    await using own = await startSlow(async ({ db, deps }) => {
      // A stop that doesn't wait would be over before the last of these.
      for (let left = 200; left > 0; left -= deps.jobs.isStopping() ? 1 : 0) await sql`select 1`.execute(db);
    });
    await own.deps.jobs.stop();
    assert.equal(await readState(own), 'completed');
  });

  test('leaves a job to another node when its time is over', async () => {
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    await using own = await startSlow(() => ended);
    await own.deps.jobs.stop(1);
    assert.equal(await readState(own), 'retry');
    end();
  });
});
