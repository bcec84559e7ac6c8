import assert from 'node:assert/strict';
import { listUsers } from '@steward/contract/users';
import { test } from 'vitest';
import { infiniteQueryOptionsFor, joinPages, nextKey, queryOptionsFor } from './queries.ts';

const page = (records: number[], last_key: string | null, reset?: boolean) => ({ records, last_key, reset });

test('pages are joined in order', () => {
  const pages = [page([1, 2], 'a'), page([3], null)];
  assert.deepEqual(joinPages({ pages, pageParams: [] }), { records: [1, 2, 3], total: null });
});

test('a page flagged reset replaces the previous pages', () => {
  const pages = [page([1], 'a'), page([2], 'b', true), page([3], null)];
  assert.deepEqual(joinPages({ pages, pageParams: [] }), { records: [2, 3], total: null });
});

test('the next page follows the key until there is no key, no record, or the same key again', () => {
  assert.equal(nextKey(page([1], 'a'), [], undefined), 'a');
  assert.equal(nextKey(page([1], null)), undefined);
  assert.equal(nextKey(page([], 'a')), undefined);
  assert.equal(nextKey(page([1], 'a'), [], 'a'), undefined);
});

test('cache keys differ by endpoint, kind and input', () => {
  const sent = { params: { teamId: 't' }, query: { search: 'kim' } };
  const keys = [
    queryOptionsFor(listUsers, sent),
    infiniteQueryOptionsFor(listUsers, sent),
    infiniteQueryOptionsFor(listUsers, { params: { teamId: 'u' } }),
  ];
  assert.equal(new Set(keys.map(({ queryKey }) => JSON.stringify(queryKey))).size, 3);
  for (const { queryKey } of keys) assert.equal(queryKey[0], 'listUsers');
});
