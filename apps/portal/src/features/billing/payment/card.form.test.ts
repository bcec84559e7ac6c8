import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatCardNumberInput, formatExpiryInput, formatSecurityCodeInput, getExpiryError } from './card.form.ts';

test('a card number keeps its digits and spaces, and ends after 19 digits', () => {
  assert.equal(formatCardNumberInput('4242 4242-4242x4242'), '4242 424242424242');
  assert.equal(formatCardNumberInput('1234567890123456789 01'), '1234567890123456789 ');
});

test('an expiry gets its stroke with the third digit and can be deleted key by key', () => {
  assert.deepEqual(['0', '09', '092', '09/28', '09/289'].map(formatExpiryInput), ['0', '09', '09/2', '09/28', '09/28']);
  assert.deepEqual(['09/2', '09/', '09'].map(formatExpiryInput), ['09/2', '09/', '09']);
  assert.equal(formatExpiryInput('9/28'), '9/28');
  assert.equal(formatExpiryInput('/'), '');
  assert.equal(formatExpiryInput('ab'), '');
});

test('an expiry that no card has is told', () => {
  assert.equal(getExpiryError(''), undefined);
  assert.equal(getExpiryError('12/28'), undefined);
  assert.equal(getExpiryError('13/28'), 'A month goes from 01 to 12.');
  assert.equal(getExpiryError('00/28'), 'A month goes from 01 to 12.');
  assert.equal(getExpiryError('9/28'), 'Write it as MM/YY, such as 09/28.');
});

test('a security code has at most three digits', () => {
  assert.equal(formatSecurityCodeInput('12a34'), '123');
});
