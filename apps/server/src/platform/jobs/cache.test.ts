import assert from 'node:assert/strict';
import { onTestFinished, test, vi } from 'vitest';
import { createCache, keepIfSlow } from './cache.ts';

test('concurrent callers share one result', async () => {
  const recent = createCache<number>(keepIfSlow);
  let calls = 0;
  const asking = Promise.withResolvers<number>();
  const ask = () => {
    calls += 1;
    return asking.promise;
  };
  const answers = [recent('a', ask), recent('a', ask)];
  asking.resolve(7);
  assert.deepEqual(await Promise.all(answers), [7, 7]);
  assert.equal(calls, 1);
});

test('quick results and errors are not cached', async () => {
  const recent = createCache<number>(keepIfSlow);
  let calls = 0;
  const next = async () => {
    calls += 1;
    return calls;
  };
  assert.deepEqual([await recent('a', next), await recent('a', next)], [1, 2]);
  await assert.rejects(recent('a', () => Promise.reject(new Error('away'))));
  assert.equal(await recent('a', next), 3);
});

test('a slow result is cached for a while, for its own key', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  onTestFinished(() => void vi.restoreAllMocks());
  const recent = createCache<number>(keepIfSlow);
  const slow = async (answer: number) => {
    now += 1_000;
    return answer;
  };
  assert.equal(await recent('a', () => slow(1)), 1);
  assert.equal(await recent('a', () => slow(2)), 1);
  assert.equal(await recent('b', () => slow(3)), 3);
  vi.advanceTimersByTime(20_000);
  assert.equal(await recent('a', () => slow(4)), 4);
});

test('a result with a fixed lifetime is cached for that time, however quick it was', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const cached = createCache<number>(() => 60_000);
  assert.equal(await cached('a', async () => 1), 1);
  vi.advanceTimersByTime(59_999);
  assert.equal(await cached('a', async () => 2), 1);
  vi.advanceTimersByTime(1);
  assert.equal(await cached('a', async () => 3), 3);
});

test('the oldest result goes when there are too many', async () => {
  const cached = createCache<number>(() => 60_000);
  for (let key = 0; key <= 1_000; key += 1) await cached(String(key), async () => key);
  assert.equal(await cached('1', async () => -1), 1);
  assert.equal(await cached('0', async () => -1), -1);
});
