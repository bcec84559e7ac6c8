import assert from 'node:assert/strict';
import { it } from 'vitest';
import { cleanSearch, readSearch } from './search-text.ts';

it('trims a search and removes what the server would refuse', () => {
  assert.equal(cleanSearch(' an\0na '), 'anna');
  assert.equal(cleanSearch('\uD83D'), '\uFFFD');
  const halves = cleanSearch(`${'x'.repeat(199)}😀`);
  assert.equal(halves.length, 200);
  assert.ok(halves.isWellFormed());
});

it('a search for a number stays a text, and values that are not text are dropped', () => {
  assert.equal(readSearch(2024), '2024');
  assert.equal(readSearch(true), 'true');
  for (const senseless of [undefined, null, {}, ['a']]) assert.equal(readSearch(senseless), '');
});
