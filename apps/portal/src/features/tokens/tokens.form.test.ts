import assert from 'node:assert/strict';
import { it } from 'node:test';
import { toTokenErrors, validateToken } from './tokens.form.ts';

it('requires a name of at most 100 characters', () => {
  assert.deepEqual(validateToken({ name: 'Chat service' }), {});
  assert.deepEqual(validateToken({ name: '  ' }), { name: 'The name is required.' });
  assert.match(validateToken({ name: 'x'.repeat(101) }).name ?? '', /^The name .*100/);
});

it('shows an error of the server at the name', () => {
  assert.deepEqual(toTokenErrors('name: is required'), { name: 'The name is required.' });
  assert.deepEqual(toTokenErrors('This team has reached its service token limit.'), {});
});
