import assert from 'node:assert/strict';
import { describe, test } from 'vitest';
import { HOSTILE_DOMAINS } from '#testing/authorization/hostile-domains.ts';
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

describe('parsing a subdomain', () => {
  for (const [typed, subdomain] of MEANT)
    test(`${JSON.stringify(typed.slice(0, 80))} is ${subdomain.slice(0, 20)}`, () =>
      assert.equal(parseSubdomain(typed), subdomain));

  for (const typed of HOSTILE_DOMAINS)
    test(`${JSON.stringify(typed.slice(0, 80))} is refused`, () => assert.equal(parseSubdomain(typed), undefined));
});
