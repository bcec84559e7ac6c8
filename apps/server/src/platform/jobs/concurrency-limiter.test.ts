import assert from 'node:assert/strict';
import { test } from 'vitest';
import { Refusal } from '#platform/http/errors.ts';
import { createConcurrencyLimiter } from './concurrency-limiter.ts';

/** Work that ends on demand. */
function held() {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { ended, end };
}

test("work up to the limit runs at once, the rest in order, and a failure doesn't block the queue", async () => {
  const limitConcurrency = createConcurrencyLimiter({ atOnce: 2, waiting: 10 });
  const begun: number[] = [];
  const works = Array.from({ length: 5 }, held);
  const results = works.map(({ ended }, at) =>
    limitConcurrency(async () => {
      begun.push(at);
      await ended;
      if (at === 0) throw new Error('the first one fails');
      return at;
    }),
  );
  assert.deepEqual(begun, [0, 1]);
  works[0]?.end();
  await assert.rejects(results[0] ?? Promise.resolve(), /the first one fails/);
  assert.deepEqual(begun, [0, 1, 2]);
  for (const { end } of works) end();
  assert.deepEqual(await Promise.all(results.slice(1)), [1, 2, 3, 4]);
  assert.deepEqual(begun, [0, 1, 2, 3, 4]);
});

test('calls beyond the queue limit are refused until another one ends', async () => {
  const limitConcurrency = createConcurrencyLimiter({ atOnce: 1, waiting: 1 });
  const [first, second] = [held(), held()];
  const running = limitConcurrency(() => first.ended);
  const waiting = limitConcurrency(() => second.ended);
  await assert.rejects(
    limitConcurrency(async () => undefined),
    (error) => error instanceof Refusal && error.status === 503,
  );
  first.end();
  await running;
  const third = limitConcurrency(async () => 'room again');
  second.end();
  await waiting;
  assert.equal(await third, 'room again');
});
