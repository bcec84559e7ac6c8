import assert from 'node:assert/strict';
import { test } from 'vitest';
import { isSamePassword, passwordProblem } from './new-password.ts';

test('a password of 8 to 128 characters is accepted as it is', () => {
  for (const password of ['a'.repeat(8), 'a'.repeat(128), '  spaces count ']) {
    assert.equal(passwordProblem(password), undefined);
  }
});

test('a password that is too short or too long has its own error', () => {
  assert.match(passwordProblem('a'.repeat(7)) ?? '', /at least 8/);
  assert.match(passwordProblem('a'.repeat(129)) ?? '', /at most 128/);
});

test('the characters of the normalized form are counted and compared', () => {
  const decomposed = 'u\u0308'.repeat(8);
  assert.equal(passwordProblem(decomposed), undefined);
  assert.match(passwordProblem('u\u0308'.repeat(7)) ?? '', /at least 8/);
  assert.ok(isSamePassword(decomposed, 'ü'.repeat(8)));
  assert.ok(!isSamePassword(decomposed, 'u'.repeat(8)));
});
