import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readUserCookie, userCookieRemovals } from './user-cookie.ts';

test('the user-id cookie is found among others, on http and on https', () => {
  assert.equal(readUserCookie('a=1; steward_user=x'), 'x');
  assert.equal(readUserCookie('__Host-steward_user=x; b=2'), 'x');
  assert.equal(readUserCookie('steward_user=y; __Host-steward_user=x'), 'x');
  assert.equal(readUserCookie('steward_user='), '');
  assert.equal(readUserCookie(''), undefined);
  assert.equal(readUserCookie('not_steward_user=x; steward_username=y; a=steward_user'), undefined);
});

test('the cookie is removed from this host and from the domains above it', () => {
  const removals = userCookieRemovals('admin.team.example');
  assert.equal(removals.filter((removal) => !removal.includes('Domain=')).length, 2);
  assert.deepEqual(
    removals.flatMap((removal) => removal.split('Domain=')[1] ?? []),
    ['admin.team.example', 'team.example'],
  );
  assert.equal(userCookieRemovals('localhost').length, 2);
});
