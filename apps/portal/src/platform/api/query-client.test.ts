import assert from 'node:assert/strict';
import { test } from 'vitest';
import { Failure, unreachable } from './failure.ts';
import { getRetryDelay, isTransientError } from './query-client.ts';

const refusal = (status_code: number) => new Failure({ status_code, message: 'No.', id: 'x' });

test('only transient failures are retried', () => {
  assert.ok(isTransientError(unreachable()));
  assert.ok(isTransientError(refusal(503)));
  for (const status_code of [400, 401, 403, 404, 409, 429, 500]) assert.ok(!isTransientError(refusal(status_code)));
  assert.ok(!isTransientError(new Error('a mistake of ours')));
});

test('retries of many open portals are spread around one and two seconds', () => {
  for (const [failed, around] of [
    [0, 1_000],
    [1, 2_000],
  ] as const) {
    const delays = Array.from({ length: 1_000 }, () => getRetryDelay(failed));
    assert.ok(delays.every((delay) => delay >= around / 2 && delay < around * 1.5));
    for (const [from, to] of [
      [0.5, 0.8],
      [0.8, 1.2],
      [1.2, 1.5],
    ] as const)
      assert.ok(delays.some((delay) => delay >= around * from && delay < around * to));
  }
});
