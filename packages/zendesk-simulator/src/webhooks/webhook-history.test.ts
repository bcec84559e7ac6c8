import assert from 'node:assert/strict';
import { test } from 'node:test';
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

test('invocations and attempts contain requests and responses, latest attempt first', async () => {
  await using at = await rig((before) =>
    before === 0 ? { status: 503, headers: { 'Retry-After': '5' } } : { status: 403, body: 'no' },
  );
  const { webhook } = await at.wired();
  at.simulator.account('acme').createTicket({ title: 'Paper' });
  await at.simulator.finished();
  const { body } = await at.api(`GET webhooks/${webhook}/invocations`);
  assert.equal(body.meta.has_more, false);
  const [invocation] = body.invocations;
  assert.deepEqual(
    [invocation.status, invocation.status_code, invocation.latest_completed_at],
    ['terminated', 403, '2026-01-02T00:00:05Z'],
  );
  const { attempts } = (await at.api(`GET webhooks/${webhook}/invocations/${invocation.id}/attempts`)).body;
  assert.deepEqual(
    attempts.map(({ id, invocation_id, status }: Record<string, string>) => [id, invocation_id, status]),
    [
      [webhook, invocation.id, 'terminated'],
      [webhook, invocation.id, 'server error'],
    ],
  );
  assert.equal(attempts[0].response.payload, 'no');
  assert.equal(attempts[0].request.payload, '{"text":"Paper"}');
  assert.deepEqual(
    attempts[0].request.headers.map(({ key }: { key: string }) => key),
    [
      'X-Zendesk-Webhook-Signature-Timestamp',
      'X-Zendesk-Webhook-Signature',
      'Content-Type',
      'User-Agent',
      'X-Zendesk-Account-Id',
      'X-Zendesk-Webhook-Id',
      'X-Zendesk-Webhook-Invocation-Id',
    ],
  );
  assert.equal((await at.api(`GET webhooks/${webhook}/invocations/NOSUCH/attempts`)).status, 404);
});

test('more than a hundred invocations are paginated, with a Link header, and kept for seven days', async () => {
  await using at = await rig();
  const { webhook } = await at.wired();
  const acme = at.simulator.account('acme');
  for (let count = 0; count < 101; count += 1) acme.send(webhook, '{}');
  await at.simulator.settled();
  const first = await at.api(`GET webhooks/${webhook}/invocations`);
  assert.deepEqual([first.body.invocations.length, first.body.meta.has_more], [100, true]);
  assert.equal(first.headers.get('link'), `<${first.body.links.next}>; rel="next"`);
  at.simulator.clock.advance(7 * 24 * 3_600_000);
  assert.deepEqual((await at.api(`GET webhooks/${webhook}/invocations`)).body.invocations, []);
});
