import assert from 'node:assert/strict';
import { test } from 'vitest';
import { passwordProblem } from './new-password.ts';

test('a password of 8 to 128 characters is accepted as it is', () => {
  for (const password of ['a'.repeat(8), 'a'.repeat(128), '  spaces count ']) {
    assert.equal(passwordProblem(password), undefined);
  }
});

test('a password that is too short or too long has its own error', () => {
  assert.match(passwordProblem('a'.repeat(7)) ?? '', /at least 8/);
  assert.match(passwordProblem('a'.repeat(129)) ?? '', /at most 128/);
});
