import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseEnv } from './env.ts';

const KEY = 'ab'.repeat(32);

test('nothing at all is a server of its own on loopback', () => {
  const env = parseEnv({}, '/nowhere');
  assert.partialDeepStrictEqual(env, {
    PORT: 8065,
    host: '127.0.0.1',
    publicUrl: 'http://localhost:8065',
    embedded: true,
    DEMO: true,
    ROLES: ['web', 'worker'],
    SESSION_IDLE_MINUTES: 60,
    SESSION_HOURS: 24,
    dataDir: undefined,
    PRODUCT_NAME: 'Steward',
  });
});

test('with a DATABASE_URL it listens on every address and needs a key', () => {
  const DATABASE_URL = 'postgres://db.example.test/steward';
  const env = parseEnv({ DATABASE_URL, SECRET_KEY: KEY, PUBLIC_URL: 'https://steward.test//' }, '/nowhere');
  assert.partialDeepStrictEqual(env, { embedded: false, host: '0.0.0.0', publicUrl: 'https://steward.test' });
  assert.throws(() => parseEnv({ DATABASE_URL }), /SECRET_KEY: is required with DATABASE_URL/);
});

test('every mistake is named at once', () => {
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

test('an empty value counts as absent, and a DATA_DIR is made absolute', () => {
  assert.equal(parseEnv({ PORT: '', DATABASE_URL: '' }, '/nowhere').PORT, 8065);
  assert.equal(parseEnv({ DATA_DIR: 'some/data' }, '/nowhere').dataDir, '/nowhere/some/data');
  assert.equal(parseEnv({ DATA_DIR: '/srv/data' }, '/nowhere').dataDir, '/srv/data');
});
