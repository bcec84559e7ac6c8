import assert from 'node:assert/strict';
import { test } from 'node:test';
import { follow, listRows } from './virtual-rows.ts';

const visible = { startIndex: 50, endIndex: 52, count: 100 };

test('more rows are rendered where the list is scrolled to than on the other side', () => {
  assert.deepEqual(listRows(visible, { isForward: true, kept: -1 }), [49, 50, 51, 52, 53, 54, 55, 56]);
  assert.deepEqual(listRows(visible, { isForward: false, kept: -1 }), [46, 47, 48, 49, 50, 51, 52, 53]);
});

test('no rows are rendered beyond the first and the last one', () => {
  assert.deepEqual(listRows({ startIndex: 0, endIndex: 1, count: 2 }, { isForward: true, kept: -1 }), [0, 1]);
  assert.deepEqual(listRows({ startIndex: 1, endIndex: 2, count: 4 }, { isForward: false, kept: -1 }), [0, 1, 2, 3]);
});

test('the row that has the focus stays, unless the list no longer has it', () => {
  assert.equal(listRows(visible, { isForward: true, kept: 3 })[0], 3);
  assert.equal(listRows(visible, { isForward: true, kept: 99 }).at(-1), 99);
  assert.equal(listRows(visible, { isForward: true, kept: 51 }).length, 8);
  assert.equal(listRows(visible, { isForward: true, kept: 100 }).length, 8);
});

test('rendering again without scrolling keeps the direction', () => {
  const back = follow({ startIndex: 50, isForward: true }, 49);
  assert.deepEqual(back, { startIndex: 49, isForward: false });
  assert.deepEqual(follow(back, 49), back);
  assert.deepEqual(follow(back, 60), { startIndex: 60, isForward: true });
});
