import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterEach, beforeEach, test } from 'vitest';
import type { Refusal } from '#platform/http/errors.ts';
import type { HostileTask } from '#testing/faults/hostile-thread.ts';
import { TaskEnded } from './task-thread.ts';
import { createWorkerPool, type PoolOptions, type WorkerPool } from './worker-pool.ts';

const OPTIONS: PoolOptions = {
  file: new URL('../../../testing/faults/hostile-thread.ts', import.meta.url),
  threads: 1,
  taskMs: 300,
  heapMb: 32,
  waitingPerKey: 8,
  tooMany: 'Too many.',
  waitMs: 60_000,
  idleMs: 60_000,
};
const isEnded = (reason: TaskEnded['reason']) => (error: unknown) =>
  error instanceof TaskEnded && error.reason === reason;
const isRefused = (status: number) => (error: unknown) => (error as Refusal).status === status;

let pools: WorkerPool<HostileTask, unknown>[] = [];
const createPool = (options: Partial<PoolOptions> = {}) => {
  const pool = createWorkerPool<HostileTask, unknown>({ ...OPTIONS, ...options });
  pools.push(pool);
  return pool;
};

/** Sends a task again while it waits too long, as it does while a thread starts on a slow machine. */
async function answered(pool: WorkerPool<HostileTask, unknown>): Promise<unknown> {
  for (;;) {
    const id = await pool.run('b', 'id').catch((error) => (isRefused(503)(error) ? undefined : Promise.reject(error)));
    if (id !== undefined) return id;
  }
}

beforeEach(() => {
  pools = [];
});
afterEach(() => Promise.all(pools.map((pool) => pool.close())));

test('a thread answers one task after another, and has no environment', async () => {
  const pool = createPool();
  const first = await pool.run('a', 'id');
  assert.equal(await pool.run('b', 'id'), first);
  assert.deepEqual(await pool.run('a', 'environment'), []);
});

test('an error of a task reaches its caller, and the thread is reused', async () => {
  const pool = createPool();
  const first = await pool.run('a', 'id');
  await assert.rejects(pool.run('a', 'throw'), /thrown by the task/);
  assert.equal(await pool.run('a', 'id'), first);
});

test('an endless task is ended, the process stays responsive, and the thread is replaced', async () => {
  const pool = createPool();
  const first = await pool.run('a', 'id');
  const order: string[] = [];
  const endless = pool.run('a', 'loop').catch((error) => {
    order.push('ended');
    return error;
  });
  setImmediate(() => order.push('event'));
  assert.ok(isEnded('time')(await endless));
  assert.deepEqual(order, ['event', 'ended']);
  assert.notEqual(await pool.run('a', 'id'), first);
});

test('a task that doesn’t get the processor is not ended', async () => {
  const pool = createPool({ taskMs: 100 });
  assert.equal(typeof (await pool.run('a', 'starve')), 'number');
});

test('a task that needs too much memory is ended, and its thread is replaced', async () => {
  const pool = createPool({ taskMs: 60_000 });
  await assert.rejects(pool.run('a', 'fill'), isEnded('memory'));
  assert.equal(typeof (await pool.run('a', 'id')), 'number');
});

test('a thread that crashes in a task, or after one, is replaced', async () => {
  const pool = createPool();
  await assert.rejects(pool.run('a', 'exit'), /ended unexpectedly/);
  const first = await pool.run('a', 'id');
  // If it crashes before the result is read, there is none.
  await pool.run('a', 'fail later').catch(() => undefined);
  let id: unknown = first;
  while (id === first) id = await pool.run('a', 'id').catch(() => first);
  assert.equal(typeof id, 'number');
});

test('a thread that cannot be started fails the task, and nothing else', async () => {
  const pool = createPool({ file: new URL('./missing.ts', import.meta.url) });
  for (const key of ['a', 'b']) await assert.rejects(pool.run(key, 'id'), /missing\.ts/);
});

test('one task of a key is worked on at a time, so that others have a thread', async () => {
  const pool = createPool({ threads: 2, taskMs: 60_000 });
  const endless = [pool.run('a', 'loop'), pool.run('a', 'loop')].map((each) => each.catch(() => 'closed'));
  assert.equal(typeof (await pool.run('b', 'id')), 'number');
  await pool.close();
  assert.deepEqual(await Promise.all(endless), ['closed', 'closed']);
});

test('keys take turns, however much one of them sends', async () => {
  const pool = createPool({ waitingPerKey: 20 });
  const order: string[] = [];
  const send = (key: string) => pool.run(key, 'id').then(() => order.push(key));
  await Promise.all([...Array.from({ length: 4 }, () => send('a')), send('b'), send('b'), send('c')]);
  assert.deepEqual(order, ['a', 'a', 'b', 'c', 'a', 'b', 'a']);
});

test('eight tasks of a key wait, more are refused, and other keys are not concerned', async () => {
  const pool = createPool();
  const sent = Array.from({ length: 9 }, () => pool.run('a', 'id'));
  for (let more = 0; more < 2; more += 1) await assert.rejects(pool.run('a', 'id'), isRefused(429));
  assert.equal((await Promise.all([...sent, pool.run('b', 'id')])).length, 10);
  assert.equal(typeof (await pool.run('a', 'id')), 'number');
});

test('a task that waits too long is refused, and those after it are not lost', async () => {
  const pool = createPool({ waitMs: 100 });
  await answered(pool);
  const endless = pool.run('a', 'loop');
  const isStopped = assert.rejects(endless, isEnded('time'));
  await assert.rejects(pool.run('b', 'id'), isRefused(503));
  await isStopped;
  assert.equal(typeof (await answered(pool)), 'number');
});

test('a thread that starts for longer than its task may wait is there for a later one', async () => {
  const pool = createPool({ waitMs: 0 });
  await assert.rejects(pool.run('a', 'id'), isRefused(503));
  while (pool.size() === 0) await new Promise((resolve) => setTimeout(resolve));
  assert.equal(typeof (await answered(pool)), 'number');
  assert.equal(pool.size(), 1);
});

test('a thread without a task ends, and the next task starts another', async () => {
  const pool = createPool({ idleMs: 0 });
  assert.equal(pool.size(), 0);
  const first = await pool.run('a', 'id');
  while (pool.size() > 0) await new Promise((resolve) => setTimeout(resolve));
  assert.notEqual(await pool.run('a', 'id'), first);
});

test('closing ends what is worked on, refuses what waits and what comes, and leaves no thread', async () => {
  const pool = createPool({ taskMs: 60_000 });
  await pool.run('a', 'id');
  const endless = pool.run('a', 'loop');
  const waiting = pool.run('b', 'id');
  const outcomes = Promise.allSettled([endless, waiting]);
  await pool.close();
  assert.deepEqual(
    (await outcomes).map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  await assert.rejects(waiting, isRefused(503));
  await assert.rejects(pool.run('a', 'id'), isRefused(503));
  assert.equal(pool.size(), 0);
});

test('a thread that waits for tasks does not keep the process running', async () => {
  const code = `import { createWorkerPool } from '${new URL('./worker-pool.ts', import.meta.url)}';
    const options = ${JSON.stringify({ ...OPTIONS, file: undefined })};
    const pool = createWorkerPool({ ...options, file: new URL('${OPTIONS.file}') });
    console.log(typeof (await pool.run('a', 'id')), pool.size());`;
  const cwd = new URL('../../..', import.meta.url);
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', code], { cwd });
  assert.equal(stdout, 'number 1\n');
});
