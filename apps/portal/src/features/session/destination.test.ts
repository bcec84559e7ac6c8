import assert from 'node:assert/strict';
import { test } from 'node:test';
import { destination } from './destination.ts';

test('a sign-in leads back to where the person came from', () => {
  assert.equal(destination('/users/users?search=kim'), '/users/users?search=kim');
  assert.equal(destination('/dashboard/files#end'), '/dashboard/files#end');
});

test('without a place to return to, a sign-in leads to Manage Users', () => {
  for (const from of [
    undefined,
    '/',
    '/login',
    '/logout?x=1',
    '/permission_error',
    '//evil.example',
    '/\\evil.example',
  ]) {
    assert.equal(destination(from), '/users/users', String(from));
  }
});
