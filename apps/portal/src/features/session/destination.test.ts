import assert from 'node:assert/strict';
import { test } from 'vitest';
import { destination } from './destination.ts';

test('a sign-in returns to the previous page', () => {
  assert.equal(destination('/users/users?search=kim'), '/users/users?search=kim');
  assert.equal(destination('/dashboard/files#end'), '/dashboard/files#end');
});

test('a sign-in leads to Manage Users if there is no page to return to', () => {
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
