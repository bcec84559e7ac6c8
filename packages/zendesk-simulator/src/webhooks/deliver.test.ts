import assert from 'node:assert/strict';
import { test } from 'vitest';
import { rig } from '../rig.ts';
import { hasValidSignature } from './receiver.ts';

test("a delivery has exactly Zendesk's headers and body, and a valid signature", async () => {
  await using at = await rig();
  const { webhook } = await at.wired();
  const acme = at.simulator.account('acme');
  const [delivery] = acme.createTicket({ title: 'Café' }).deliveries;
  await at.simulator.settled();
  const [got] = at.receiver.got;
  const { Host, Connection, 'Content-Length': length, ...headers } = got?.headers ?? {};
  assert.deepEqual(headers, {
    'X-Zendesk-Webhook-Signature-Timestamp': '2026-01-02T00:00:00Z',
    'X-Zendesk-Webhook-Signature': headers['X-Zendesk-Webhook-Signature'],
    'Content-Type': 'application/json; charset=utf-8',
    'User-Agent': 'Zendesk Webhook',
    'X-Zendesk-Account-Id': String(acme.state.number),
    'X-Zendesk-Webhook-Id': webhook,
    'X-Zendesk-Webhook-Invocation-Id': delivery?.id,
  });
  assert.equal(got?.body.toString('utf8'), '{"text":"Café"}');
  assert.equal(Number(length), got?.body.length);
  assert.ok(hasValidSignature(acme.webhooks()[0]?.secret ?? '', got!));
  assert.equal(delivery?.status, 'success');
});

test('every attempt is signed again, with the same invocation id', async () => {
  await using at = await rig((before) =>
    before === 0 ? { status: 503, headers: { 'Retry-After': '10' } } : { status: 200 },
  );
  await at.wired();
  const acme = at.simulator.account('acme');
  const [delivery] = acme.createTicket().deliveries;
  await at.simulator.settled();
  assert.equal(delivery?.status, 'server error');
  at.simulator.clock.advance(9_999);
  await at.simulator.settled();
  assert.equal(at.receiver.got.length, 1);
  at.simulator.clock.advance(1);
  await at.simulator.settled();
  const [first, second] = at.receiver.got;
  assert.equal(delivery?.status, 'success');
  assert.equal(second?.headers['X-Zendesk-Webhook-Signature-Timestamp'], '2026-01-02T00:00:10Z');
  assert.notEqual(first?.headers['X-Zendesk-Webhook-Signature'], second?.headers['X-Zendesk-Webhook-Signature']);
  assert.ok(hasValidSignature(acme.webhooks()[0]?.secret ?? '', second!));
  assert.equal(first?.headers['X-Zendesk-Webhook-Invocation-Id'], second?.headers['X-Zendesk-Webhook-Invocation-Id']);
});

for (const [what, reply, requests, state] of [
  ['a conflict is retried three times', { status: 409 }, 4, 'client error'],
  ['503 with a short Retry-After is retried', { status: 503, headers: { 'Retry-After': '59' } }, 4, 'server error'],
  ['429 with a short Retry-After is retried', { status: 429, headers: { 'Retry-After': '1' } }, 4, 'client error'],
  ['503 with a long Retry-After is lost', { status: 503, headers: { 'Retry-After': '60' } }, 1, 'server error'],
  ['503 without Retry-After is lost', { status: 503 }, 1, 'server error'],
  ['a plain 500 is lost', { status: 500 }, 1, 'server error'],
  ['401 is not retried', { status: 401 }, 1, 'client error'],
  ['403 terminates', { status: 403 }, 1, 'terminated'],
  ['a redirect is not followed', { status: 302, headers: { Location: '/elsewhere' } }, 1, 'failed'],
  ['a dropped connection is not retried', 'hang up', 1, 'failed'],
] as const) {
  test(what, async () => {
    await using at = await rig(() => reply);
    await at.wired();
    const [delivery] = at.simulator.account('acme').createTicket().deliveries;
    await at.simulator.finished();
    assert.deepEqual([at.receiver.got.length, delivery?.status], [requests, state]);
    assert.equal(delivery?.attempts.length, requests);
  });
}

