import assert from 'node:assert/strict';
import { it } from 'node:test';
import { toTokenErrors, validateToken } from './tokens.form.ts';

it('wants a name of at most 100 characters', () => {
  assert.deepEqual(validateToken({ name: 'Chat service' }), {});
  assert.deepEqual(validateToken({ name: '  ' }), { name: 'The name is required.' });
  assert.match(validateToken({ name: 'x'.repeat(101) }).name ?? '', /^The name .*100/);
});

it('puts what the server has against the name beside it', () => {
  assert.deepEqual(toTokenErrors('name: is required'), { name: 'The name is required.' });
  assert.deepEqual(toTokenErrors('This team has reached its service token limit.'), {});
});
