import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { applyEnteredDomain, isDomain, normalizeDomain } from './zendesk-domain.ts';

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
