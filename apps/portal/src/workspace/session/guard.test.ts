import assert from 'node:assert/strict';
import { test } from 'node:test';
import { needsSignIn } from './guard.ts';

test('every known screen of the shell needs a sign-in', () => {
  assert.ok(needsSignIn('/', false));
  assert.ok(needsSignIn('/users/users', false));
});

test('rooms that are not built yet need a sign-in, other unknown addresses do not', () => {
  assert.ok(needsSignIn('/dashboard/integrations', true));
  assert.ok(needsSignIn('/dashboard/billing/settings', true));
  assert.ok(needsSignIn('/sms/manage_sms', true));
  assert.ok(!needsSignIn('/nothing/here', true));
  assert.ok(!needsSignIn('/usersabc', true));
});
