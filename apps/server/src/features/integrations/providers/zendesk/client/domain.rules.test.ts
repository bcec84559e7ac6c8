import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
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
  // The vendor's own hosts stay below its name, whatever they are called.
  ['localhost', 'localhost'],
];

describe('the subdomain that is meant', () => {
  for (const [typed, subdomain] of MEANT)
    test(`${JSON.stringify(typed.slice(0, 80))} means ${subdomain.slice(0, 20)}`, () =>
      assert.equal(parseSubdomain(typed), subdomain));

  for (const typed of HOSTILE_DOMAINS)
    test(`${JSON.stringify(typed.slice(0, 80))} means nothing`, () => assert.equal(parseSubdomain(typed), undefined));
});
