import assert from 'node:assert/strict';
import { test } from 'vitest';
import { formatCardNumberInput, formatExpiryInput, formatSecurityCodeInput, getExpiryError } from './card.form.ts';

test('a card number keeps digits and spaces, up to 19 digits', () => {
  assert.equal(formatCardNumberInput('4242 4242-4242x4242'), '4242 424242424242');
  assert.equal(formatCardNumberInput('1234567890123456789 01'), '1234567890123456789 ');
});

test('an expiry gets its slash with the third digit and can be deleted character by character', () => {
  assert.deepEqual(['0', '09', '092', '09/28', '09/289'].map(formatExpiryInput), ['0', '09', '09/2', '09/28', '09/28']);
  assert.deepEqual(['09/2', '09/', '09'].map(formatExpiryInput), ['09/2', '09/', '09']);
  assert.equal(formatExpiryInput('9/28'), '9/28');
  assert.equal(formatExpiryInput('/'), '');
  assert.equal(formatExpiryInput('ab'), '');
});

test('an invalid expiry date gets an error', () => {
  assert.equal(getExpiryError(''), undefined);
  assert.equal(getExpiryError('12/28'), undefined);
  assert.equal(getExpiryError('13/28'), 'Enter a month from 01 to 12.');
  assert.equal(getExpiryError('00/28'), 'Enter a month from 01 to 12.');
  assert.equal(getExpiryError('9/28'), 'Use the format MM/YY, for example 09/28.');
});

test('a security code has at most three digits', () => {
  assert.equal(formatSecurityCodeInput('12a34'), '123');
});
