import assert from 'node:assert/strict';
import { test } from 'vitest';
import { rig } from '../rig.ts';
import { hasValidSignature } from './receiver.ts';
import { TEST_SECRET } from './signature.ts';

const getIds = (got: { headers: Record<string, string> }[]) =>
  got.map(({ headers }) => headers['X-Zendesk-Webhook-Invocation-Id']);

test('copies have the same invocation id', async () => {
  await using at = await rig();
  await at.wired();
  const acme = at.simulator.account('acme');
  acme.state.delivery.copies = 10;
  acme.createTicket();
  await at.simulator.settled();
  assert.equal(at.receiver.got.length, 10);
  assert.equal(new Set(getIds(at.receiver.got)).size, 1);
});

test('a replay is byte-identical to the recorded request', async () => {
  await using at = await rig();
  await at.wired();
  const acme = at.simulator.account('acme');
  const [delivery] = acme.createTicket({ title: 'Café' }).deliveries;
  await at.simulator.settled();
  at.simulator.clock.advance(6 * 60_000);
  const again = await acme.replay(delivery!.id);
  assert.deepEqual([again.id, again.cause, again.status], [delivery?.id, 'replay', 'success']);
  assert.deepEqual(at.receiver.got[1], at.receiver.got[0]);
  await assert.rejects(acme.replay('nosuch'), /Nothing was sent as nosuch/);
});

test('a tampered body differs in one byte and does not verify', async () => {
  await using at = await rig();
  await at.wired();
  const acme = at.simulator.account('acme');
  acme.state.delivery.tamper = true;
  acme.createTicket({ title: 'Paper' });
  await at.simulator.settled();
  const [got] = at.receiver.got;
  const meant = Buffer.from('{"text":"Paper"}');
  assert.equal(got?.body.length, meant.length);
  assert.equal([...meant].filter((byte, at) => got?.body[at] !== byte).length, 1);
  assert.equal(hasValidSignature(acme.webhooks()[0]?.secret ?? '', got!), false);
});

test('can sign with the test secret or with the decoded secret', async () => {
  await using at = await rig();
  await at.wired();
  const acme = at.simulator.account('acme');
  const secret = acme.webhooks()[0]?.secret ?? '';
  acme.state.delivery.sign_with = 'test secret';
  acme.createTicket();
  await at.simulator.settled();
  assert.ok(hasValidSignature(TEST_SECRET, at.receiver.got[0]!));
  acme.state.delivery.sign_with = 'decoded secret';
  acme.createTicket();
  await at.simulator.settled();
  assert.ok(hasValidSignature(Buffer.from(secret, 'base64'), at.receiver.got[1]!));
  assert.equal(hasValidSignature(secret, at.receiver.got[1]!), false);
});

test('after a reset the old secret is no longer valid', async () => {
  await using at = await rig();
  const { webhook } = await at.wired();
  const acme = at.simulator.account('acme');
  const old = acme.webhooks()[0]?.secret ?? '';
  const fresh = acme.resetSecret(webhook);
  acme.createTicket();
  await at.simulator.settled();
  assert.equal(hasValidSignature(old, at.receiver.got[0]!), false);
  assert.ok(hasValidSignature(fresh, at.receiver.got[0]!));
});

test('the timestamp can be shifted and headers omitted', async () => {
  await using at = await rig();
  await at.wired();
  const acme = at.simulator.account('acme');
  Object.assign(acme.state.delivery, {
    timestamp_shift_ms: -6 * 60_000,
    omit_headers: ['x-zendesk-webhook-signature'],
  });
  acme.createTicket();
  await at.simulator.settled();
  const { headers } = at.receiver.got[0]!;
  assert.equal(headers['X-Zendesk-Webhook-Signature-Timestamp'], '2026-01-01T23:54:00Z');
  assert.equal('X-Zendesk-Webhook-Signature' in headers, false);
});

test('any bytes can be sent with a signature: empty, an array, invalid UTF-8', async () => {
  await using at = await rig();
  const { webhook } = await at.wired();
  const acme = at.simulator.account('acme');
  for (const payload of [Buffer.alloc(0), Buffer.from('[1]'), Buffer.from([0x7b, 0xff, 0x7d])]) {
    acme.send(webhook, payload);
    await at.simulator.settled();
    assert.deepEqual(at.receiver.got.at(-1)?.body, payload);
    assert.ok(hasValidSignature(acme.webhooks()[0]?.secret ?? '', at.receiver.got.at(-1)!));
  }
});
