import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fullName, getHue, getInitials } from './initials.ts';

const person = (first_name: string, last_name = '', email = 'kim@team.example') => ({ first_name, last_name, email });

test('a person is called by name, and by email when there is none', () => {
  assert.equal(fullName(person('Ada', 'Byron')), 'Ada Byron');
  assert.equal(fullName(person('Ada')), 'Ada');
  assert.equal(fullName(person('', ' ')), 'kim@team.example');
});

test('initials come from the names, then from the email', () => {
  assert.equal(getInitials(person('ada', 'byron')), 'AB');
  assert.equal(getInitials(person('', 'Byron')), 'B');
  assert.equal(getInitials(person('')), 'K');
  assert.equal(getInitials(person('', '', '')), '?');
});

test('a letter with diacritics and a joined emoji stay whole', () => {
  assert.equal(getInitials(person('e\u0301va', '👩‍🚀 Star')), 'E\u0301👩‍🚀');
});

test('a user always has the same hue, which is the one that the server uses', () => {
  assert.equal(getHue('062ml86l9061e57477b54f8b86'), 302);
});
