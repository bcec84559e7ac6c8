import assert from 'node:assert/strict';
import { connectIntegration } from '@steward/contract/integrations';
import { describe, it } from 'vitest';
import {
  applyEnteredDomain,
  type CredentialValues,
  getFormValues,
  isDomain,
  normalizeDomain,
  toCredentialErrors,
  toRequestBody,
  validateCredentials,
} from './credentials.form.ts';

const TOKEN: CredentialValues = {
  ...getFormValues(undefined),
  by: 'user',
  domain: 'acme',
  username: 'ada@acme.example',
  token: 't0k',
};
const PASSWORD: CredentialValues = { ...TOKEN, is_token: false, token: '', password: ' secret ' };
const CLIENT: CredentialValues = { ...TOKEN, by: 'client', client_id: 'steward', client_secret: 's' };

describe('the credential form', () => {
  it('opens with an OAuth client, or with the stored sign-in method of a connected integration', () => {
    assert.deepEqual(getFormValues(undefined), {
      domain: '',
      by: 'client',
      is_token: true,
      username: '',
      password: '',
      token: '',
      client_id: '',
      client_secret: '',
    });
    const stored = { enabled: true, domain: 'acme', username: 'ada@acme.example' };
    assert.equal(getFormValues({ ...stored, authentication: 2 }).by, 'user');
    assert.equal(getFormValues({ ...stored, enabled: false, authentication: 2 }).by, 'client');
    assert.equal(getFormValues({ ...stored, authentication: 1 }).is_token, false);
    assert.equal(getFormValues({ ...stored, authentication: 3 }).by, 'client');
    assert.equal(getFormValues({ ...stored, authentication: 3 }).is_token, true);
    assert.equal(getFormValues({ ...stored, authentication: 2 }).username, 'ada@acme.example');
  });

  it('sends only the secret of the selected sign-in method', () => {
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

  it('sends the subdomain of a URL, and a token without its trailing line break', () => {
    const body = toRequestBody({
      ...TOKEN,
      domain: ' https://acme.zendesk.com/agent ',
      username: ' a@b ',
      token: 't0k\n',
    });
    assert.deepEqual(body, { domain: 'acme', username: 'a@b', authentication: 2, token: 't0k' });
  });

  it('requires exactly the fields of the selected sign-in method', () => {
    const empty = { ...getFormValues(undefined), by: 'user' as const };
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

  it('rejects an invalid subdomain, email or token', () => {
    assert.match(validateCredentials({ ...TOKEN, domain: 'evil.example/' }).domain ?? '', /not the name of a Zendesk/);
    assert.equal(validateCredentials({ ...TOKEN, username: 'ada' }).username, 'This is not an email address.');
    assert.equal(
      validateCredentials({ ...TOKEN, username: 'a:b@acme.example' }).username,
      'This is not an email address.',
    );
    assert.match(validateCredentials({ ...TOKEN, token: 'x'.repeat(5_000) }).token ?? '', /^The API token .*at most/);
  });

  it('shows an error of the server at its field', () => {
    const refused = (id: string, message: string) => toCredentialErrors({ id, message });
    assert.deepEqual(refused('helpdesk.bad_domain', 'No such name.'), { domain: 'No such name.' });
    assert.deepEqual(refused('request.invalid', 'username: is not an email address'), {
      username: 'This is not an email address.',
    });
    assert.deepEqual(refused('helpdesk.refused', 'Zendesk did not accept this email and API token.'), {});
  });
});

describe('the domain of a Zendesk account', () => {
  it('is extracted from a copied URL or host name', () => {
    for (const typed of [
      'acme',
      ' acme ',
      'ACME',
      'acme.zendesk.com',
      'https://acme.zendesk.com',
      'https://acme.zendesk.com/agent',
      'HTTPS://Acme.Zendesk.com/agent/tickets/35?brand=1#latest',
      'acme.zendesk.com/admin',
    ])
      assert.equal(normalizeDomain(typed), 'acme', typed);
  });

  it('is not extracted from the URL of another site', () => {
    for (const typed of [
      'https://acme.example/agent',
      'https://acme.zendesk.com.evil.example/',
      'https://acme.zendesk.com@evil.example/',
      'http://acme.zendesk.com',
      'a.b.zendesk.com',
      'acme.zendesk.com:8080',
      '-acme',
      'ac me',
      'acmé',
      '',
      'a'.repeat(64),
    ])
      assert.equal(isDomain(normalizeDomain(typed)), false, typed);
  });

  it('is extracted on paste, and left alone while typing', () => {
    assert.equal(applyEnteredDomain('', 'https://acme.zendesk.com/agent'), 'acme');
    assert.equal(applyEnteredDomain('old', 'acme.zendesk.com'), 'acme');
    assert.equal(applyEnteredDomain('acme.zendesk.co', 'acme.zendesk.com'), 'acme.zendesk.com');
    assert.equal(applyEnteredDomain('', 'acme corp'), 'acme corp');
  });
});
