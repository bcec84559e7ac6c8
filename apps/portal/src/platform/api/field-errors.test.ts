import assert from 'node:assert/strict';
import { it } from 'vitest';
import { collectErrors, toFieldErrors } from './field-errors.ts';

const LABELS = { name: 'The name', email: 'The email address' };

it('describes the first problem of each field in a sentence', () => {
  const issues = [
    { path: ['name'], message: 'is too long' },
    { path: ['name'], message: 'is odd' },
    { path: [0, 'email'], message: 'has no @.' },
  ];
  assert.deepEqual(collectErrors(issues, LABELS), {
    name: 'The name is too long.',
    email: 'The email address has no @.',
  });
});

it('finds the fields in a refusal, also inside a list of one', () => {
  const found = { name: 'The name is too long.', email: 'The email address must end in a dot, such as .com.' };
  assert.deepEqual(toFieldErrors('name: is too long; email: must end in a dot, such as .com', LABELS), found);
  assert.deepEqual(toFieldErrors('0.name: is too long; 0.email: must end in a dot, such as .com', LABELS), found);
});

it('leaves out text that names no field', () => {
  assert.deepEqual(toFieldErrors('The request is not valid.', LABELS), {});
  assert.deepEqual(toFieldErrors('email_alias: is odd; toString: is odd', LABELS), {});
});
