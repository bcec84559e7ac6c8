import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { enteredDomain, isDomain, plainDomain } from './zendesk-domain.ts';

describe('the domain of a Zendesk account', () => {
  it('is cut out of what was copied', () => {
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
      assert.equal(plainDomain(typed), 'acme', typed);
  });

  it('is not guessed from the address of somebody else', () => {
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
      assert.equal(isDomain(plainDomain(typed)), false, typed);
  });

  it('is cut down when it is pasted, and left alone while it is typed', () => {
    assert.equal(enteredDomain('', 'https://acme.zendesk.com/agent'), 'acme');
    assert.equal(enteredDomain('old', 'acme.zendesk.com'), 'acme');
    assert.equal(enteredDomain('acme.zendesk.co', 'acme.zendesk.com'), 'acme.zendesk.com');
    assert.equal(enteredDomain('', 'acme corp'), 'acme corp');
  });
});
