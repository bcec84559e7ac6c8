import assert from 'node:assert/strict';
import { test } from 'vitest';
import { fullName, getHue, getInitials, splitName } from './names.ts';

const user = (first_name: string, last_name = '', email = 'kim@team.example') => ({ first_name, last_name, email });

test('a user is called by name, and by email when there is none', () => {
  assert.equal(fullName(user('Ada', 'Byron')), 'Ada Byron');
  assert.equal(fullName(user('Ada')), 'Ada');
  assert.equal(fullName(user('', ' ')), 'kim@team.example');
});

test('initials come from the names, then from the email', () => {
  assert.equal(getInitials(user('ada', 'byron')), 'AB');
  assert.equal(getInitials(user('', 'Byron')), 'B');
  assert.equal(getInitials(user('')), 'K');
  assert.equal(getInitials(user('', '', '')), '?');
  assert.equal(getInitials(user('\u200f ada', ' \u200b')), 'A');
});

test('an initial is one visible character, however many code points it has', () => {
  assert.equal(getInitials(user('e\u0301va', '👩‍🚀 Star')), 'E\u0301👩‍🚀');
  assert.equal(getInitials(user('🇩🇪 Team', '👨‍👩‍👧‍👦')), '🇩🇪👨‍👩‍👧‍👦');
  assert.equal(getInitials(user('ßen', 'ﬁn')), 'ßﬁ');
  assert.equal(getInitials(user('क्षितिज', 'निशा')), 'क्षिनि');
});

test('a user always has the same hue', () => {
  assert.equal(getHue('062ml86l9061e57477b54f8b86'), 302);
});

test('a name is read in either order', () => {
  const names = (name: string) => Object.values(splitName(name));
  assert.deepEqual(names('Ada Byron'), ['Ada', 'Byron']);
  assert.deepEqual(names('Maria del Mar Ruiz'), ['Maria', 'del Mar Ruiz']);
  assert.deepEqual(names('Byron, Ada'), ['Ada', 'Byron']);
  assert.deepEqual(names('van der Berg ,  Anna Maria'), ['Anna Maria', 'van der Berg']);
  assert.deepEqual(names('Lee, Ann, PhD'), ['Ann', 'Lee']);
  assert.deepEqual(names('Ann Lee, Jr.'), ['Ann', 'Lee']);
  assert.deepEqual(names('Ada'), ['Ada', '']);
  assert.deepEqual(names('Byron,'), ['Byron', '']);
  assert.deepEqual(names(''), ['', '']);
});
