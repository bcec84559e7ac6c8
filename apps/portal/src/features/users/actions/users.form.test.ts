import assert from 'node:assert/strict';
import { mapProfile, saveUser } from '@steward/contract/users';
import { describe, it } from 'vitest';
import { fieldErrors, getFormValues, toRequestBody, type UserValues, validateUser } from './users.form.ts';

const EMPTY = mapProfile(() => '');
const GOOD: UserValues = { ...EMPTY, email: 'ann@example.com', account_type: '2', ends_on: '' };

describe('the form of a user', () => {
  it('starts as an empty form for a Team User', () => {
    assert.deepEqual(getFormValues(null), { ...GOOD, email: '' });
  });

  it('requires only an email', () => {
    assert.deepEqual(validateUser(GOOD), {});
    assert.deepEqual(validateUser({ ...GOOD, email: '  ' }), { email: 'Email is required.' });
    assert.deepEqual(validateUser({ ...GOOD, email: 'ann@' }), { email: 'Enter a valid email address.' });
  });

  it('says which name is too long', () => {
    assert.deepEqual(validateUser({ ...GOOD, last_name: 'x'.repeat(101) }), {
      last_name: 'The last name must have at most 100 characters.',
    });
  });

  it('sends trimmed values that the contract accepts', () => {
    const body = toRequestBody({ ...GOOD, email: ' ann@example.com ', account_type: '1', first_name: ' Ann ' }, null);
    assert.deepEqual(body, { ...EMPTY, email: 'ann@example.com', account_type: 1, first_name: 'Ann' });
    assert.ok(saveUser.body?.safeParse(body).success);
  });

  it('sends an end date only if it was edited', () => {
    const send = (ends_on: string, stored: string | null) => toRequestBody({ ...GOOD, ends_on }, { ends_on: stored });
    assert.equal('ends_on' in send('', null), false);
    assert.equal('ends_on' in send('2027-03-31', '2027-03-31'), false);
    assert.equal(send('2027-03-31', null).ends_on, '2027-03-31');
    assert.equal(send('', '2027-03-31').ends_on, null);
    assert.deepEqual(validateUser({ ...GOOD, ends_on: '0002-03-31' }), {});
    assert.deepEqual(validateUser({ ...GOOD, ends_on: '2027-02-30' }), {
      ends_on: 'The end date must be a date such as 2027-03-31.',
    });
  });

  it('shows errors of the server at their fields', () => {
    assert.deepEqual(fieldErrors('email: is not an email address; first_name: is too long'), {
      email: 'Enter a valid email address.',
      first_name: 'The first name is too long.',
    });
    assert.deepEqual(fieldErrors('The request is not valid.'), {});
    assert.deepEqual(fieldErrors('email_alias: is odd'), {});
  });
});
