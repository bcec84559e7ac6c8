import assert from 'node:assert/strict';
import { test } from 'vitest';
import { readRefusal } from './sso-error.tsx';

test('the message of a refused single sign-on is read from its cookie', () => {
  const message =
    'Your account is deactivated in the team Acme; Sons. Ask an owner to reactivate it: ada@example.test.';
  const value = encodeURIComponent(message);
  assert.equal(readRefusal(`a=1; steward_refusal=${value}; b=2`), message);
  assert.equal(readRefusal(`__Host-steward_refusal=${value}`), message);
  for (const cookies of ['', 'a=1', `xsteward_refusal=${value}`]) assert.equal(readRefusal(cookies), undefined);
});
