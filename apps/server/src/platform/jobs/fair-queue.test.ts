import assert from 'node:assert/strict';
import { describe, test } from 'vitest';
import { Refusal } from '#platform/http/errors.ts';
import { createFairQueue, createSequences, mapConcurrently, type QueuePlace } from './fair-queue.ts';

/** Work that ends on demand and notes that it began. */
function createStage() {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const work = (name: string) => async () => {
    begun.push(name);
    await new Promise<void>((resolve) => ends.push(resolve));
  };
  const settle = () => new Promise(setImmediate);
  /** Ends the work that began first of those that run, and lets the next begin. */
  const endOne = async () => {
    await settle();
    ends.shift()?.();
    await settle();
  };
  return { begun, work, endOne, settle };
}

const isRefusal = (status: number) => (error: unknown) => error instanceof Refusal && error.status === status;

describe('a fair queue', () => {
  test('gives each key its turn, however many of another wait', async () => {
    const queue = createFairQueue({ atOnce: 2, waitingPerKey: 8, waiting: 100 });
    const { begun, work, endOne, settle } = createStage();
    const runs = ['a1', 'a2', 'a3', 'a4', 'a5', 'a6'].map((name) => queue.enter({ key: 'a' }).run(work(name)));
    runs.push(
      queue.enter({ key: 'b' }).run(work('b1')),
      queue.enter({ key: 'c' }).run(work('c1')),
      queue.enter({ key: 'b' }).run(work('b2')),
    );
    await settle();
    assert.deepEqual(begun, ['a1', 'a2']);
    for (const _ of runs) await endOne();
    assert.deepEqual(begun, ['a1', 'a2', 'a3', 'b1', 'c1', 'a4', 'b2', 'a5', 'a6']);
    await Promise.all(runs);
  });

  test('refuses only the key that has too many waiting, before it does any work', async () => {
    const queue = createFairQueue({ atOnce: 1, waitingPerKey: 2, waiting: 100 });
    const { begun, work, endOne } = createStage();
    const running = queue.enter({ key: 'a' }).run(work('a1'));
    const waiting = [queue.enter({ key: 'a' }), queue.enter({ key: 'a' })];
    assert.throws(() => queue.enter({ key: 'a' }), isRefusal(429));
    const other = queue.enter({ key: 'b' }).run(work('b1'));
    waiting[0]?.leave();
    waiting[0]?.leave();
    const again = queue.enter({ key: 'a' });
    assert.throws(() => queue.enter({ key: 'a' }), isRefusal(429));
    const rest = [waiting[1], again].map((place, i) => (place as QueuePlace).run(work(`a${i + 2}`)));
    for (let i = 0; i < 4; i += 1) await endOne();
    await Promise.all([running, other, ...rest]);
    assert.deepEqual(begun, ['a1', 'b1', 'a2', 'a3']);
  });

  test('is bounded over all keys, and says that it is the server that has too much to do', async () => {
    const queue = createFairQueue({ atOnce: 1, waitingPerKey: 2, waiting: 2 });
    const places = ['a', 'b', 'c'].map((key) => queue.enter({ key }));
    assert.throws(() => queue.enter({ key: 'd' }), isRefusal(503));
    for (const place of places) place.leave();
    queue.enter({ key: 'd' }).leave();
  });

  test('never refuses work without a key, which takes turns like any other', async () => {
    const queue = createFairQueue({ atOnce: 1, waitingPerKey: 1, waiting: 1 });
    const { begun, work, endOne } = createStage();
    const runs = ['own1', 'own2', 'own3'].map((name) => queue.enter().run(work(name)));
    assert.throws(() => queue.enter({ key: 'a' }), isRefusal(503));
    for (const _ of runs) await endOne();
    await Promise.all(runs);
    assert.deepEqual(begun, ['own1', 'own2', 'own3']);
  });

  test('gives each user of a key a turn, and refuses only the one with too much waiting', async () => {
    const queue = createFairQueue({ atOnce: 1, waitingPerUser: 2, waitingPerKey: 8, waiting: 100 });
    const { begun, work, endOne } = createStage();
    const run = (key: string, user: string, name: string) => queue.run({ key, user }, work(name));
    const runs = [run('a', 'ann', 'ann1'), run('a', 'ann', 'ann2'), run('a', 'ann', 'ann3')];
    await assert.rejects(run('a', 'ann', 'ann4'), isRefusal(429));
    runs.push(run('a', 'bob', 'bob1'), run('b', 'cid', 'cid1'));
    for (const _ of runs) await endOne();
    await Promise.all(runs);
    assert.deepEqual(begun, ['ann1', 'ann2', 'cid1', 'bob1', 'ann3']);
  });

  test('keeps room for other keys, and without waiting refuses what can’t begin', async () => {
    const queue = createFairQueue({ atOnce: 3, atOncePerKey: 2, waitingPerKey: 0, waiting: 0 });
    const { begun, work, endOne, settle } = createStage();
    const run = (key: string, name: string) => queue.run({ key }, work(name));
    const runs = [run('a', 'a1'), run('a', 'a2')];
    await assert.rejects(run('a', 'a3'), isRefusal(429));
    runs.push(run('b', 'b1'));
    await assert.rejects(run('c', 'c1'), isRefusal(503));
    await settle();
    assert.deepEqual(begun, ['a1', 'a2', 'b1']);
    await endOne();
    runs.push(run('c', 'c2'));
    for (const _ of runs) await endOne();
    await Promise.all(runs);
  });

  test('runs the next work after one that failed', async () => {
    const queue = createFairQueue({ atOnce: 1, waitingPerKey: 1, waiting: 10 });
    const failing = queue.enter({ key: 'a' }).run(() => Promise.reject(new Error('it failed')));
    const next = queue.enter({ key: 'a' }).run(async () => 'done');
    await assert.rejects(failing, /it failed/);
    assert.equal(await next, 'done');
  });
});

test('sequences run the work of a key in order, that of several keys at once, and refuse too much of one key', async () => {
  const queue = createSequences(2);
  const { begun, work, endOne, settle } = createStage();
  const runs = [queue.run({ key: 'a' }, work('a1')), queue.run({ key: 'a' }, work('a2'))];
  await assert.rejects(queue.run({ key: 'a' }, work('a3')), isRefusal(429));
  runs.push(queue.run({ key: 'b' }, work('b1')));
  await settle();
  assert.deepEqual(begun, ['a1', 'b1']);
  for (const _ of runs) await endOne();
  assert.deepEqual(begun, ['a1', 'b1', 'a2']);
  await Promise.all(runs);
});

test('mapping concurrently keeps the limit and the order of the results, and a failure ends nothing else', async () => {
  const { begun, work, endOne, settle } = createStage();
  const mapped = mapConcurrently(['1', '2', '3'], 2, (name) => work(name)().then(() => `${name} done`));
  await settle();
  assert.deepEqual(begun, ['1', '2']);
  for (let i = 0; i < 3; i += 1) await endOne();
  assert.deepEqual(await mapped, ['1 done', '2 done', '3 done']);
  const seen: number[] = [];
  const failing = mapConcurrently([1, 2], 1, async (number) => {
    seen.push(number);
    if (number === 1) throw new Error('the first one fails');
  });
  await assert.rejects(failing, /the first one fails/);
  await settle();
  assert.deepEqual(seen, [1, 2]);
});
