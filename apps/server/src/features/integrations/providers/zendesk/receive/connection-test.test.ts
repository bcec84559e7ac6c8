import assert from 'node:assert/strict';
import { test } from 'vitest';
import { CONNECTION_TEST, isConnectionTest } from './receive.ts';

test('only our own connection test is recognized as one', () => {
  assert.equal(isConnectionTest(Buffer.from(CONNECTION_TEST)), true);
  assert.equal(isConnectionTest(Buffer.from('{ "connection_test" : "steward" }\n')), true);
  for (const other of [
    '',
    '{}',
    '"steward"',
    'null',
    '{"connection_test":"steward","text":"x"}',
    '{"text":"connection test"}',
  ])
    assert.equal(isConnectionTest(Buffer.from(other)), false, other);
});
