import assert from 'node:assert/strict';
import { test } from 'vitest';
import { Failure } from '#platform/api/failure.ts';
import { getFormValues, toFinalErrors, validateFinal } from './final.form.ts';

const RIGHT = { first: 'Kim', last: 'Lee', password: 'quiet river', password2: 'quiet river' };
const refusal = (id: string, message: string) => new Failure({ status_code: 400, id, message });

test('the form starts with the names from the link', () => {
  assert.deepEqual(getFormValues({ first: 'Kim', last: '' }), { first: 'Kim', last: '', password: '', password2: '' });
});

test('all four fields are required', () => {
  assert.deepEqual(validateFinal(RIGHT), {});
  assert.deepEqual(validateFinal({ first: ' ', last: '', password: '', password2: '' }), {
    first: 'First name is required.',
    last: 'Last name is required.',
    password: 'Password is required.',
    password2: 'Please enter the password again.',
  });
});

test('the password must be long enough and entered twice', () => {
  assert.deepEqual(validateFinal({ ...RIGHT, password: 'seven77', password2: 'seven77' }), {
    password: 'The password must have at least 8 characters.',
  });
  assert.deepEqual(validateFinal({ ...RIGHT, password2: 'quiet river ' }), {
    password2: 'Passwords must be matching. ',
  });
});

test('a name of more than 100 characters is refused', () => {
  assert.deepEqual(validateFinal({ ...RIGHT, last: 'l'.repeat(101) }), {
    last: 'Last name must have at most 100 characters.',
  });
});

test('an error of the server is shown at its field', () => {
  assert.deepEqual(toFinalErrors(refusal('password.too_common', 'Too common.')), { password: 'Too common.' });
  assert.deepEqual(toFinalErrors(refusal('signup.passwords_differ', 'Passwords must be matching. ')), {
    password2: 'Passwords must be matching. ',
  });
  assert.deepEqual(toFinalErrors(refusal('request.invalid', 'body.first: is required')), {
    first: 'First name is required.',
  });
  assert.deepEqual(toFinalErrors(refusal('signup.link_invalid', 'This link has expired or was already used.')), {});
});
