import assert from 'node:assert/strict';
import { test } from 'vitest';
import { getReauthRequest } from './start-sign-in.actions.ts';

test('providers have to sign the user in again, except Google, which can only let them choose the account', () => {
  const again = { parameters: { prompt: 'login', max_age: '0' }, maxAge: 0 };
  for (const issuer of ['https://id.steward.example', 'https://login.microsoftonline.com/1/v2.0'])
    assert.deepEqual(getReauthRequest(issuer), again);
  assert.deepEqual(getReauthRequest('https://accounts.google.com'), { parameters: { prompt: 'select_account' } });
});
