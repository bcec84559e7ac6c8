import assert from 'node:assert/strict';
import { test } from 'vitest';
import { toReturnPath } from './sign-in.routes.ts';

test('case 10: a sign-in never continues to another site', () => {
  for (const path of ['/', '/users/users?search=a#b', '/account']) assert.equal(toReturnPath(path), path);
  const evil = ['//evil.example', '/\\evil.example', 'https://evil.example', '/\t/evil.example', '/\n/evil.example'];
  for (const path of [...evil, 'users', '', undefined, ['/a'], '/%0a\\x', '/..//evil.example', `/${'a'.repeat(2_000)}`])
    assert.equal(toReturnPath(path), '/', String(path));
});
