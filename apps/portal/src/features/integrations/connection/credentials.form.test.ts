import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { connectIntegration } from '@steward/contract/integrations';
import {
  type CredentialValues,
  getFormValues,
  toCredentialErrors,
  toRequestBody,
  validateCredentials,
} from './credentials.form.ts';

const TOKEN: CredentialValues = {
  ...getFormValues(undefined),
  domain: 'acme',
  username: 'ada@acme.example',
  token: 't0k',
};
const PASSWORD: CredentialValues = { ...TOKEN, is_token: false, token: '', password: ' secret ' };
const CLIENT: CredentialValues = { ...TOKEN, by: 'client', client_id: 'steward', client_secret: 's' };

describe('the credential form', () => {
  it('opens with a token, and with what is stored but for the secrets', () => {
    assert.deepEqual(getFormValues(undefined), {
      domain: '',
      by: 'user',
      is_token: true,
      username: '',
      password: '',
      token: '',
      client_id: '',
      client_secret: '',
    });
    const stored = { domain: 'acme', username: 'ada@acme.example' };
    assert.equal(getFormValues({ ...stored, authentication: 1 }).is_token, false);
    assert.equal(getFormValues({ ...stored, authentication: 3 }).by, 'client');
    assert.equal(getFormValues({ ...stored, authentication: 3 }).is_token, true);
    assert.equal(getFormValues({ ...stored, authentication: 2 }).username, 'ada@acme.example');
  });

  it('sends the secret of the way that was chosen, and no other', () => {
    const all = { ...CLIENT, password: 'p', token: 't' };
    assert.deepEqual(Object.keys(toRequestBody({ ...all, by: 'user' })), [
      'domain',
      'username',
      'authentication',
      'token',
    ]);
    assert.deepEqual(toRequestBody(PASSWORD), {
      domain: 'acme',
      username: 'ada@acme.example',
      authentication: 1,
      password: ' secret ',
    });
    assert.deepEqual(toRequestBody(all), {
      domain: 'acme',
      username: '',
      authentication: 3,
      client_id: 'steward',
      client_secret: 's',
    });
    for (const values of [TOKEN, PASSWORD, CLIENT])
      assert.ok(connectIntegration.body?.safeParse(toRequestBody(values)).success);
  });

  it('sends the account alone of an address, and a token without the line break it was pasted with', () => {
    const body = toRequestBody({
      ...TOKEN,
      domain: ' https://acme.zendesk.com/agent ',
      username: ' a@b ',
      token: 't0k\n',
    });
    assert.deepEqual(body, { domain: 'acme', username: 'a@b', authentication: 2, token: 't0k' });
  });

  it('asks for everything that the chosen way needs, and for nothing else', () => {
    const empty = getFormValues(undefined);
    const both = { domain: 'The domain is required.', username: 'The email is required.' };
    assert.deepEqual(validateCredentials(empty), { ...both, token: 'The API token is required.' });
    assert.deepEqual(validateCredentials({ ...empty, is_token: false }), {
      ...both,
      password: 'The password is required.',
    });
    assert.deepEqual(validateCredentials({ ...empty, by: 'client' }), {
      domain: 'The domain is required.',
      client_id: 'The client id is required.',
      client_secret: 'The client secret is required.',
    });
    for (const values of [TOKEN, PASSWORD, CLIENT]) assert.deepEqual(validateCredentials(values), {});
  });

  it('says what cannot be the name of an account, an email, or a token', () => {
    assert.match(validateCredentials({ ...TOKEN, domain: 'evil.example/' }).domain ?? '', /not the name of a Zendesk/);
    assert.equal(validateCredentials({ ...TOKEN, username: 'ada' }).username, 'This is not an email address.');
    assert.equal(
      validateCredentials({ ...TOKEN, username: 'a:b@acme.example' }).username,
      'This is not an email address.',
    );
    assert.match(validateCredentials({ ...TOKEN, token: 'x'.repeat(5_000) }).token ?? '', /^The API token .*at most/);
  });

  it('puts what the server has against a field beside it', () => {
    const refused = (id: string, message: string) => toCredentialErrors({ id, message });
    assert.deepEqual(refused('helpdesk.bad_domain', 'No such name.'), { domain: 'No such name.' });
    assert.deepEqual(refused('request.invalid', 'username: is not an email address'), {
      username: 'This is not an email address.',
    });
    assert.deepEqual(refused('helpdesk.refused', 'Zendesk did not accept this email and API token.'), {});
  });
});
