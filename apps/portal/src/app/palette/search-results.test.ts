import assert from 'node:assert/strict';
import { test } from 'vitest';
import { readRecents, type SearchResult, withRecent } from './search-results.ts';

const ANN: SearchResult = {
  kind: 'person',
  id: 'a',
  label: 'Ann Lee',
  detail: 'ann@example.com',
  search: 'ann@example.com',
};

test('the newest choice comes first, without duplicates, and at most five are kept', () => {
  const recents = ['/a', '/b', '/c', '/d', '/e', '/b'].reduce(withRecent, [] as ReturnType<typeof withRecent>);
  assert.deepEqual(recents, ['/b', '/e', '/d', '/c', '/a']);
  assert.deepEqual(withRecent(recents, ANN), [ANN, '/b', '/e', '/d', '/c']);
  assert.deepEqual(withRecent([ANN, '/b'], { ...ANN, label: 'Ann Ray' }), [{ ...ANN, label: 'Ann Ray' }, '/b']);
});

test('stored recent choices are read again', () => {
  assert.deepEqual(readRecents(JSON.stringify(['/a', ANN])), ['/a', ANN]);
});

test('invalid stored values are left out', () => {
  assert.deepEqual(readRecents(null), []);
  assert.deepEqual(readRecents('{'), []);
  assert.deepEqual(readRecents('{"0":"/a"}'), []);
  const wrong = [1, null, { ...ANN, kind: 'toString' }, { ...ANN, search: 1 }, { kind: 'entry' }, '/a'];
  assert.deepEqual(readRecents(JSON.stringify(wrong)), ['/a']);
  assert.equal(readRecents(JSON.stringify(Array.from({ length: 90 }, (_, at) => `/${at}`))).length, 5);
});
