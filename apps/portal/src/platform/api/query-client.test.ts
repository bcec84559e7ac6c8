import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure, unreachable } from './failure.ts';
import { isTransientError } from './query-client.ts';

const refusal = (status_code: number) => new Failure({ status_code, message: 'No.', id: 'x' });

test('only transient failures are retried', () => {
  assert.ok(isTransientError(unreachable()));
  assert.ok(isTransientError(refusal(503)));
  for (const status_code of [400, 401, 403, 404, 409, 429, 500]) assert.ok(!isTransientError(refusal(status_code)));
  assert.ok(!isTransientError(new Error('a mistake of ours')));
});
