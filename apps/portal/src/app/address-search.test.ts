import assert from 'node:assert/strict';
import { test } from 'vitest';
import { parseSearch, stringifySearch } from './address-search.ts';

test('values in an address stay text, unchanged', () => {
  const texts = { search: '007', token: '12345678901234567890', name: 'true', odd: 'a&b=c +%', empty: '' };
  assert.deepEqual(parseSearch(stringifySearch(texts)), texts);
});

test('absent values and an empty search leave no trace', () => {
  assert.equal(stringifySearch({}), '');
  assert.equal(stringifySearch({ search: undefined, member: 1 }), '?member=1');
});

test('a parameter name of a URL cannot reach the prototype', () => {
  const read = parseSearch('?__proto__=x&constructor=y');
  assert.equal(Object.getPrototypeOf(read), Object.prototype);
  assert.equal(read.constructor, 'y');
});
