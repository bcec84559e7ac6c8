import assert from 'node:assert/strict';
import { test } from 'vitest';
import { matching, normalizeText } from './match-items.ts';

const ITEMS = ['Manage Users', 'Company Directory', 'Retention', 'Retention: Messages', 'Add User', 'Sign out'].map(
  (label) => ({ label, words: label === 'Company Directory' ? 'phone numbers contacts' : '' }),
);

const found = (query: string) => matching(query, ITEMS).map(({ label }) => label);

test('accents and case make no difference', () => {
  assert.equal(normalizeText('Rétençíon'), 'retencion');
  assert.deepEqual(found('RÉTENTION'), ['Retention', 'Retention: Messages']);
});

test('a typo is allowed where nothing matches exactly', () => {
  assert.deepEqual(found('retencion'), ['Retention', 'Retention: Messages']);
  assert.deepEqual(found('mesages'), ['Retention: Messages']);
  assert.deepEqual(found('sing out'), ['Sign out']);
  assert.deepEqual(found('userz'), ['Manage Users', 'Add User']);
  assert.deepEqual(found('directorry'), ['Company Directory']);
  assert.deepEqual(found('zetention'), []);
});

test('every word must fit, in any order', () => {
  assert.deepEqual(found('messages reten'), ['Retention: Messages']);
  assert.deepEqual(found('retention users'), []);
});

test('a whole word ranks above the beginning of one, which ranks above additional words', () => {
  assert.deepEqual(found('user'), ['Add User', 'Manage Users']);
  assert.deepEqual(found('phone'), ['Company Directory']);
  assert.deepEqual(found('ect'), ['Company Directory']);
});

test('an empty text, or punctuation alone, matches nothing', () => {
  for (const query of ['', '   ', '***', '<script>']) assert.deepEqual(found(query), []);
});

test('a text of any length is handled', () => {
  assert.deepEqual(found('r'.repeat(10_000)), []);
});
