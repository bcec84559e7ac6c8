import assert from 'node:assert/strict';
import { test } from 'vitest';
import { type Rig, rig, token, webhookBody } from '../rig.ts';

async function made(at: Rig, more: object = {}): Promise<string> {
  const { status, body } = await at.api('POST webhooks', { webhook: webhookBody(more) });
  assert.equal(status, 201);
  return body.webhook.id;
}

test("creating returns 201 with a ULID, keys in Zendesk's order, without absent values and without the secret", async () => {
  await using at = await rig();
  const { status, body } = await at.api('POST webhooks', {
    webhook: webhookBody({ description: 'D', authentication: null }),
  });
  assert.equal(status, 201);
  assert.match(body.webhook.id, /^[0-9A-HJKMNP-TV-Z]{26}$/);
  assert.match(body.webhook.created_at, /^2026-01-02T00:00:00\.\d{9}Z$/);
  assert.equal(typeof body.webhook.created_by, 'string');
  assert.equal(
    Object.keys(body.webhook).join(' '),
    'id name description status subscriptions created_at created_by endpoint http_method request_format',
  );
});

test('reading returns whole seconds, and the last editor once changed', async () => {
  await using at = await rig();
  const id = await made(at);
  const before = (await at.api(`GET webhooks/${id}`)).body.webhook;
  assert.equal(before.created_at, '2026-01-02T00:00:00Z');
  assert.equal('updated_at' in before, false);
  at.simulator.clock.advance(5_000);
  await at.api(`PATCH webhooks/${id}`, { webhook: { name: 'Other' } });
  const after = (await at.api(`GET webhooks/${id}`)).body.webhook;
  assert.deepEqual([after.name, after.updated_at], ['Other', '2026-01-02T00:00:05Z']);
  assert.equal(after.updated_by, after.created_by);
});

test('authentication secrets are never returned', async () => {
  await using at = await rig();
  const shown = async (authentication: object) => {
    const id = await made(at, { authentication });
    return (await at.api(`GET webhooks/${id}`)).body.webhook.authentication;
  };
  const add_position = 'header';
  assert.deepEqual(await shown({ type: 'basic_auth', data: { username: 'u', password: 'p' }, add_position }), {
    type: 'basic_auth',
    data: { username: 'u' },
    add_position,
  });
  assert.deepEqual(await shown({ type: 'bearer_token', data: { token: 't' }, add_position }), {
    type: 'bearer_token',
    add_position,
  });
  assert.deepEqual(await shown({ type: 'api_key', data: { name: 'X-Key', value: 'v' }, add_position }), {
    type: 'api_key',
    data: { name: 'X-Key' },
    add_position,
  });
});

test('patching returns 204 without a body and keeps missing fields', async () => {
  await using at = await rig();
  const id = await made(at, { description: 'D' });
  const { status, body } = await at.api(`PATCH webhooks/${id}`, { webhook: { status: 'inactive' } });
  assert.deepEqual([status, body], [204, undefined]);
  const { webhook } = (await at.api(`GET webhooks/${id}`)).body;
  assert.deepEqual([webhook.name, webhook.description, webhook.status], ['Team', 'D', 'inactive']);
});

test('deleted and unknown webhooks are not found', async () => {
  await using at = await rig();
  const id = await made(at);
  assert.equal((await at.api(`DELETE webhooks/${id}`)).status, 204);
  for (const call of [
    `GET webhooks/${id}`,
    `DELETE webhooks/${id}`,
    `PATCH webhooks/${id}`,
    `GET webhooks/${id}/signing_secret`,
  ]) {
    const { status, body } = await at.api(call, call.startsWith('PATCH') ? { webhook: {} } : undefined);
    assert.equal(status, 404);
    assert.ok(Array.isArray(body.errors));
  }
});

test("webhook paths don't accept .json", async () => {
  await using at = await rig();
  const id = await made(at);
  for (const path of ['webhooks.json', `webhooks/${id}.json`, `webhooks/${id}/signing_secret.json`]) {
    const { status, body } = await at.api(`GET ${path}`);
    assert.deepEqual([status, body.error], [404, 'InvalidEndpoint']);
  }
});

