import assert from 'node:assert/strict';
import { describe, test } from 'vitest';
import { parseEnv, parseServerEnv } from '#platform/env.ts';
import { isTrivialKey } from './production.ts';
import { admitsAddress } from './sign-up.ts';

const bytes = (of: (at: number) => number) =>
  Buffer.from(Array.from({ length: 32 }, (_, at) => of(at))).toString('hex');
/** 32 different bytes. */
const KEY = bytes((at) => (at * 37 + 11) % 256);
const DATABASE_URL = 'postgres://db.example.test/steward';
const SAFE = { DATABASE_URL, SECRET_KEY: KEY, PUBLIC_URL: 'https://steward.test', SMTP_URL: 'smtp://mail.test' };

const parse = (given: Record<string, string>) => parseServerEnv(given, '/nowhere');

/** Variables that a start names as wrong, in the order of the message; none if it starts. */
function refusedFor(given: Record<string, string>): string[] {
  try {
    parse(given);
    return [];
  } catch (error) {
    return [...(error as Error).message.matchAll(/^ {2}([A-Z_]+): /gm)].map(([, name = '']) => name);
  }
}

describe('a production server', () => {
  const KINDS = [
    { DATABASE_URL, SECRET_KEY: KEY },
    { NODE_ENV: 'production' },
    { NODE_ENV: 'production', DATABASE_URL, SECRET_KEY: KEY },
  ] satisfies Record<string, string>[];

  test('starts with an https address, a mail server and a random key, without a demo workspace', () => {
    assert.partialDeepStrictEqual(parse(SAFE), { DEMO: false, insecure: [] });
    assert.equal(parse({ ...SAFE, DEMO: '0' }).DEMO, false);
    const { DATABASE_URL: _url, SECRET_KEY: _key, ...embedded } = SAFE;
    assert.equal(parse({ ...embedded, NODE_ENV: 'production' }).DEMO, false, 'its key is created');
  });

  test('is refused with all faults in one message', () => {
    for (const kind of KINDS) assert.deepEqual(refusedFor(kind), ['PUBLIC_URL', 'SMTP_URL'], JSON.stringify(kind));
    const all = { DATABASE_URL, SECRET_KEY: '0'.repeat(64), PUBLIC_URL: 'http://steward.test', DEMO: '1' };
    assert.deepEqual(refusedFor(all), ['PUBLIC_URL', 'SMTP_URL', 'SECRET_KEY', 'DEMO']);
    assert.throws(() => parse(all), /^Error: Invalid configuration:\n(?: {2}.+\n){4}.* set ALLOW_INSECURE=1\.$/);
    assert.throws(
      () => parse(all),
      ({ message }: Error) => !message.includes('0000'),
      'the key is not repeated',
    );
  });

  test('is refused with what can’t be parsed in the same message, each variable once', () => {
    const wrong = { DATABASE_URL, PUBLIC_URL: 'ftp://a', SMTP_URL: 'http://a', PORT: 'x' };
    assert.deepEqual(refusedFor(wrong).sort(), ['PORT', 'PUBLIC_URL', 'SECRET_KEY', 'SMTP_URL']);
    assert.deepEqual(refusedFor({ DATABASE_URL, SECRET_KEY: 'short', SMTP_URL: '' }).sort(), [
      'PUBLIC_URL',
      'SECRET_KEY',
      'SMTP_URL',
    ]);
  });

  for (const [fault, given] of [
    ['PUBLIC_URL', { PUBLIC_URL: '' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'http://steward.test' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'http://localhost:8065' }],
    ['SMTP_URL', { SMTP_URL: '' }],
    ['SECRET_KEY', { SECRET_KEY: '5e'.repeat(32) }],
    ['DEMO', { DEMO: '1' }],
  ] as const)
    test(`is refused for ${fault} alone: ${JSON.stringify(given)}`, () => {
      assert.deepEqual(refusedFor({ ...SAFE, ...given }), [fault]);
    });

  test('DEMO=1 is refused by name, also with ALLOW_INSECURE=1', () => {
    for (const ALLOW_INSECURE of ['0', '1']) {
      const given = { ...SAFE, DEMO: '1', ALLOW_INSECURE };
      assert.throws(
        () => parse(given),
        /^Error: Invalid configuration:\n {2}DEMO: must not be 1 with DATABASE_URL: .*$/,
      );
    }
    assert.throws(() => parse({ NODE_ENV: 'production', DEMO: '1' }), /DEMO: must not be 1 with NODE_ENV=production/);
  });

  test('starts with ALLOW_INSECURE=1, which says what it allows', () => {
    const given = { DATABASE_URL, SECRET_KEY: '0'.repeat(64), ALLOW_INSECURE: '1' };
    const { insecure, DEMO } = parse(given);
    assert.equal(DEMO, false);
    assert.deepEqual(
      insecure.map((line) => /localhost|never sent|SECRET_KEY/.exec(line)?.[0]),
      ['localhost', 'never sent', 'SECRET_KEY'],
    );
    assert.deepEqual(parse({ ...SAFE, ALLOW_INSECURE: '1' }).insecure, []);
  });

  test('an operator’s command needs its database and key only', () => {
    assert.equal(parseEnv({ DATABASE_URL, SECRET_KEY: '0'.repeat(64), DEMO: '1' }, '/nowhere').DEMO, false);
    assert.equal(parseEnv({ NODE_ENV: 'production' }, '/nowhere').embedded, true);
  });
});

