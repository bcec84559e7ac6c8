import assert from 'node:assert/strict';
import { test } from 'vitest';
import { listRows } from './virtual-rows.ts';

const range = { startIndex: 50, endIndex: 52, overscan: 1, count: 100 };

test('the row that has the focus stays, unless the list no longer has it', () => {
  assert.deepEqual(listRows(range, -1), [49, 50, 51, 52, 53]);
  assert.deepEqual(listRows(range, 3), [3, 49, 50, 51, 52, 53]);
  assert.deepEqual(listRows(range, 99), [49, 50, 51, 52, 53, 99]);
  assert.deepEqual(listRows(range, 51), [49, 50, 51, 52, 53]);
  assert.deepEqual(listRows(range, 100), [49, 50, 51, 52, 53]);
});
