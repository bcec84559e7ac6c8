import assert from 'node:assert/strict';
import { test } from 'vitest';
import { parseEnv } from './env.ts';

const KEY = 'ab'.repeat(32);

test('without variables, the server is embedded and listens on loopback', () => {
  const env = parseEnv({}, '/nowhere');
  assert.partialDeepStrictEqual(env, {
    PORT: 8065,
    host: '127.0.0.1',
    publicUrl: 'http://localhost:8065',
    embedded: true,
    DEMO: true,
    signUp: { mode: 'open', domains: [] },
    insecure: [],
    ROLES: ['web', 'worker'],
    SESSION_IDLE_MINUTES: 60,
    SESSION_HOURS: 24,
    dataDir: undefined,
    PRODUCT_NAME: 'Steward',
  });
});

test('with DATABASE_URL, it listens on all addresses and requires a key', () => {
  const DATABASE_URL = 'postgres://db.example.test/steward';
  const env = parseEnv({ DATABASE_URL, SECRET_KEY: KEY, PUBLIC_URL: 'https://steward.test//' }, '/nowhere');
  assert.partialDeepStrictEqual(env, { embedded: false, host: '0.0.0.0', publicUrl: 'https://steward.test' });
  assert.throws(() => parseEnv({ DATABASE_URL }), /SECRET_KEY: is required with DATABASE_URL/);
  assert.throws(() => parseEnv({ DATABASE_DIRECT_URL: DATABASE_URL }), /DATABASE_DIRECT_URL: requires DATABASE_URL/);
  assert.throws(() => parseEnv({ DATABASE_REPLICA_URL: DATABASE_URL }), /DATABASE_REPLICA_URL: requires DATABASE_URL/);
});

test('all problems are reported at once', () => {
  const wrong = {
    PORT: 'x',
    PUBLIC_URL: 'ftp://a',
    SECRET_KEY: 'short',
    ROLES: 'web,cook',
    SESSION_HOURS: '25',
    DEMO: 'yes',
    SMTP_URL: 'http://a',
    PRODUCT_NAME: '<b>',
    HELPDESK_URL: 'http://127.0.0.1:8066/acme',
    LOG_LEVEL: 'loud',
    SIGNUP: 'everybody',
    SECURITY_CONTACT: 'http://a.example',
    ALLOW_INSECURE: 'yes',
  };
  assert.throws(
    () => parseEnv(wrong),
    (error: Error) => {
      for (const name of Object.keys(wrong)) assert.match(error.message, new RegExp(`${name}[.:]`), name);
      assert.doesNotMatch(error.message, /short/, 'a value may be a secret');
      return true;
    },
  );
});

test('limits are only off on this machine', () => {
  for (const PUBLIC_URL of ['', 'http://127.0.0.1:8065', 'http://[::1]:1', 'https://localhost'])
    assert.equal(parseEnv({ LIMITS: 'off', PUBLIC_URL }, '/nowhere').LIMITS, 'off', PUBLIC_URL);
  for (const PUBLIC_URL of ['https://steward.test', 'http://localhost.steward.test', 'http://10.0.0.1'])
    assert.throws(() => parseEnv({ LIMITS: 'off', PUBLIC_URL }), /LIMITS: off is for measuring/, PUBLIC_URL);
  assert.throws(() => parseEnv({ LIMITS: 'none' }), /LIMITS: /);
  assert.equal(parseEnv({ PUBLIC_URL: 'https://steward.test' }).LIMITS, 'on');
});

test('an empty value counts as unset, and DATA_DIR becomes an absolute path', () => {
  assert.equal(parseEnv({ PORT: '', DATABASE_URL: '' }, '/nowhere').PORT, 8065);
  assert.equal(parseEnv({ DATA_DIR: 'some/data' }, '/nowhere').dataDir, '/nowhere/some/data');
  assert.equal(parseEnv({ DATA_DIR: '/srv/data' }, '/nowhere').dataDir, '/srv/data');
});
