import assert from 'node:assert/strict';
import { test } from 'vitest';
import { rig, until, webhookBody } from '../rig.ts';

test('every response has rate limit headers; triggers have more of them, webhooks have separate limits', async () => {
  await using at = await rig();
  const me = await at.api('GET users/me');
  assert.deepEqual([me.headers.get('x-rate-limit'), me.headers.get('x-rate-limit-remaining')], ['700', '699']);
  const triggers = await at.api('GET triggers');
  assert.equal(triggers.headers.get('x-rate-limit-remaining'), '698');
  for (const name of ['rate-limit-remaining', 'ratelimit-remaining']) assert.equal(triggers.headers.get(name), '698');
  assert.equal(triggers.headers.get('rate-limit-reset'), '60');
  const webhooks = await at.api('GET webhooks');
  assert.deepEqual(
    [webhooks.headers.get('x-rate-limit'), webhooks.headers.get('x-rate-limit-remaining')],
    ['100', '99'],
  );
  assert.equal(webhooks.headers.get('content-type'), 'application/json');
  const refused = await at.api('POST webhooks/test', {});
  assert.deepEqual([refused.status, refused.headers.get('x-rate-limit')], [400, '20']);
  const stranger = await at.api('GET webhooks', undefined, { auth: null });
  assert.deepEqual([stranger.status, stranger.headers.get('x-zendesk-api-version')], [401, 'v2']);
});

test('over the limit, responses are plain text with Retry-After until the minute is over', async () => {
  await using at = await rig();
  at.simulator.account('acme').state.settings.requests_per_minute = 2;
  at.simulator.clock.advance(15_000);
  for (const status of [200, 200, 429]) assert.equal((await at.api('GET users/me')).status, status);
  const { headers, body } = await at.api('POST triggers', { trigger: {} });
  assert.match(headers.get('content-type') ?? '', /^text\/plain/);
  assert.equal(headers.get('retry-after'), '45');
  assert.equal(body.length, 50);
  assert.equal((await at.api('GET webhooks')).status, 200);
  at.simulator.clock.advance(45_000);
  assert.equal((await at.api('GET users/me')).status, 200);
});

test('a fault affects the given number of matching calls, and no others', async () => {
  await using at = await rig();
  at.simulator.fault({ path: '/triggers', method: 'POST', times: 2, status: 500 });
  assert.equal((await at.api('GET triggers')).status, 200);
  assert.equal((await at.api('GET webhooks')).status, 200);
  for (const status of [500, 500, 422]) assert.equal((await at.api('POST triggers', { trigger: {} })).status, status);
  at.simulator.fault({ account: 'globex', status: 500 });
  assert.equal((await at.api('GET webhooks')).status, 200);
  at.simulator.clearFaults();
  at.simulator.fault({ skip: 1, status: 500 });
  for (const status of [200, 500, 200]) assert.equal((await at.api('GET webhooks')).status, status);
});

test('a fault before processing has no effect, one after it does', async () => {
  await using at = await rig();
  const acme = at.simulator.account('acme');
  const create = () => at.api('POST webhooks', { webhook: webhookBody() });
  at.simulator.fault({ status: 500 });
  assert.equal((await create()).status, 500);
  at.simulator.fault({ drop: true });
  await assert.rejects(create());
  assert.equal(acme.webhooks().length, 0);
  at.simulator.fault({ status: 500, after_commit: true });
  assert.equal((await create()).status, 500);
  at.simulator.fault({ drop: true, after_commit: true });
  await assert.rejects(create());
  assert.equal(acme.webhooks().length, 2);
  assert.deepEqual(
    acme.requests().map(({ status }) => status),
    [500, undefined, 500, undefined],
  );
});

test('a response can be HTML, any status with any headers, or broken JSON', async () => {
  await using at = await rig();
  at.simulator.fault({ html: true });
  const page = await at.api('GET webhooks');
  assert.equal(page.status, 502);
  assert.match(page.headers.get('content-type') ?? '', /html/);
  at.simulator.fault({ status: 429, headers: { 'retry-after': '1', 'content-type': 'text/plain' }, body: 'slow down' });
  const limited = await at.api('GET webhooks');
  assert.deepEqual([limited.status, limited.headers.get('retry-after'), limited.body], [429, '1', 'slow down']);
  at.simulator.fault({ body: '{"webhooks":' });
  await assert.rejects(at.api('GET webhooks'), SyntaxError);
});

test('a delay uses the simulated clock, and can be added after processing', async () => {
  await using at = await rig();
  const acme = at.simulator.account('acme');
  at.simulator.fault({ delay_ms: 30_000, after_commit: true });
  const created = at.api('POST webhooks', { webhook: webhookBody() });
  await until(() => acme.webhooks().length > 0);
  assert.equal(acme.requests()[0]?.status, undefined);
  at.simulator.clock.advance(30_000);
  assert.equal((await created).status, 201);
});
