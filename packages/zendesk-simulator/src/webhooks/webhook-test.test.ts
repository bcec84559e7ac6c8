import assert from 'node:assert/strict';
import { test } from 'vitest';
import { rig } from '../rig.ts';
import { hasValidSignature } from './receiver.ts';
import { TEST_SECRET } from './signature.ts';

test('testing a saved webhook sends immediately, signs with its secret and returns the response', async () => {
  await using at = await rig(() => ({ status: 202, headers: { 'X-Mine': 'yes' }, body: 'thanks' }));
  const { webhook } = await at.wired();
  const { status, body } = await at.api(`POST webhooks/test?webhook_id=${webhook}`, {
    request: { payload: '{"text":"hi"}' },
  });
  assert.equal(status, 200);
  assert.deepEqual([body.response.status_code, body.response.payload], [202, 'thanks']);
  assert.ok(
    body.response.headers.some(({ key, value }: { key: string; value: string }) => key === 'X-Mine' && value === 'yes'),
  );
  assert.deepEqual(at.receiver.bodies(), ['{"text":"hi"}']);
  assert.ok(hasValidSignature(at.simulator.account('acme').webhooks()[0]?.secret ?? '', at.receiver.got[0]!));
  assert.equal(at.receiver.got[0]?.headers['X-Zendesk-Webhook-Id'], webhook);
});

test('testing an unsaved webhook signs with the published secret', async () => {
  await using at = await rig();
  const request = { endpoint: at.receiver.url, http_method: 'POST', request_format: 'json' };
  const { body } = await at.api('POST webhooks/test', { request });
  assert.deepEqual([body.response.status_code, body.response.payload], [200, '']);
  assert.ok(hasValidSignature(TEST_SECRET, at.receiver.got[0]!));
  assert.equal((await at.api('POST webhooks/test', { request: {} })).status, 400);
  assert.equal((await at.api('POST webhooks/test?webhook_id=nosuch', { request })).status, 404);
});
