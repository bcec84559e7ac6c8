import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeAsTyped, expiryAsTyped, expiryFault, numberAsTyped } from './card.form.ts';

test('a card number keeps its digits and spaces, and ends after 19 digits', () => {
  assert.equal(numberAsTyped('4242 4242-4242x4242'), '4242 424242424242');
  assert.equal(numberAsTyped('1234567890123456789 01'), '1234567890123456789 ');
});

test('an expiry gets its stroke with the third digit and can be deleted key by key', () => {
  assert.deepEqual(['0', '09', '092', '09/28', '09/289'].map(expiryAsTyped), ['0', '09', '09/2', '09/28', '09/28']);
  assert.deepEqual(['09/2', '09/', '09'].map(expiryAsTyped), ['09/2', '09/', '09']);
  assert.equal(expiryAsTyped('9/28'), '9/28');
  assert.equal(expiryAsTyped('/'), '');
  assert.equal(expiryAsTyped('ab'), '');
});

test('an expiry that no card has is told', () => {
  assert.equal(expiryFault(''), undefined);
  assert.equal(expiryFault('12/28'), undefined);
  assert.equal(expiryFault('13/28'), 'A month goes from 01 to 12.');
  assert.equal(expiryFault('00/28'), 'A month goes from 01 to 12.');
  assert.equal(expiryFault('9/28'), 'Write it as MM/YY, such as 09/28.');
});

test('a security code has at most three digits', () => {
  assert.equal(codeAsTyped('12a34'), '123');
});
