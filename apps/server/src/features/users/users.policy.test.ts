import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { getAbilities, getRefusal, getRenameRefusal, type Target } from './users.policy.ts';

const OWNER_ROLES = ['team_user', 'team_admin', 'team_owner'];
const ADMIN = { userId: 'someone-else', roles: ['team_user', 'team_admin'] };
const OWNER = { userId: 'someone-else', roles: OWNER_ROLES };

const member: Target = { id: 'ann', roles: ['team_user'], state: 'active' };
const admin: Target = { ...member, roles: ADMIN.roles };
const owner: Target = { ...member, roles: OWNER_ROLES };
const pending: Target = { ...member, state: 'invited' };
const zendesk: Target = { ...member, roles: ['zendesk'] };
const deactivated: Target = { ...member, state: 'deactivated' };

describe('what an admin may do', () => {
  it('to a member or another admin: everything but deciding who is an owner', () => {
    for (const target of [member, admin])
      assert.deepEqual(getAbilities(target, ADMIN), {
        abilities: [
          'edit',
          'view_sessions',
          'revoke_sessions',
          'view_sign_ins',
          'send_password_reset',
          target === admin ? 'make_user' : 'make_admin',
          'deactivate',
          'remove',
        ],
        refusals: {},
      });
  });

  it('to themselves: view sessions and sign-ins, and send a password reset', () => {
    const { abilities, refusals } = getAbilities(member, { ...ADMIN, userId: member.id });
    assert.deepEqual(abilities, ['view_sessions', 'view_sign_ins', 'send_password_reset']);
    assert.deepEqual(refusals, { edit: 'users.own_account', revoke_sessions: 'users.own_account' });
  });

  it('to an owner: nothing that changes the membership', () => {
    assert.deepEqual(getAbilities(owner, ADMIN), {
      abilities: ['view_sessions', 'revoke_sessions', 'view_sign_ins', 'send_password_reset'],
      refusals: { edit: 'users.owner_is_locked' },
    });
  });

  it('to a pending invitee: edit, resend and cancel the invitation', () => {
    assert.deepEqual(getAbilities(pending, ADMIN), {
      abilities: ['edit', 'resend_invitation', 'cancel_invitation'],
      refusals: {
        revoke_sessions: 'users.pending_has_no_sessions',
        send_password_reset: 'users.pending_has_no_password',
      },
    });
  });

  it('to a Zendesk user: nothing, with no reason per action', () => {
    for (const caller of [ADMIN, OWNER])
      assert.deepEqual(getAbilities(zendesk, caller), { abilities: [], refusals: {} });
  });

  it('to a deactivated user: view sign-ins, reactivate and remove', () => {
    assert.deepEqual(getAbilities(deactivated, ADMIN), {
      abilities: ['view_sign_ins', 'reactivate', 'remove'],
      refusals: {
        edit: 'users.deactivated',
        revoke_sessions: 'users.deactivated',
        send_password_reset: 'users.deactivated',
      },
    });
  });
});

describe('what an owner may do besides', () => {
  it('to a member: make them an owner', () => {
    assert.ok(getAbilities(member, OWNER).abilities.includes('make_owner'));
    assert.equal(getRefusal('make_owner', pending, OWNER), 'users.not_accepted');
    assert.equal(getRefusal('make_owner', deactivated, OWNER), 'users.deactivated');
  });

  it('to another owner: make them an admin, deactivate and remove them', () => {
    const { abilities } = getAbilities(owner, OWNER);
    for (const action of ['remove_owner', 'deactivate', 'remove'] as const) assert.ok(abilities.includes(action));
  });

  it('to themselves: no more than an admin', () => {
    const self = { ...OWNER, userId: owner.id };
    for (const action of ['deactivate', 'reactivate', 'remove', 'make_owner', 'remove_owner'] as const)
      assert.equal(getRefusal(action, owner, self), 'users.own_account');
  });
});

it('only owners decide who is an owner, regardless of the target', () => {
  for (const target of [member, owner, pending, zendesk, deactivated])
    for (const action of ['make_owner', 'remove_owner'] as const)
      assert.equal(getRefusal(action, target, ADMIN), 'team.owner_required');
});

it('a refused invitation action says whether the user has accepted or is of Zendesk', () => {
  for (const action of ['resend_invitation', 'cancel_invitation'] as const) {
    for (const target of [member, deactivated]) assert.equal(getRefusal(action, target, ADMIN), 'users.not_pending');
    assert.equal(getRefusal(action, zendesk, ADMIN), 'users.zendesk_has_no_actions');
    assert.equal(getRefusal(action, pending, ADMIN), undefined);
  }
});

it('calls that would change nothing are accepted although they are not offered', () => {
  for (const action of ['revoke_sessions', 'deactivate'] as const)
    assert.equal(getRefusal(action, deactivated, ADMIN), undefined);
  assert.equal(getRefusal('reactivate', member, ADMIN), undefined);
  assert.equal(getRefusal('remove', pending, ADMIN), undefined);
});

it('a user of several teams keeps their name', () => {
  assert.equal(getRenameRefusal({ other_teams: 1 }), 'users.name_is_theirs');
  assert.equal(getRenameRefusal({ other_teams: 0 }), undefined);
});