test('a server to try out needs nothing', () => {
  for (const given of [{}, { NODE_ENV: 'development' }, { DEMO: '1' }, { SECRET_KEY: '0'.repeat(64) }])
    assert.equal(parse(given).DEMO, true);
  assert.equal(parse({ DEMO: '0' }).DEMO, false);
});

describe('a key is trivial', () => {
  const cases: [string, string, boolean][] = [
    ['of zeros', '0'.repeat(64), true],
    ['of one byte', 'AB'.repeat(32), true],
    ['of 15 different bytes', bytes((at) => (at * at) % 15), true],
    ['of 15 different bytes in no order', bytes((at) => (at < 15 ? at : (at * 7) % 13)), true],
    ['of 16 bytes, twice', bytes((at) => at % 16), true],
    ['of 16 random bytes, twice', '9c1f64aa07b8e25d3340cf916b7de812'.repeat(2), true],
    ['of 16 different bytes without a period', bytes((at) => (at < 16 ? at : 31 - at)), false],
    ['of 32 different bytes', KEY, false],
    ['of 17 bytes, repeated', bytes((at) => at % 17), false],
  ];
  for (const [name, key, isTrivial] of cases)
    test(`${name}: ${isTrivial ? 'yes' : 'no'}`, () => assert.equal(isTrivialKey(key), isTrivial));
});

describe('SIGNUP', () => {
  const signUp = (SIGNUP: string, PUBLIC_URL = 'https://steward.test') =>
    parseEnv({ SIGNUP, PUBLIC_URL }, '/nowhere').signUp;

  test('by default is open on loopback, else off', () => {
    for (const url of ['', 'http://localhost:1', 'http://127.0.0.1', 'https://127.9.9.9', 'http://[::1]:8065'])
      assert.equal(signUp('', url).mode, 'open', url);
    for (const url of [
      'https://steward.test',
      'http://10.0.0.1',
      'http://localhost.evil.test',
      'https://127.0.0.1.nip.io',
    ])
      assert.equal(signUp('', url).mode, 'off', url);
  });

  test('is as set, whatever the address', () => {
    assert.deepEqual(signUp('open'), { mode: 'open', domains: [] });
    assert.deepEqual(signUp(' off ', 'http://localhost'), { mode: 'off', domains: [] });
    assert.deepEqual(signUp('domains:a.example', 'http://localhost').mode, 'domains');
  });

  test('normalizes domains', () => {
    const { domains } = signUp('domains: A.Example ,b.example,a.example, Bücher.example,xn--bcher-kva.EXAMPLE');
    assert.deepEqual(domains, ['a.example', 'b.example', 'xn--bcher-kva.example']);
  });

  test('refuses what is no list of domains', () => {
    for (const wrong of [
      ...['domains', 'domains:', 'domains: ', 'domains:a.example,', 'domains:,a.example', 'a.example', 'OPEN', 'true'],
      ...[
        '*.a.example',
        '.a.example',
        'a.example.',
        '@a.example',
        'x@a.example',
        'a',
        'a..b',
        'a b.c',
        'https://a.b',
      ].map((domain) => `domains:${domain}`),
    ])
      assert.throws(() => signUp(wrong), /SIGNUP: /, wrong);
  });

  test('admits exactly the domains', () => {
    const setting = signUp('domains:a.example,bücher.example');
    for (const email of ['x@a.example', 'a.b+c@a.example', 'x@xn--bcher-kva.example'])
      assert.equal(admitsAddress(setting, email), true, email);
    for (const email of ['x@b.example', 'x@eva.example', 'x@sub.a.example', 'x@a.example.test', 'a.example@b.example'])
      assert.equal(admitsAddress(setting, email), false, email);
    assert.equal(admitsAddress(signUp('open'), 'x@b.example'), true);
    assert.equal(admitsAddress(signUp('off'), 'x@a.example'), false);
  });
});

test('SECURITY_CONTACT is an email address or an https URL', () => {
  const contact = (SECURITY_CONTACT: string) => parseEnv({ SECURITY_CONTACT }, '/nowhere').SECURITY_CONTACT;
  assert.equal(contact(''), undefined);
  assert.equal(contact('Security@Example.test'), 'mailto:security@example.test');
  assert.equal(contact('mailto:security@example.test'), 'mailto:security@example.test');
  assert.equal(contact('https://example.test/report'), 'https://example.test/report');
  for (const wrong of [
    'security',
    'http://example.test',
    'mailto:',
    'mailto:a@b.test?cc=c@d.test',
    'a@b.test\nExpires: x',
  ])
    assert.throws(() => contact(wrong), /SECURITY_CONTACT: /, wrong);
});
