import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import type { Verification } from '@steward/contract/integrations/verification';
import { describe, test } from 'vitest';
import { findFault, readStandardKey } from './authenticate.ts';
import { GITHUB } from './senders/github.ts';
import { GRAFANA } from './senders/grafana.ts';
import { verifiedBy } from './senders/sender.ts';
import { SENTRY } from './senders/sentry.ts';

const NOW = 1_614_265_330_000;

interface Sent {
  secret: string;
  headers: Record<string, string>;
  body?: string;
  now?: number;
}

const check = (verification: Verification, { secret, headers, body = '{}', now = NOW }: Sent) =>
  findFault({ verification, secret, now }, { headers, body: Buffer.from(body) });
const of = ({ verifications }: typeof GITHUB, method: Verification['method']) =>
  verifications.find(({ verification }) => verification.method === method)?.verification ?? assert.fail(method);

describe("the vendors' published examples are authentic", () => {
  test('GitHub', () => {
    const sent = {
      secret: "It's a Secret to Everybody",
      body: 'Hello, World!',
      headers: { 'x-hub-signature-256': 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17' },
    };
    assert.equal(check(of(GITHUB, 'hmac'), sent), undefined);
    assert.match(check(of(GITHUB, 'hmac'), { ...sent, body: 'Hello, World?' }) ?? '', /doesn't match/);
  });

  const STANDARD = {
    secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    body: '{"test": 2432232314}',
    headers: {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    },
  };

  test('Standard Webhooks, with and without its prefix, among other signatures', () => {
    const standard = verifiedBy('standard');
    assert.equal(check(standard, STANDARD), undefined);
    assert.equal(check(standard, { ...STANDARD, secret: STANDARD.secret.slice(6) }), undefined);
    const others = 'v1,Ceo5qEr07ixe2NLpvHk3FH9bwy/WavXrAFQ/9tdO6mc= v1a,x v2,y';
    const headers = { ...STANDARD.headers, 'webhook-signature': `${others} ${STANDARD.headers['webhook-signature']}` };
    assert.equal(check(standard, { ...STANDARD, headers }), undefined);
  });

  test('Standard Webhooks, unless the id, the time or the body differ, or the time is not now', () => {
    const standard = verifiedBy('standard');
    for (const [name, value] of [
      ['webhook-id', 'msg_other'],
      ['webhook-id', ''],
      ['webhook-timestamp', '1614265331'],
      ['webhook-timestamp', 'hello'],
      ['webhook-signature', 'v1,'],
      ['webhook-signature', STANDARD.headers['webhook-signature'].slice(3)],
      ['webhook-signature', STANDARD.headers['webhook-signature'].replace('v1,', 'v2,')],
    ] as const)
      assert.notEqual(
        check(standard, { ...STANDARD, headers: { ...STANDARD.headers, [name]: value } }),
        undefined,
        value,
      );
    assert.notEqual(check(standard, { ...STANDARD, body: '{"test":2432232314}' }), undefined);
    for (const minutes of [-6, 6])
      assert.match(check(standard, { ...STANDARD, now: NOW + minutes * 60_000 }) ?? '', /more than 300 seconds/);
    for (const minutes of [-4, 4])
      assert.equal(check(standard, { ...STANDARD, now: NOW + minutes * 60_000 }), undefined);
  });
});

test('Sentry signs the body with the client secret, in hex', () => {
  const [secret, body] = ['client-secret-of-sentry', '{"action":"created"}'];
  const signature = createHmac('sha256', secret).update(body, 'utf8').digest('hex');
  const sent = { secret, body, headers: { 'sentry-hook-signature': signature, 'sentry-hook-timestamp': '1' } };
  assert.equal(check(of(SENTRY, 'hmac'), sent), undefined);
});

describe('Grafana', () => {
  const secret = 'a secret of Grafana';
  const body = '{"status":"firing"}';
  const sign = (time: string) => createHmac('sha256', secret).update(`${time}:${body}`).digest('hex');
  const headers = (time: string, signed = time) => ({
    'x-grafana-alerting-signature': sign(signed),
    'x-grafana-alerting-timestamp': time,
  });

  test('signs the time, a colon and the body, and an old request is refused', () => {
    const verification = of(GRAFANA, 'hmac');
    const now = String(NOW / 1000);
    assert.equal(check(verification, { secret, body, headers: headers(now) }), undefined);
    assert.match(
      check(verification, { secret, body, headers: headers(String(NOW / 1000 - 301)) }) ?? '',
      /signed more than 300 seconds ago/,
    );
    // A recorded request with another time.
    assert.match(check(verification, { secret, body, headers: headers(now, '1614000000') }) ?? '', /doesn't match/);
    const { 'x-grafana-alerting-signature': bare } = headers('');
    assert.notEqual(
      check(verification, { secret, body, headers: { 'x-grafana-alerting-signature': bare } }),
      undefined,
    );
  });

  test('or a custom sender can give the time in seconds, milliseconds or ISO 8601', () => {
    const verification = of(GRAFANA, 'hmac');
    for (const time of ['1614265330', '1614265330000', '2021-02-25T15:02:10Z', '2021-02-25T16:02:10.5+01:00'])
      assert.equal(check(verification, { secret, body, headers: headers(time) }), undefined, time);
    for (const time of ['', '-1', '1e9', 'now', '2021-02-25', '16142653300'])
      assert.notEqual(check(verification, { secret, body, headers: headers(time) }), undefined, time);
  });
});

describe('a secret', () => {
  test('in a header of its own is compared', () => {
    const verification = verifiedBy('token', { header: 'x-gitlab-token' });
    const [secret, right] = ['0123456789abcdef', { 'x-gitlab-token': '0123456789abcdef' }];
    assert.equal(check(verification, { secret, headers: right }), undefined);
    for (const given of ['', '0123456789abcde', '0123456789abcdeg', `${secret}${secret}`])
      assert.notEqual(check(verification, { secret, headers: { 'x-gitlab-token': given } }), undefined, given);
  });

  test('that is not entered yet makes nothing authentic', () => {
    const signature = createHmac('sha256', '').update('{}').digest('hex');
    const headers = {
      authorization: 'Bearer ',
      'x-signature': signature,
      'webhook-id': '1',
      'webhook-timestamp': String(NOW / 1000),
      'webhook-signature': `v1,${createHmac('sha256', '')
        .update(`1.${NOW / 1000}.{}`)
        .digest('base64')}`,
    };
    for (const method of ['bearer', 'token', 'hmac', 'standard'] as const)
      assert.match(
        check(verifiedBy(method, { header: 'x-signature' }), { secret: '', headers }) ?? '',
        /hasn't been entered/,
      );
  });

  test('of Standard Webhooks is base64', () => {
    for (const secret of ['', 'whsec_', 'whsec_a', 'not base64!', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaS-'])
      assert.equal(readStandardKey(secret), undefined, secret);
    assert.equal(readStandardKey('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')?.length, 24);
  });
});
