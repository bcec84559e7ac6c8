import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { getStatus, isNoLongerPending, refusalText } from './invitation-dialogs.tsx';

const NOW = 1_000;
const SENT = { sent_at: 1, expires_at: NOW + 1, mail: 'sent', error: '' } as const;

describe('the status of an invitation', () => {
  it('reports the state of the email and of the link separately', () => {
    assert.deepEqual(getStatus(SENT, NOW), { mail: 'sent', link: 'works' });
    assert.deepEqual(getStatus({ ...SENT, mail: 'failed' }, NOW), { mail: 'failed', link: 'works' });
    assert.deepEqual(getStatus({ ...SENT, mail: 'waiting' }, NOW), { mail: 'waiting', link: 'works' });
  });

  it('treats a link as expired from its exact millisecond', () => {
    assert.equal(getStatus({ ...SENT, expires_at: NOW }, NOW).link, 'ended');
    assert.equal(getStatus({ ...SENT, expires_at: null }, NOW).link, 'none');
  });

  it('reports an email without a record as unknown', () => {
    assert.equal(getStatus({ ...SENT, sent_at: null, mail: null }, NOW).mail, 'unknown');
  });

  it('ends with its own message when the user accepted or is no longer invited', () => {
    assert.equal(isNoLongerPending('users.not_pending'), true);
    assert.equal(isNoLongerPending('record.not_found'), true);
    assert.equal(isNoLongerPending('users.too_many_invitations'), false);
    assert.match(refusalText({ id: 'record.not_found', message: 'x' }), /already accepted or canceled/);
    assert.equal(refusalText({ id: 'users.not_pending', message: 'As the server says.' }), 'As the server says.');
  });
});
