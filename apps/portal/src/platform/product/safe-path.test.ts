import assert from 'node:assert/strict';
import { test } from 'vitest';
import { toSafePath } from './safe-path.ts';

const OWN = ['/', '/users/users', '/users/users?search=a%20b&member=1', '/x#y', '/a/b//c', '/%2f%2fevil.example'];

const FOREIGN = [
  '//evil.example',
  '//own.invalid',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '/.//evil.example',
  '/x/..//evil.example',
  '/a\\b',
  'https://evil.example',
  'javascript:alert(1)',
  'users/users',
  ' /users',
  '/a b',
  '',
  undefined,
  null,
  7,
  { toString: () => '/users' },
];

test('an own path is kept as it is', () => {
  for (const path of OWN) assert.equal(toSafePath(path), path);
});

test('a path that could lead to another site is not accepted', () => {
  for (const path of FOREIGN) assert.equal(toSafePath(path), undefined, String(path));
});
