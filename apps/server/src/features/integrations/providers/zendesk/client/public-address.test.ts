import assert from 'node:assert/strict';
import { describe, test } from 'vitest';
import { isPublicUrl } from '../lifecycle/vendor-resources.actions.ts';

describe('a URL that a help desk can deliver to', () => {
  for (const url of ['https://steward.acme.com', 'https://steward.acme.com:8443/team', 'https://8.8.8.8'])
    test(`is ${url}`, () => assert.equal(isPublicUrl(url), true));
  for (const url of [
    'http://steward.acme.com',
    'https://localhost',
    'https://localhost:8065',
    'https://app.localhost',
    'https://steward',
    'https://steward.local',
    'https://steward.internal.',
    'https://127.0.0.1',
    'https://[::1]',
    'https://[::ffff:7f00:1]',
    'https://192.168.1.5',
    'https://2130706433',
  ])
    test(`is not ${url}`, () => assert.equal(isPublicUrl(url), false));
});
