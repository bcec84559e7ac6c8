import assert from 'node:assert/strict';
import { test } from 'node:test';
import { passwordProblem } from './new-password.ts';

test('a password of 8 to 128 characters, typed twice, is accepted as it is', () => {
  for (const password of ['a'.repeat(8), 'a'.repeat(128), '  spaces count ']) {
    assert.equal(passwordProblem(password, password), undefined);
  }
});

test('a password that is too short, too long or typed differently is named as such', () => {
  assert.match(passwordProblem('a'.repeat(7), 'a'.repeat(7)) ?? '', /at least 8/);
  assert.match(passwordProblem('a'.repeat(129), 'a'.repeat(129)) ?? '', /at most 128/);
  assert.equal(passwordProblem('long enough', 'long enough '), 'Passwords must be matching. ');
});