test('a receiver that does not respond within twelve seconds is retried five times', async () => {
  await using at = await rig(() => 'hang');
  await at.wired();
  const [delivery] = at.simulator.account('acme').createTicket().deliveries;
  await at.receiver.has(1);
  at.simulator.clock.advance(11_999);
  assert.equal(delivery?.attempts.length, 0);
  at.simulator.clock.advance(1);
  for (let attempts = 2; attempts <= 6; attempts += 1) {
    await at.simulator.settled();
    assert.equal(delivery?.status, 'timeout');
    at.simulator.clock.advance(2_000 * 2 ** (attempts - 2));
    await at.receiver.has(attempts);
    at.simulator.clock.advance(12_000);
  }
  await at.simulator.finished();
  assert.deepEqual([at.receiver.got.length, delivery?.attempts.length, delivery?.status], [6, 6, 'timeout']);
});

test('a body of 256 KB is not sent', async () => {
  await using at = await rig();
  const { webhook } = await at.wired();
  const acme = at.simulator.account('acme');
  const large = acme.send(webhook, 'x'.repeat(256 * 1024));
  const fits = acme.send(webhook, 'x'.repeat(256 * 1024 - 1));
  await at.simulator.settled();
  assert.deepEqual([large.status, fits.status], ['failed', 'success']);
  assert.equal(at.receiver.got.length, 1);
});

test('too many errors open the circuit; sending resumes after a pause', async () => {
  let broken = true;
  await using at = await rig(() => ({ status: broken ? 500 : 200 }));
  const { webhook } = await at.wired();
  const acme = at.simulator.account('acme');
  for (let count = 0; count < 20; count += 1) acme.send(webhook, '{}');
  await at.simulator.settled();
  const waiting = acme.send(webhook, '"later"');
  await at.simulator.settled();
  assert.deepEqual([waiting.status, waiting.status_code], ['circuit broken', undefined]);
  assert.equal(at.receiver.got.length, 20);
  broken = false;
  at.simulator.clock.advance(60_000);
  await at.simulator.settled();
  assert.equal(waiting.status, 'success');
  assert.equal(at.receiver.bodies().at(-1), '"later"');
});

test('a trial account sends sixty deliveries a minute, the rest wait', async () => {
  await using at = await rig();
  const { webhook } = await at.wired();
  const acme = at.simulator.account('acme');
  acme.state.settings.trial = true;
  for (let count = 0; count < 61; count += 1) acme.send(webhook, '{}');
  await at.simulator.settled();
  assert.equal(at.receiver.got.length, 60);
  assert.equal(acme.deliveries().at(-1)?.status, 'throttled');
  at.simulator.clock.advance(60_000);
  await at.simulator.settled();
  assert.equal(acme.deliveries().at(-1)?.status, 'success');
});

test('a pending retry is not sent to a deleted webhook', async () => {
  await using at = await rig(() => ({ status: 503, headers: { 'Retry-After': '10' } }));
  const { webhook } = await at.wired();
  const [delivery] = at.simulator.account('acme').createTicket().deliveries;
  await at.simulator.settled();
  await at.api(`DELETE webhooks/${webhook}`);
  await at.simulator.finished();
  assert.deepEqual([at.receiver.got.length, delivery?.status], [1, 'failed']);
});

test('authentication and custom headers are sent with every request', async () => {
  await using at = await rig();
  const { webhook } = await at.wired();
  const acme = at.simulator.account('acme');
  const sent = async (authentication: object) => {
    await at.api(`PATCH webhooks/${webhook}`, { webhook: { authentication, custom_headers: { 'X-Team': 'blue' } } });
    acme.send(webhook, '{}');
    await at.simulator.settled();
    const { headers } = at.receiver.got.at(-1)!;
    assert.equal(headers['X-Team'], 'blue');
    return headers;
  };
  const position = { add_position: 'header' };
  const basic = await sent({ type: 'basic_auth', data: { username: 'u', password: 'p' }, ...position });
  assert.equal(basic.Authorization, `Basic ${Buffer.from('u:p').toString('base64')}`);
  assert.equal((await sent({ type: 'bearer_token', data: { token: 't' }, ...position })).Authorization, 'Bearer t');
  assert.equal((await sent({ type: 'api_key', data: { name: 'X-Key', value: 'v' }, ...position }))['X-Key'], 'v');
});
