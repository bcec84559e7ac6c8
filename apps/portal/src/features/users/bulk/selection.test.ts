import assert from 'node:assert/strict';
import { test } from 'vitest';
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

test('a row can be selected and deselected', () => {
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

test('a range is a single row if its first row is unknown or no longer listed', () => {
  assert.equal(chosen(extendTo(NOTHING, ROWS, 'c')), 'c');
  assert.equal(chosen(extendTo(toggle(NOTHING, 'gone'), ROWS, 'c')), 'c');
});

test('single rows can be deselected and selected again when everything is selected', () => {
  const most = toggle(EVERYTHING, 'c');
  assert.deepEqual([chosen(most), countChosen(most, 1868), countChosen(most, null)], ['abde', 1867, null]);
  assert.equal(chosen(toggle(most, 'c')), 'abcde');
  assert.equal(chosen(choose(EVERYTHING, ['a', 'b'], false)), 'cde');
  assert.equal(isEmpty(EVERYTHING), false);
});

test('all loaded rows can be selected together', () => {
  assert.equal(chosen(choose(NOTHING, ROWS, true)), 'abcde');
  assert.equal(chosen(choose(choose(NOTHING, ROWS, true), ROWS, false)), '');
});

test('the selected part of the loaded rows is all, some or none', () => {
  const part = (selection: typeof NOTHING, rows: readonly string[] = ROWS) => getChosenPart(selection, () => rows);
  assert.deepEqual(
    [part(toggle(NOTHING, 'c')), part(choose(NOTHING, ROWS, true)), part(EVERYTHING), part(toggle(EVERYTHING, 'c'))],
    ['some', 'all', 'all', 'some'],
  );
  assert.deepEqual([part(choose(EVERYTHING, ROWS, false)), part(EVERYTHING, [])], ['none', 'none']);
});

test('no row is read while nothing is selected', () => {
  const rows = () => assert.fail('the rows were read');
  assert.equal(getChosenPart(NOTHING, rows), 'none');
});
