import assert from 'node:assert/strict';
import { listUsers } from '@steward/contract/users';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import {
  countFilters,
  readUsersSearch,
  toggleOrder,
  usersQuery,
  withActivity,
  withFilter,
  withOrder,
  withoutFilters,
  withSearch,
} from './filters.ts';

describe('the address of the list of users', () => {
  it('reads search text and filters', () => {
    assert.deepEqual(readUsersSearch({ search: ' anna ', primary_owner: 1, member: '1', workspace_admin: true }), {
      search: 'anna',
      primary_owner: 1,
      workspace_admin: 1,
      member: 1,
    });
  });

  it('ignores values that are off, unknown or invalid', () => {
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

  it('keeps the search for a number as text', () => {
    assert.deepEqual(readUsersSearch({ search: 2024 }), { search: '2024' });
  });

  it('turns any input into a query that the contract accepts', () => {
    fc.assert(
      fc.property(
        fc.record({
          search: fc.anything(),
          primary_owner: fc.anything(),
          member: fc.anything(),
          sort: fc.anything(),
          order: fc.anything(),
          pending: fc.anything(),
          inactive_days: fc.oneof(fc.anything(), fc.integer(), fc.integer().map(String)),
          active_days: fc.oneof(fc.anything(), fc.integer(), fc.integer().map(String)),
          invited_days: fc.oneof(fc.anything(), fc.integer(), fc.integer().map(String)),
          without_second_factor: fc.anything(),
        }),
        (raw) => {
          assert.ok(listUsers.query?.safeParse(usersQuery(readUsersSearch(raw))).success);
        },
      ),
    );
    const halves = `${'x'.repeat(199)}😀`;
    assert.ok(listUsers.query?.safeParse(usersQuery(readUsersSearch({ search: halves }))).success);
  });
});

describe('changes of the search and the filters', () => {
  it('switches one filter and keeps the others and the search text', () => {
    const on = withFilter({ search: 'a', member: 1 }, 'primary_owner', true);
    assert.deepEqual(on, { search: 'a', member: 1, primary_owner: 1 });
    assert.deepEqual(withFilter(on, 'member', false), { search: 'a', primary_owner: 1 });
    assert.equal(countFilters(on), 2);
  });

  it('reads order and days of inactivity, and ignores defaults and invalid values', () => {
    assert.deepEqual(readUsersSearch({ sort: 'joined', order: 'desc', inactive_days: '90', pending: 1 }), {
      sort: 'joined',
      order: 'desc',
      inactive_days: 90,
      pending: 1,
    });
    for (const raw of [
      { sort: 'name', order: 'asc' },
      { sort: 'email', order: 'up' },
      { inactive_days: 0 },
      { inactive_days: 3651 },
      { inactive_days: '1.5' },
      { inactive_days: true },
      { inactive_days: [5] },
      { active_days: 0 },
      { active_days: 3651 },
      { invited_days: 0 },
      { invited_days: 3651 },
      { without_second_factor: 'yes' },
    ])
      assert.deepEqual(readUsersSearch(raw), {}, JSON.stringify(raw));
  });

  it('sorts by the pressed column, and reverses the order when it is pressed again', () => {
    assert.deepEqual(toggleOrder({ member: 1 }, 'name'), { member: 1, order: 'desc' });
    assert.deepEqual(toggleOrder({ order: 'desc' }, 'name'), {});
    assert.deepEqual(toggleOrder({}, 'last_active'), { sort: 'last_active', order: 'desc' });
    assert.deepEqual(toggleOrder({ sort: 'last_active', order: 'desc' }, 'last_active'), { sort: 'last_active' });
    assert.deepEqual(toggleOrder({ sort: 'last_active', order: 'desc' }, 'name'), {});
  });

  it('counts inactivity as a filter and resets it, but not the order', () => {
    const search = withActivity(withOrder({ search: 'a' }, { sort: 'joined', order: 'asc' }), 'inactive_days', 90);
    assert.equal(countFilters(search), 1);
    assert.deepEqual(withoutFilters(search), { search: 'a', sort: 'joined' });
    assert.deepEqual(withActivity(search, 'inactive_days', 0), { search: 'a', sort: 'joined' });
    assert.deepEqual(withActivity(search, 'active_days', 7), { ...search, active_days: 7 });
  });

  it('clears the search text without touching filters, and the filters without touching the search text', () => {
    assert.deepEqual(withSearch({ search: 'a', member: 1 }, ''), { member: 1 });
    assert.deepEqual(withoutFilters({ search: 'a', member: 1, deactivated_accounts: 1 }), { search: 'a' });
  });
});
