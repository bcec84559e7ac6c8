import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeRowError } from './row-errors.ts';

test('an error of a row is a sentence that names the column', () => {
  for (const [error, sentence] of [
    ['email: is not an email address', 'Email is not an email address.'],
    ['account_type: must be Team Admin or Team User', 'Account Type must be Team Admin or Team User.'],
    ['first_name: must have at most 100 characters', 'First Name must have at most 100 characters.'],
    ['This person is deactivated.', 'This person is deactivated.'],
    ['toString: x', 'toString: x.'],
    ['expected an object', 'expected an object.'],
  ] as const)
    assert.equal(describeRowError(error), sentence);
});
