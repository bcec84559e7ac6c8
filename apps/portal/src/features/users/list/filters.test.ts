import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { listUsers } from '@steward/contract/users';
import fc from 'fast-check';
import { countFilters, readUsersSearch, usersQuery, withFilter, withoutFilters, withSearch } from './filters.ts';

describe('the address of the list of people', () => {
  it('reads search text and filters', () => {
    assert.deepEqual(readUsersSearch({ search: ' anna ', primary_owner: 1, member: '1', workspace_admin: true }), {
      search: 'anna',
      primary_owner: 1,
      workspace_admin: 1,
      member: 1,
    });
  });

  it('leaves out what is off, unknown or senseless', () => {
    const raw = {
      search: '  ',
      primary_owner: 0,
      member: 'yes',
      deactivated_accounts: null,
      page: 3,
      workspace_admin: [1],
    };
    assert.deepEqual(readUsersSearch(raw), {});
    assert.deepEqual(readUsersSearch({ search: { a: 1 } }), {});
  });

  it('keeps a search for a number a text', () => {
    assert.deepEqual(readUsersSearch({ search: 2024 }), { search: '2024' });
  });

  it('turns anything at all into a query that the contract accepts', () => {
    fc.assert(
      fc.property(fc.record({ search: fc.anything(), primary_owner: fc.anything(), member: fc.anything() }), (raw) => {
        assert.ok(listUsers.query?.safeParse(usersQuery(readUsersSearch(raw))).success);
      }),
    );
    const halves = `${'x'.repeat(199)}😀`;
    assert.ok(listUsers.query?.safeParse(usersQuery(readUsersSearch({ search: halves }))).success);
  });
});

describe('changing search and filters', () => {
  it('switches one filter and keeps the others and the search text', () => {
    const on = withFilter({ search: 'a', member: 1 }, 'primary_owner', true);
    assert.deepEqual(on, { search: 'a', member: 1, primary_owner: 1 });
    assert.deepEqual(withFilter(on, 'member', false), { search: 'a', primary_owner: 1 });
    assert.equal(countFilters(on), 2);
  });

  it('clears the search text without touching filters, and the filters without touching the search text', () => {
    assert.deepEqual(withSearch({ search: 'a', member: 1 }, ''), { member: 1 });
    assert.deepEqual(withoutFilters({ search: 'a', member: 1, deactivated_accounts: 1 }), { search: 'a' });
  });
});
