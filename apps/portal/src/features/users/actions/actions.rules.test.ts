import assert from 'node:assert/strict';
import { ERRORS } from '@steward/contract/api/errors';
import type { ListedUser } from '@steward/contract/users';
import { describe, it } from 'vitest';
import { getMenu } from './actions.rules.ts';

const USER = {
  id: 'ann',
  abilities: ['edit', 'view_sessions', 'revoke_sessions', 'send_password_reset'],
  refusals: {},
} as unknown as ListedUser;

describe('the menu of a row', () => {
  it('has an item for each ability, in the words of the product reference', () => {
    assert.deepEqual(getMenu(USER), [
      { name: 'edit', label: 'Edit' },
      { name: 'revoke_sessions', label: 'Revoke all sessions' },
      { name: 'send_password_reset', label: 'Send password reset' },
    ]);
  });

  it('is absent when the server allows no action and gives no reason', () =>
    assert.equal(getMenu({ ...USER, abilities: [] }), null));

  it('shows a refused action with the message of its error', () => {
    const refused = { ...USER, abilities: [], refusals: { edit: 'users.owner_is_locked' } } as ListedUser;
    const refusal = ERRORS['users.owner_is_locked'].message;
    assert.deepEqual(getMenu(refused), [{ name: 'edit', label: 'Edit', refusal }]);
  });

  it('lists sessions only for the account that the server marks as the signed-in user’s own', () => {
    const names = (refusals: ListedUser['refusals']) => getMenu({ ...USER, refusals })?.map(({ name }) => name);
    assert.ok(names({ revoke_sessions: 'users.own_account' })?.includes('view_sessions'));
    assert.ok(!names({ revoke_sessions: 'users.deactivated' })?.includes('view_sessions'));
    assert.ok(!names({})?.includes('view_sessions'));
  });

  it('has the actions of the invitation after Edit', () => {
    const pending = { ...USER, abilities: ['cancel_invitation', 'resend_invitation', 'edit'] } as ListedUser;
    const labels = getMenu(pending)?.map(({ label }) => label);
    assert.deepEqual(labels, ['Edit', 'Resend invitation', 'Cancel invitation']);
  });

  it('follows the abilities and never the roles', () => {
    const owner = { ...USER, roles: ['team_owner', 'zendesk'], type: 1, delete_at: 5 } as unknown as ListedUser;
    assert.deepEqual(getMenu(owner), getMenu(USER));
  });
});
