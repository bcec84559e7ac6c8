import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  choose,
  countChosen,
  EVERYTHING,
  extendTo,
  getChosenPart,
  isChosen,
  isEmpty,
  NOTHING,
  toggle,
} from './selection.ts';

const ROWS = ['a', 'b', 'c', 'd', 'e'];
const chosen = (selection: typeof NOTHING) => ROWS.filter((id) => isChosen(selection, id)).join('');

test('a row is chosen and no longer', () => {
  const one = toggle(NOTHING, 'b');
  assert.deepEqual([chosen(one), isEmpty(one), countChosen(one, null)], ['b', false, 1]);
  assert.ok(isEmpty(toggle(one, 'b')));
});

test('a range goes from the last row that was toggled, in both directions', () => {
  assert.equal(chosen(extendTo(toggle(NOTHING, 'b'), ROWS, 'd')), 'bcd');
  assert.equal(chosen(extendTo(toggle(NOTHING, 'd'), ROWS, 'b')), 'bcd');
  const longer = extendTo(extendTo(toggle(NOTHING, 'b'), ROWS, 'c'), ROWS, 'e');
  assert.equal(chosen(longer), 'bcde');
});

test('without a first row, or with one that is gone, a range is one row', () => {
  assert.equal(chosen(extendTo(NOTHING, ROWS, 'c')), 'c');
  assert.equal(chosen(extendTo(toggle(NOTHING, 'gone'), ROWS, 'c')), 'c');
});

test('of everything, single rows are left out and put back', () => {
  const most = toggle(EVERYTHING, 'c');
  assert.deepEqual([chosen(most), countChosen(most, 1868), countChosen(most, null)], ['abde', 1867, null]);
  assert.equal(chosen(toggle(most, 'c')), 'abcde');
  assert.equal(chosen(choose(EVERYTHING, ['a', 'b'], false)), 'cde');
  assert.equal(isEmpty(EVERYTHING), false);
});

test('loaded rows are chosen together', () => {
  assert.equal(chosen(choose(NOTHING, ROWS, true)), 'abcde');
  assert.equal(chosen(choose(choose(NOTHING, ROWS, true), ROWS, false)), '');
});

test('of the loaded rows, all are chosen, some or none', () => {
  const part = (selection: typeof NOTHING, rows: readonly string[] = ROWS) => getChosenPart(selection, () => rows);
  assert.deepEqual(
    [part(toggle(NOTHING, 'c')), part(choose(NOTHING, ROWS, true)), part(EVERYTHING), part(toggle(EVERYTHING, 'c'))],
    ['some', 'all', 'all', 'some'],
  );
  assert.deepEqual([part(choose(EVERYTHING, ROWS, false)), part(EVERYTHING, [])], ['none', 'none']);
});

test('while nothing is chosen, no row is read', () => {
  const rows = () => assert.fail('the rows were read');
  assert.equal(getChosenPart(NOTHING, rows), 'none');
});
