import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { type GrantValues, getChannelId, HOURS, toGrantBody, toGrantErrors, validateGrant } from './grant.form.ts';

const ID = 'c'.repeat(26);
const values: GrantValues = {
  kind: 'private',
  channelId: ID,
  directId: '',
  user_id: ID,
  hours: '24',
  reason: 'Complaint 17',
};

describe('granting compliance access', () => {
  it('offers 1 to 24 hours', () => {
    assert.deepEqual(
      [HOURS[0], HOURS.at(-1)],
      [
        { value: '1', label: '1 hour' },
        { value: '24', label: '24 hours' },
      ],
    );
  });

  it('sends the reason as one line, and the hours as a number', () => {
    assert.deepEqual(toGrantBody({ ...values, reason: ' Complaint\n\n17 ' }), {
      user_id: ID,
      hours: 24,
      reason: 'Complaint 17',
    });
  });

  it('requires a channel, a user and a reason', () => {
    assert.deepEqual(validateGrant(values), {});
    assert.deepEqual(Object.keys(validateGrant({ ...values, channelId: '', user_id: '', reason: ' ' })).sort(), [
      'channelId',
      'reason',
      'user_id',
    ]);
    assert.match(validateGrant({ ...values, reason: 'x'.repeat(501) }).reason ?? '', /^The reason .*500/);
  });

  it('takes the id of a direct channel, with spaces around it', () => {
    const direct: GrantValues = { ...values, kind: 'direct', channelId: '', directId: ` ${ID} ` };
    assert.deepEqual(validateGrant(direct), {});
    assert.equal(getChannelId(direct), ID);
    assert.deepEqual(Object.keys(validateGrant({ ...direct, directId: 'a, b' })), ['directId']);
  });

  it('shows a refusal at its field', () => {
    const unknown = { id: 'record.not_found', message: 'This record does not exist.' };
    assert.deepEqual(Object.keys(toGrantErrors(unknown, { ...values, kind: 'direct' })), ['directId']);
    assert.deepEqual(Object.keys(toGrantErrors(unknown, values)), ['channelId']);
    const refused = { id: 'request.invalid', message: 'user_id: is not an active member of this team' };
    assert.deepEqual(toGrantErrors(refused, values), { user_id: 'The user is not an active member of this team.' });
  });
});