test('missing fields and invalid values, URLs and types are refused with a list of errors', async () => {
  await using at = await rig();
  for (const wrong of [
    { name: undefined },
    { name: '' },
    { endpoint: 'ftp://receiver.example' },
    { endpoint: 'receiver.example' },
    { http_method: 'FETCH' },
    { request_format: 'yaml' },
    { status: 'on' },
    { subscriptions: ['conditional_ticket_events', 'zen:event-type:user.created'] },
    { authentication: { type: 'basic_auth', data: { username: 'u' } } },
  ]) {
    const { status, body } = await at.api('POST webhooks', { webhook: webhookBody(wrong) });
    assert.equal(status, 400, JSON.stringify(wrong));
    assert.equal(body.errors.length, 1);
    assert.ok(body.errors[0].title.startsWith(Object.keys(wrong)[0] ?? ''));
  }
  const id = await made(at);
  const other = { webhook: { subscriptions: ['zen:event-type:user.created'] } };
  assert.equal((await at.api(`PATCH webhooks/${id}`, other)).status, 400);
  assert.equal(at.simulator.account('acme').webhooks().length, 1);
});

test('the list is newest first, without links or cursors on a single page', async () => {
  await using at = await rig();
  assert.deepEqual((await at.api('GET webhooks')).body, { meta: { has_more: false }, webhooks: [] });
  for (const name of ['Steward: Blue', 'Other', 'Steward: Red']) await made(at, { name });
  const { webhooks } = (await at.api('GET webhooks')).body;
  assert.deepEqual(
    webhooks.map(({ name }: { name: string }) => name),
    ['Steward: Red', 'Other', 'Steward: Blue'],
  );
});

test('pages are linked by cursor', async () => {
  await using at = await rig();
  for (const name of ['a', 'b', 'c']) await made(at, { name });
  const first = (await at.api('GET webhooks?page[size]=2')).body;
  assert.deepEqual([first.webhooks.length, first.meta.has_more], [2, true]);
  const second = (await at.api(`GET webhooks?page[size]=2&page[after]=${encodeURIComponent(first.meta.after_cursor)}`))
    .body;
  assert.deepEqual([second.webhooks[0].name, second.meta.has_more], ['a', false]);
  const linked = await fetch(first.links.next, { headers: { authorization: token('ada@acme.example') } });
  assert.deepEqual(await linked.json(), second);
  const wrong = await at.api('GET webhooks?page[after]=nonsense');
  assert.deepEqual([wrong.status, wrong.body.errors[0].code], [400, 'InvalidPaginationParameter']);
  assert.equal((await at.api('GET webhooks?page[size]=101')).status, 400);
});

test('the signing secret is 44 characters, and stable', async () => {
  await using at = await rig();
  const id = await made(at);
  const shown = await at.api(`GET webhooks/${id}/signing_secret`);
  assert.equal(shown.status, 200);
  assert.equal(shown.body.signing_secret.algorithm, 'SHA256');
  assert.equal(shown.body.signing_secret.secret.length, 44);
  assert.deepEqual((await at.api(`GET webhooks/${id}/signing_secret`)).body, shown.body);
});

test('a trial account can have ten webhooks', async () => {
  await using at = await rig();
  const trial = { account: 'trial', auth: token('ada@trial.example', 'trial-token') };
  for (let count = 0; count < 10; count += 1) {
    assert.equal((await at.api('POST webhooks', { webhook: webhookBody() }, trial)).status, 201);
  }
  assert.equal((await at.api('POST webhooks', { webhook: webhookBody() }, trial)).status, 403);
});

test('deleting a webhook in use depends on a setting', async () => {
  await using at = await rig();
  const { webhook, trigger } = await at.wired();
  at.simulator.account('acme').state.settings.used_webhooks_can_go = false;
  assert.equal((await at.api(`DELETE webhooks/${webhook}`)).status, 400);
  await at.api(`DELETE triggers/${trigger}`);
  assert.equal((await at.api(`DELETE webhooks/${webhook}`)).status, 204);
});
