import assert from 'node:assert/strict';
import { test } from 'vitest';
import { isSharedDomain } from './domain.rules.ts';

test('domains of one organization can be a team’s; those that anyone can use can’t', () => {
  for (const domain of ['steward.com', 'mail.steward.com', 'steward.co.uk', 'a.github.io', 'steward.example', 'x.test'])
    assert.equal(isSharedDomain(domain), false, domain);
  const suffixes = ['com', 'co.uk', 'github.io', 'herokuapp.com', 's3.amazonaws.com', 'test', 'corp.internal', 'a.lan'];
  const providers = ['gmail.com', 'mail.gmail.com', 'outlook.com', 'proton.me', 'gmx.de', 'yahoo.co.uk', 'qq.com'];
  for (const domain of [...suffixes, ...providers, '127.0.0.1']) assert.equal(isSharedDomain(domain), true, domain);
});
