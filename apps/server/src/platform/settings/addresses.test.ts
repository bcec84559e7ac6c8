import assert from 'node:assert/strict';
import { describe, test } from 'vitest';
import { parseEnv } from '#platform/env.ts';
import { toEhloName } from './addresses.ts';

const parse = (given: Record<string, string>) => parseEnv(given, '/nowhere');

/** The line about one variable in the message of a refused start. */
function getProblem(given: Record<string, string>, variable = Object.keys(given)[0] ?? ''): string {
  let message = '';
  assert.throws(
    () => parse(given),
    (error: Error) => {
      message = error.message;
      return true;
    },
    JSON.stringify(given),
  );
  const lines = message.split('\n').filter((line) => line.startsWith(`  ${variable}: `));
  assert.equal(lines.length, 1, message);
  return lines[0] ?? '';
}

describe('PUBLIC_URL', () => {
  test('becomes the origin that browsers send', () => {
    for (const [value, url] of [
      ['https://steward.example', 'https://steward.example'],
      ['https://steward.example/', 'https://steward.example'],
      ['https://steward.example//', 'https://steward.example'],
      ['HTTPS://Steward.Example:443', 'https://steward.example'],
      ['https://bücher.example:8443', 'https://xn--bcher-kva.example:8443'],
      ['http://localhost:8065', 'http://localhost:8065'],
      ['http://[::1]:8065', 'http://[::1]:8065'],
      ['http://10.0.0.7', 'http://10.0.0.7'],
      ['http://my_host', 'http://my_host'],
    ] as const)
      assert.equal(parse({ PUBLIC_URL: value }).publicUrl, url, value);
  });

  test('with anything else is refused, and the message says what to write', () => {
    for (const value of [' ', ' https://a.example', 'https://a.example ', 'https://a .example'])
      assert.match(
        getProblem({ PUBLIC_URL: value }),
        /must not contain blanks; write it as https:\/\/steward\.example/,
      );
    for (const value of ['https://a.example\n', 'https://a.example\r', 'https://a\t.example'])
      assert.match(getProblem({ PUBLIC_URL: value }), /has a line end/);
    for (const value of [
      'a.example',
      '//a.example',
      'https:a.example',
      'https:\\\\a.example',
      'ftp://a.example',
      'https://',
    ])
      assert.match(getProblem({ PUBLIC_URL: value }), /must be a URL that starts with https:\/\/ or http:\/\//);
    for (const value of [
      'https://a.example/steward',
      'https://a.example/?x=1',
      'https://a.example?',
      'https://a.example/#',
      'https://a.example/#/login',
    ])
      assert.match(getProblem({ PUBLIC_URL: value }), /without a path, query or fragment; write https:\/\/a\.example$/);
    assert.match(
      getProblem({ PUBLIC_URL: 'https://me:secret@a.example' }),
      /user or password; write https:\/\/a\.example$/,
    );
    for (const value of ['https://a..example', 'https://-a.example', 'https://<host>', 'https://*.example'])
      assert.match(getProblem({ PUBLIC_URL: value }), /has an invalid host name|must be a URL/);
  });
});

describe('SMTP_URL', () => {
  test('names a server, and its user and password are decoded', () => {
    for (const [value, server] of [
      ['smtp://mail.example', { host: 'mail.example', port: 587, tls: 'optional', auth: undefined }],
      ['smtps://Mail.Example/', { host: 'mail.example', port: 465, tls: 'implicit', auth: undefined }],
      ['smtp://mail:1025', { host: 'mail', port: 1025 }],
      ['smtp://[::1]:25', { host: '::1', port: 25 }],
      ['SMTPS://me:p%23%2F%3F%40%25%20w@mail.example:465', { auth: { user: 'me', pass: 'p#/?@% w' } }],
      [
        'smtp://me%40mail.example:a:b@c@mail.example',
        { host: 'mail.example', auth: { user: 'me@mail.example', pass: 'a:b@c' } },
      ],
    ] as const)
      assert.partialDeepStrictEqual(parse({ SMTP_URL: value }).smtp, server, value);
  });

  test('with anything else is refused, and the message says what to write without repeating a secret', () => {
    for (const [value, problem] of [
      ['mail.example:587', /must be a URL that starts with smtp:\/\/ or smtps:\/\/, such as smtps:/],
      ['smtp:mail.example', /must be a URL/],
      ['smtp://me:hush#x@mail.example:465', /write # as %23, .*or set SMTP_HOST, SMTP_USER and SMTP_PASSWORD/],
      ['smtp://me:123#hush@mail.example', /write # as %23/],
      ['smtp://me:hush/x@mail.example', /\/ as %2F/],
      ['smtp://me:hush?x@mail.example', /\? as %3F/],
      ['smtp://me:hush%zz@mail.example', /% that encodes nothing/],
      ['smtp://me:hush x@mail.example', /must not contain blanks/],
      ['smtp://mail.example ', /must not contain blanks/],
      ['smtp://mail.example\r', /has a line end/],
      ['smtp://me:hush%0a@mail.example', /line end/],
      ['smtp://me@mail.example', /both a user and a password/],
      ['smtp://:hush@mail.example', /both a user and a password/],
      ['smtp://mail.example/path', /must end after the host and port/],
      ['smtp://mail.example?tls.rejectUnauthorized=false', /must end after the host and port/],
      ['smtp://mail.example#hush', /must end after the host and port/],
      ['smtp://mail.example:0', /port from 1 to 65535/],
      ['smtp://mail.example:70000', /port from 1 to 65535/],
      ['smtp://mail..example', /must name a host/],
      ['smtp://', /must be a URL/],
    ] as const) {
      const found = getProblem({ SMTP_URL: value });
      assert.match(found, problem, value);
      assert.doesNotMatch(found, /hush/);
    }
  });
});

describe('a mail server in separate variables', () => {
  const LOGIN = { SMTP_HOST: 'mail.example', SMTP_USER: 'me@mail.example', SMTP_PASSWORD: ' p#/?@%20' };

  test('is taken as it is', () => {
    const auth = { user: 'me@mail.example', pass: ' p#/?@%20' };
    assert.deepEqual(parse(LOGIN).smtp, { host: 'mail.example', port: 587, tls: 'optional', auth });
    assert.partialDeepStrictEqual(parse({ ...LOGIN, SMTP_PORT: '465' }).smtp, { port: 465, tls: 'implicit' });
    assert.partialDeepStrictEqual(parse({ ...LOGIN, SMTP_TLS: 'implicit' }).smtp, { port: 465, tls: 'implicit' });
    assert.partialDeepStrictEqual(parse({ ...LOGIN, SMTP_TLS: 'starttls' }).smtp, { port: 587, tls: 'starttls' });
    const plain = parse({ SMTP_HOST: '::1', SMTP_PORT: '25', SMTP_TLS: 'none' }).smtp;
    assert.deepEqual(plain, { host: '::1', port: 25, tls: 'none', auth: undefined });
  });

  test('is refused if it is incomplete, contradictory or wrong', () => {
    assert.match(getProblem({ ...LOGIN, SMTP_URL: 'smtp://mail.example' }, 'SMTP_HOST'), /together with SMTP_URL/);
    assert.match(getProblem({ SMTP_PORT: '25' }), /requires SMTP_HOST/);
    assert.match(getProblem({ SMTP_HOST: 'mail.example', SMTP_USER: 'me' }, 'SMTP_USER'), /requires SMTP_PASSWORD/);
    assert.match(getProblem({ SMTP_HOST: 'mail.example', SMTP_PASSWORD: 'x' }, 'SMTP_PASSWORD'), /requires SMTP_USER/);
    for (const SMTP_HOST of ['smtp://mail.example', 'mail.example:25', 'mail .example', ' mail.example', 'a/b'])
      assert.match(
        getProblem({ SMTP_HOST }),
        /must name a host, such as mail\.example, without a scheme, port or blanks/,
      );
    for (const SMTP_PORT of ['0', '65536', 'x', '0x19', ' 25', '2.5'])
      assert.match(getProblem({ SMTP_HOST: 'a', SMTP_PORT }, 'SMTP_PORT'), /must be a whole number from 1 to 65535/);
    assert.match(getProblem({ SMTP_HOST: 'a', SMTP_TLS: 'yes' }, 'SMTP_TLS'), /implicit.*starttls.*optional.*none/);
    assert.match(getProblem({ ...LOGIN, SMTP_PASSWORD: 'x\r' }, 'SMTP_PASSWORD'), /has a line end/);
  });
});

describe('MAIL_FROM', () => {
  test('is one address with an optional name, by default at the host of PUBLIC_URL', () => {
    const from = (given: Record<string, string>) => parse(given).mailFrom;
    for (const [value, name, address] of [
      ['a@b.example', '', 'a@b.example'],
      ['Steward <a@b.example>', 'Steward', 'a@b.example'],
      ['"Steward, Inc." <a@b.example>', 'Steward, Inc.', 'a@b.example'],
      ['Bücher <a@bücher.example>', 'Bücher', 'a@xn--bcher-kva.example'],
      ['Steward, Inc. <a@b.example>', 'Steward, Inc.', 'a@b.example'],
      ['steward@localhost', '', 'steward@localhost'],
    ] as const)
      assert.deepEqual(from({ MAIL_FROM: value }), { name, address }, value);
    const PRODUCT_NAME = 'Portal';
    assert.deepEqual(from({ PRODUCT_NAME, PUBLIC_URL: 'https://steward.example' }), {
      name: 'Portal',
      address: 'no-reply@steward.example',
    });
    for (const PUBLIC_URL of ['', 'http://10.0.0.7', 'http://[::1]', 'http://steward'])
      assert.equal(from({ PUBLIC_URL }).address, 'no-reply@steward.localhost', PUBLIC_URL);
  });

  test('with anything else is refused', () => {
    for (const value of ['Steward', 'a@', '@b.example', 'a@b.example, c@d.example', ' '])
      assert.match(getProblem({ MAIL_FROM: value }), /must be one email address, with or without a name, such as "/);
    assert.match(getProblem({ MAIL_FROM: 'a@b.example\r\nBcc: c@d.example' }), /has a line end/);
  });
});

describe('TRUST_PROXY', () => {
  test('is a number or a list of networks', () => {
    const trusted = (TRUST_PROXY: string) => parse({ TRUST_PROXY }).TRUST_PROXY;
    assert.equal(trusted('2'), 2);
    assert.deepEqual(trusted('10.0.0.0/8, 192.0.2.1,2001:db8::1,::ffff:10.1.2.3'), [
      ...['10.0.0.0/8', '192.0.2.1/32', '2001:db8::1/128', '10.1.2.3/32'],
    ]);
    assert.deepEqual(trusted('loopback'), ['127.0.0.0/8', '::1/128']);
  });

  test('with anything else is refused, and true is explained', () => {
    for (const value of ['true', 'TRUE', 'yes'])
      assert.match(
        getProblem({ TRUST_PROXY: value }),
        /number of proxies in front, such as 1, .*would let everyone choose/,
      );
    for (const value of ['false', 'off']) assert.match(getProblem({ TRUST_PROXY: value }), /leave it empty/);
    for (const value of [
      '-1',
      '1.5',
      'proxy',
      'proxy.example',
      '10.0.0.1:80',
      '10.0.0.0/33',
      '10.0.0.1,',
      '8065',
      '127.1',
    ])
      assert.match(getProblem({ TRUST_PROXY: value }), /must be the number of proxies/, value);
    assert.match(getProblem({ TRUST_PROXY: '0.0.0.0/0' }), /would trust everyone/);
  });
});

test('whole numbers have only digits', () => {
  for (const PORT of [' ', '8065 ', '0x1f', '8e3', '70000', '-1'])
    assert.match(getProblem({ PORT }), /must be a whole number/);
  assert.equal(parse({ PORT: '0', DRAIN_SECONDS: '0.5' }).DRAIN_SECONDS, 0.5);
  for (const DRAIN_SECONDS of ['9', '8.5', '-1', 'x']) assert.match(getProblem({ DRAIN_SECONDS }), /from 0 to 8/);
});

test('the name in EHLO is the domain or address of the server', () => {
  assert.equal(toEhloName('steward.example'), 'steward.example');
  assert.equal(toEhloName('10.0.0.7'), '[10.0.0.7]');
  assert.equal(toEhloName('::1'), '[IPv6:::1]');
  for (const host of ['localhost', 'my_host.example']) assert.equal(toEhloName(host), undefined);
});
