import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { User } from '@steward/contract/users';
import { actionsFor } from './actions.rules.ts';

const PERSON = { id: 'ann', type: 2, roles: ['team_user'], delete_at: 0 } as unknown as User;
const ADMIN = 'someone-else';

function refused(person: Partial<User>, signedInId = ADMIN): string[] | undefined {
  return actionsFor({ ...PERSON, ...person }, signedInId)
    ?.filter(({ refusal }) => refusal !== undefined)
    .map(({ name }) => name);
}

describe('the actions of a row', () => {
  it('are three, in the words of the spec', () => {
    assert.deepEqual(
      actionsFor(PERSON, ADMIN)?.map(({ label }) => label),
      ['Edit', 'Revoke all sessions', 'Send password reset'],
    );
    assert.deepEqual(refused({}), []);
  });

  it('are none for Zendesk', () => assert.equal(actionsFor({ ...PERSON, roles: ['zendesk'] }, ADMIN), null));

  it('do not end all of your own sessions, but show them', () => {
    assert.deepEqual(refused({}, PERSON.id), ['revoke']);
    const names = (signedInId: string) => actionsFor(PERSON, signedInId)?.map(({ name }) => name);
    assert.deepEqual(names(PERSON.id), ['edit', 'sessions', 'revoke', 'reset']);
    assert.ok(!names(ADMIN)?.includes('sessions'));
  });

  it('do not change an owner, but sign them out', () => {
    assert.deepEqual(refused({ roles: ['team_user', 'team_admin', 'team_owner'] }), ['edit']);
  });

  it('are about the invitation for somebody who has not answered it', () => {
    const labels = actionsFor({ ...PERSON, type: 1 }, ADMIN)?.map(({ label }) => label);
    assert.deepEqual(labels?.slice(0, 3), ['Edit', 'Resend invitation', 'Cancel invitation']);
    assert.deepEqual(refused({ type: 1 }), ['revoke', 'reset']);
  });

  it('leave an invitation alone whose person is deactivated', () => {
    assert.deepEqual(refused({ type: 1, delete_at: 5 }), ['edit', 'revoke', 'reset']);
    assert.equal(actionsFor({ ...PERSON, type: 1, delete_at: 5 }, ADMIN)?.length, 3);
  });

  it('are all refused, with the reason, for a deactivated person', () => {
    assert.deepEqual(refused({ delete_at: 5 }), ['edit', 'revoke', 'reset']);
  });
});
