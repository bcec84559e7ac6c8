import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Refusal } from '#platform/http/errors.ts';
import { createFairQueue, type Place } from './fair-queue.ts';

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
    const runs = ['a1', 'a2', 'a3', 'a4', 'a5', 'a6'].map((name) => queue.enter('a').run(work(name)));
    runs.push(queue.enter('b').run(work('b1')), queue.enter('c').run(work('c1')), queue.enter('b').run(work('b2')));
    await settle();
    assert.deepEqual(begun, ['a1', 'a2']);
    for (const _ of runs) await endOne();
    assert.deepEqual(begun, ['a1', 'a2', 'a3', 'b1', 'c1', 'a4', 'b2', 'a5', 'a6']);
    await Promise.all(runs);
  });

  test('refuses only the key that has too many waiting, before it does any work', async () => {
    const queue = createFairQueue({ atOnce: 1, waitingPerKey: 2, waiting: 100 });
    const { begun, work, endOne } = createStage();
    const running = queue.enter('a').run(work('a1'));
    const waiting = [queue.enter('a'), queue.enter('a')];
    assert.throws(() => queue.enter('a'), isRefusal(429));
    const other = queue.enter('b').run(work('b1'));
    waiting[0]?.leave();
    waiting[0]?.leave();
    const again = queue.enter('a');
    assert.throws(() => queue.enter('a'), isRefusal(429));
    const rest = [waiting[1], again].map((place, i) => (place as Place).run(work(`a${i + 2}`)));
    for (let i = 0; i < 4; i += 1) await endOne();
    await Promise.all([running, other, ...rest]);
    assert.deepEqual(begun, ['a1', 'b1', 'a2', 'a3']);
  });

  test('is bounded over all keys, and says that it is the server that has too much to do', async () => {
    const queue = createFairQueue({ atOnce: 1, waitingPerKey: 2, waiting: 3 });
    const places = ['a', 'b', 'c'].map((key) => queue.enter(key));
    assert.throws(() => queue.enter('d'), isRefusal(503));
    for (const place of places) place.leave();
    queue.enter('d').leave();
  });

  test('never refuses work without a key, which takes turns like any other', async () => {
    const queue = createFairQueue({ atOnce: 1, waitingPerKey: 1, waiting: 1 });
    const { begun, work, endOne } = createStage();
    const runs = ['own1', 'own2', 'own3'].map((name) => queue.enter().run(work(name)));
    assert.throws(() => queue.enter('a'), isRefusal(503));
    for (const _ of runs) await endOne();
    await Promise.all(runs);
    assert.deepEqual(begun, ['own1', 'own2', 'own3']);
  });

  test('runs the next work after one that failed', async () => {
    const queue = createFairQueue({ atOnce: 1, waitingPerKey: 1, waiting: 10 });
    const failing = queue.enter('a').run(() => Promise.reject(new Error('it failed')));
    const next = queue.enter('a').run(async () => 'done');
    await assert.rejects(failing, /it failed/);
    assert.equal(await next, 'done');
  });
});
