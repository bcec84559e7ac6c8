import assert from 'node:assert/strict';
import { describe, test } from 'vitest';
import { parseSubdomain } from './domain.rules.ts';

const MEANT: [typed: string, subdomain: string][] = [
  ['acme', 'acme'],
  [' acme\t', 'acme'],
  ['ACME', 'acme'],
  ['a', 'a'],
  ['acme-support2', 'acme-support2'],
  ['a'.repeat(63), 'a'.repeat(63)],
  ['acme.zendesk.com', 'acme'],
  ['Acme.Zendesk.Com', 'acme'],
  ['https://acme.zendesk.com', 'acme'],
  ['https://acme.zendesk.com/', 'acme'],
  ['https://acme.zendesk.com/agent', 'acme'],
  ['https://acme.zendesk.com/agent/tickets/35?brand=1#x', 'acme'],
  ['acme.zendesk.com/admin/apps-integrations/webhooks', 'acme'],
  ['https://acme.zendesk.com/hc/en-us', 'acme'],
  // Hosts of Zendesk itself are still within zendesk.com.
  ['localhost', 'localhost'],
];

/** Domains an attacker could enter to make the server call a host other than the vendor's. */
const HOSTILE: readonly string[] = [
  '',
  ' ',
  '.',
  '..',
  '../',
  '/',
  'a.b',
  'evil.example',
  'evil.example/',
  'evil.example/.zendesk.com',
  'evil.example#.zendesk.com',
  'evil.example?.zendesk.com',
  'evil.example\\.zendesk.com',
  'a@b',
  'acme@evil',
  'acme:secret@evil.example',
  'acme.zendesk.com@evil.example',
  'https://acme.zendesk.com@evil.example/agent',
  'https://evil.example/acme.zendesk.com',
  'acme.zendesk.com.evil.example',
  'evilzendesk.com',
  'acme.zendesk.com.',
  'acme.zendesk.com:8080',
  'acme:443',
  'acme.zendesk.com/../../evil',
  'acme.zendesk.com//evil.example',
  'acme.zendesk.com/redirect?to=//evil.example',
  'http://acme.zendesk.com',
  'ftp://acme.zendesk.com',
  'file:///etc/passwd',
  'javascript:alert(1)',
  '127.0.0.1',
  '0x7f.1',
  '2130706433.',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '::1',
  '169.254.169.254',
  'acme\r\nHost: evil.example',
  'acme\n',
  'acme\0',
  'acme%2eevil',
  'acme%00',
  // Dots and letters that only look like ours.
  'acme\u3002evil',
  'acme\uff0eevil',
  'acme\uff61zendesk\uff61com',
  'ac\u212Ae',
  '\u0430cme',
  'acme\u200b',
  'acme\u202ecom',
  'acm\u00e9',
  '-acme',
  'acme-',
  'ac_me',
  'ac me',
  '*',
  'a'.repeat(64),
  `${'a'.repeat(200)}.zendesk.com`,
  '{subdomain}',
  '{{acme}}',
];

describe('parsing a subdomain', () => {
  for (const [typed, subdomain] of MEANT)
    test(`${JSON.stringify(typed.slice(0, 80))} is ${subdomain.slice(0, 20)}`, () =>
      assert.equal(parseSubdomain(typed), subdomain));

  for (const typed of HOSTILE)
    test(`${JSON.stringify(typed.slice(0, 80))} is refused`, () => assert.equal(parseSubdomain(typed), undefined));
});
