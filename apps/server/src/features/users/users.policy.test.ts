import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { getAbilities, getRefusal, getRenameRefusal, type Target } from './users.policy.ts';

const MEMBER: Target = { id: 'ann', roles: ['team_user'], type: 2, delete_at: 0 };
const PENDING = { ...MEMBER, type: 1 };
const OWNER = { ...MEMBER, roles: ['team_user', 'team_admin', 'team_owner'] };
const ZENDESK = { ...MEMBER, roles: ['zendesk'] };
const DEACTIVATED = { ...MEMBER, delete_at: 5 };
const ADMIN = 'someone-else';

describe('what an admin may do', () => {
  it('to a member: edit, view and revoke sessions, send a password reset', () => {
    assert.deepEqual(getAbilities(MEMBER, ADMIN), {
      abilities: ['edit', 'view_sessions', 'revoke_sessions', 'send_password_reset'],
      refusals: {},
    });
  });

  it('to themselves: everything but revoking all sessions', () => {
    const { abilities, refusals } = getAbilities(MEMBER, MEMBER.id);
    assert.deepEqual(abilities, ['edit', 'view_sessions', 'send_password_reset']);
    assert.deepEqual(refusals, { revoke_sessions: 'users.own_account' });
  });

  it('to an owner: everything but edit', () => {
    assert.deepEqual(getAbilities(OWNER, ADMIN).refusals, { edit: 'users.owner_is_locked' });
  });

  it('to a pending invitee: edit, resend and cancel the invitation', () => {
    assert.deepEqual(getAbilities(PENDING, ADMIN), {
      abilities: ['edit', 'resend_invitation', 'cancel_invitation'],
      refusals: {
        revoke_sessions: 'users.pending_has_no_sessions',
        send_password_reset: 'users.pending_has_no_password',
      },
    });
  });

  it('to a Zendesk user: nothing, with no reason per action', () => {
    assert.deepEqual(getAbilities(ZENDESK, ADMIN), { abilities: [], refusals: {} });
  });

  it('to a deactivated user: view the sessions, which have ended', () => {
    assert.deepEqual(getAbilities(DEACTIVATED, ADMIN), {
      abilities: ['view_sessions'],
      refusals: {
        edit: 'users.deactivated',
        revoke_sessions: 'users.deactivated',
        send_password_reset: 'users.deactivated',
      },
    });
    assert.deepEqual(getAbilities({ ...PENDING, delete_at: 5 }, ADMIN).abilities, []);
  });
});

it('a refused invitation action says whether the user has an account, is deactivated or is of Zendesk', () => {
  for (const action of ['resend_invitation', 'cancel_invitation'] as const) {
    assert.equal(getRefusal(action, MEMBER, ADMIN), 'users.not_pending');
    assert.equal(getRefusal(action, { ...PENDING, delete_at: 5 }, ADMIN), 'users.deactivated');
    assert.equal(getRefusal(action, ZENDESK, ADMIN), 'users.zendesk_has_no_actions');
    assert.equal(getRefusal(action, PENDING, ADMIN), undefined);
  }
});

it('revoking the sessions of a deactivated user is accepted although it is not offered', () => {
  assert.equal(getRefusal('revoke_sessions', DEACTIVATED, ADMIN), undefined);
});

it('a user of several teams keeps their name', () => {
  assert.equal(getRenameRefusal({ other_teams: 1 }), 'users.name_is_theirs');
  assert.equal(getRenameRefusal({ other_teams: 0 }), undefined);
});
