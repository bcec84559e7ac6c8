import assert from 'node:assert/strict';
import { test } from 'vitest';
import { Failure } from '#platform/api/failure.ts';
import { EMPTY_VALUES, toSetUpBody, toSetUpErrors, validateSetUp } from './setup.form.ts';

const PERSON = { first: 'Kim', last: 'Lee', password: 'quiet river', password2: 'quiet river' };
const RIGHT = { team_name: 'Acme', time_zone: 'Asia/Tokyo', email: 'kim@example.test', ...PERSON };
const refusal = (id: string, message: string) => new Failure({ status_code: 400, id, message });

test('all fields are required, and named in the order of the form', () => {
  assert.deepEqual(validateSetUp(RIGHT), {});
  const { time_zone: _chosen, ...fields } = EMPTY_VALUES;
  assert.deepEqual(Object.keys(validateSetUp(EMPTY_VALUES)), Object.keys(fields));
});

test('the team, the address and the passwords are checked', () => {
  assert.deepEqual(validateSetUp({ ...RIGHT, team_name: 'www.x.example', email: 'kim', password2: 'x' }), {
    team_name: 'The name must not be a web address.',
    email: 'This is not an email address.',
    password2: 'Passwords must be matching. ',
  });
});

test('the repeated password is not sent', () => {
  const { password2: _repeated, ...sent } = RIGHT;
  assert.deepEqual(toSetUpBody('the-token', RIGHT), { token: 'the-token', ...sent });
});

test('an error of the server is shown at its field', () => {
  assert.deepEqual(toSetUpErrors(refusal('password.too_common', 'Too common.')), { password: 'Too common.' });
  assert.deepEqual(toSetUpErrors(refusal('request.invalid', 'body.email: is not an email address')), {
    email: 'Email is not an email address.',
  });
  assert.deepEqual(toSetUpErrors(refusal('setup.link_invalid', 'This set-up link was used.')), {});
});
