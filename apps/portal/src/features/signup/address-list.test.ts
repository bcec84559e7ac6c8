import assert from 'node:assert/strict';
import { test } from 'vitest';
import { isList, spread, spreadRows } from './address-list.ts';

test('a single address, or words without an address, are not a list', () => {
  for (const text of ['kim@x.example', ' kim@x.example \n', 'Kim Lee', '', '<>'])
    assert.equal(isList(text), false, text);
  for (const text of ['a@x.example b@x.example', 'Kim <kim@x.example>', 'kim\nbob', 'a@b,c@d']) {
    assert.equal(isList(text), true, text);
  }
});

test('a list fills the empty row it was pasted into, and replaces other empty rows', () => {
  assert.deepEqual(spread(['ann@x.example', '', ''], { at: 1, text: 'b@x.example, c@x.example', most: 10 }), {
    rows: ['ann@x.example', 'b@x.example', 'c@x.example'],
    leftOut: 0,
  });
});

test('what isn’t an address fills a row of its own, to be corrected', () => {
  const text = 'Lee, Kim <kim@x.example>; bob.x.example; New, Nina <nina@x.example>';
  assert.deepEqual(spread(['', ''], { at: 0, text, most: 10 }), {
    rows: ['kim@x.example', 'bob.x.example', 'nina@x.example'],
    leftOut: 0,
  });
});

test('a list pasted into a filled row is added after it', () => {
  assert.deepEqual(spread(['a@x.example', 'd@x.example'], { at: 0, text: 'b@x.example c@x.example', most: 10 }), {
    rows: ['a@x.example', 'b@x.example', 'c@x.example', 'd@x.example'],
    leftOut: 0,
  });
});

test('addresses of other rows are not added again', () => {
  assert.deepEqual(spread(['', 'Kim@x.example'], { at: 0, text: 'kim@x.example, bob@x.example', most: 10 }), {
    rows: ['bob@x.example', 'Kim@x.example'],
    leftOut: 0,
  });
});

test('addresses beyond the limit are counted, and existing rows stay', () => {
  const text = Array.from({ length: 12 }, (_, at) => `p${at}@x.example`).join('\n');
  const { rows, leftOut } = spread(['first@x.example', '', 'last@x.example'], { at: 1, text, most: 10 });
  assert.equal(leftOut, 4);
  assert.equal(rows.length, 10);
  assert.equal(rows[0], 'first@x.example');
  assert.equal(rows[1], 'p0@x.example');
  assert.equal(rows.at(-1), 'last@x.example');
});

test('a list typed into one row is split; rows with one address are unchanged', () => {
  assert.deepEqual(spreadRows(['a@x.example, b@x.example', '', 'c@x.example'], 10), {
    rows: ['a@x.example', 'b@x.example', 'c@x.example'],
    leftOut: 0,
  });
  assert.deepEqual(spreadRows(['a@x.example', '', 'kim'], 10), { rows: ['a@x.example', '', 'kim'], leftOut: 0 });
  assert.deepEqual(spreadRows(['a@x.example b@x.example', 'c@x.example'], 2), {
    rows: ['a@x.example', 'b@x.example'],
    leftOut: 1,
  });
  assert.deepEqual(spreadRows(['a@b@c'], 10), { rows: ['a@b@c'], leftOut: 0 });
});
