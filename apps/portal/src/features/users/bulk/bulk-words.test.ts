import assert from 'node:assert/strict';
import type { ListedUser } from '@steward/contract/users';
import type { BulkJob } from '@steward/contract/users/bulk';
import { test } from 'vitest';
import { formatResult, formatSkipped, listActions } from './bulk-words.ts';

const JOB: BulkJob = {
  id: 'x',
  action: 'deactivate',
  state: 'done',
  total: 3,
  done: 1,
  skipped: [],
  failed: [],
  error: null,
};

test('skipped users are counted by reason', () => {
  assert.equal(formatSkipped([]), '');
  assert.equal(formatSkipped([{ reason: 'owner', count: 1 }]), 'Skipped: 1 owner.');
  assert.equal(
    formatSkipped([
      { reason: 'owner', count: 1 },
      { reason: 'self', count: 1 },
      { reason: 'zendesk', count: 2 },
    ]),
    'Skipped: 1 owner, yourself, 2 Zendesk users.',
  );
});

test('a result says how many users were changed and how many were not', () => {
  assert.equal(formatResult(JOB), '1 user was deactivated.');
  assert.equal(formatResult({ ...JOB, action: 'make_admin' }), '1 user is now an admin.');
  assert.equal(
    formatResult({ ...JOB, done: 1200, skipped: [{ reason: 'state', count: 2 }] }),
    "1,200 users were deactivated. Skipped: 2 users it doesn't apply to.",
  );
  assert.match(
    formatResult({ ...JOB, failed: [{ user_id: 'y', error: 'server.error' }] }),
    /1 user could not be changed/,
  );
  assert.match(formatResult({ ...JOB, state: 'failed', error: 'team.admin_required' }), /no longer an admin/);
});

test('an action is offered if one of the users allows it', () => {
  const user = (...abilities: ListedUser['abilities']) => ({ abilities }) as ListedUser;
  assert.deepEqual(listActions([user(), user('make_user', 'make_admin')]), ['make_admin', 'make_user']);
  assert.deepEqual(listActions([user('cancel_invitation')]), ['cancel_invitation', 'remove']);
  assert.deepEqual(listActions([user()]), []);
});
