import assert from 'node:assert/strict';
import { listEntries } from '@steward/contract/directory';
import fc from 'fast-check';
import { it } from 'vitest';
import { readDirectorySearch, searchFor } from './directory-search.ts';

it('reads the search text and ignores everything else', () => {
  assert.deepEqual(readDirectorySearch({ search: ' anna ', member: 1 }), { search: 'anna' });
  assert.deepEqual(readDirectorySearch({ search: 5551234 }), { search: '5551234' });
  assert.deepEqual(readDirectorySearch({ search: '   ' }), {});
  assert.deepEqual(readDirectorySearch({}), {});
});

it('has one address for no search', () => {
  assert.deepEqual(searchFor(' '), {});
  assert.deepEqual(searchFor(' 555 '), { search: '555' });
});

it('turns any input into a query that the contract accepts', () => {
  fc.assert(
    fc.property(fc.anything(), (search) => {
      assert.ok(listEntries.query?.safeParse(readDirectorySearch({ search })).success);
    }),
  );
});
