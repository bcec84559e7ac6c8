import assert from 'node:assert/strict';
import { SCIM_LOG_REQUEST_MAX } from '@steward/contract/api/limits';
import { test } from 'vitest';
import { toLoggedBody } from './scim-call.ts';

test('the log of a call reads no more of its body than it keeps', () => {
  const list: object[] = Array.from({ length: SCIM_LOG_REQUEST_MAX + 10 }, () => ({ value: 'x', items: ['y'] }));
  let read = 0;
  const counted = list.map((item) => ({
    get value() {
      read += 1;
      return item;
    },
  }));
  const text = toLoggedBody({ members: counted });
  assert.equal(text.length, SCIM_LOG_REQUEST_MAX);
  assert.ok(read <= SCIM_LOG_REQUEST_MAX, `${read}`);
});

test('the log of a call has no secrets', () => {
  const patch = { op: 'replace', path: 'password', value: 'hidden' };
  const text = toLoggedBody({ Operations: [patch], clientSecret: 'hidden', userName: 'ada' });
  assert.doesNotMatch(text, /hidden/);
  assert.match(text, /"path":"password","value":"\[removed\]".*"userName":"ada"/);
});
