import assert from 'node:assert/strict';
import { test } from 'vitest';
import { findMessageFaults, isEhloName } from './strict-message.ts';

const HEAD = {
  From: '"Steward, Inc." <no-reply@steward.test>',
  To: 'to@example.test',
  Subject: '=?UTF-8?B?R3LDvMOfZQ==?=',
  'Message-ID': '<a.b@steward.test>',
  Date: 'Thu, 26 Nov 2026 16:38:25 +0000',
  'MIME-Version': '1.0',
};

const faultsOf = (changed: Record<string, string | undefined>, body = 'text\r\n') => {
  const fields = Object.entries({ ...HEAD, ...changed }).filter(([, value]) => value !== undefined);
  const message = `${fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`;
  return findMessageFaults(Buffer.from(message), { eightBit: false, smtpUtf8: false });
};

test('the strict peer accepts a valid message', () => {
  assert.deepEqual(faultsOf({}), []);
  assert.deepEqual(faultsOf({ From: '=?UTF-8?Q?M=C3=BCller=2C?=\r\n =?UTF-8?Q?_A?= <a@b.test>' }), []);
});

test('the strict peer refuses what strict mail servers refuse', () => {
  for (const [changed, body] of [
    [{ Date: '2026-11-26T16:38:25.980Z' }],
    [{ Date: 'Fri, 26 Nov 2026 16:38:25 +0000' }],
    [{ Date: 'Tue, 31 Nov 2026 16:38:25 +0000' }],
    [{ Date: undefined }],
    [{ 'Message-ID': undefined }],
    [{ 'Message-ID': 'a@b.test' }],
    [{ From: 'Steward, Inc. <a@b.test>' }],
    [{ From: 'Müller <a@b.test>' }],
    [{ To: 'a@b.test, c@d.test' }],
    [{ Subject: '=?UTF-8?B?w7w=?= =?UTF-8?B?ww==?=' }],
    [{ Subject: 'x'.repeat(1_000) }],
    [{}, 'a\nb\r\n'],
    [{}, 'ä\r\n'],
  ] as [Record<string, string | undefined>, string?][])
    assert.equal(faultsOf(changed, body).length > 0, true, JSON.stringify(changed) + (body ?? ''));
});

test('the name in EHLO is a domain or the literal of an address', () => {
  for (const name of ['steward.test', '[127.0.0.1]', '[IPv6:::1]']) assert.equal(isEhloName(name), true, name);
  for (const name of ['localhost', '127.0.0.1', '[::1]', 'my_host.test', '', 'a..b'])
    assert.equal(isEhloName(name), false, name);
});
