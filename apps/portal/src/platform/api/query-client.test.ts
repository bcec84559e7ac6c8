import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure, unreachable } from './failure.ts';
import { isPassing } from './query-client.ts';

const refusal = (status_code: number) => new Failure({ status_code, message: 'No.', id: 'x' });

test('only what may pass by itself is tried again', () => {
  assert.ok(isPassing(unreachable()));
  assert.ok(isPassing(refusal(503)));
  for (const status_code of [400, 401, 403, 404, 409, 429, 500]) assert.ok(!isPassing(refusal(status_code)));
  assert.ok(!isPassing(new Error('a mistake of ours')));
});
