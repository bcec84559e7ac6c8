import assert from 'node:assert/strict';
import { test } from 'vitest';
import { type Rig, rig, token, triggerBody, webhookBody } from '../rig.ts';

async function webhookFor(at: Rig): Promise<string> {
  return (await at.api('POST webhooks', { webhook: webhookBody() })).body.webhook.id;
}

async function made(at: Rig, more: object = {}) {
  const { status, body, headers } = await at.api('POST triggers.json', {
    trigger: triggerBody(await webhookFor(at), more),
  });
  assert.equal(status, 201, JSON.stringify(body));
  return { trigger: body.trigger, headers };
}

const CREATED = { all: [{ field: 'update_type', operator: 'is', value: 'Create' }], any: [] };

test('creating answers 201 with an id beyond 2^31, the default category, the last position and a Location', async () => {
  await using at = await rig();
  const { trigger, headers } = await made(at, { conditions: CREATED });
  assert.ok(trigger.id > 2 ** 31);
  assert.equal(trigger.position, 2);
  assert.equal(trigger.category_id, at.simulator.account('acme').state.categories[0]?.id);
  assert.equal(headers.get('location'), trigger.url);
  assert.equal(headers.get('x-zendesk-api-warn'), null);
  assert.equal(
    Object.keys(trigger).join(' '),
    'url id title active updated_at created_at default actions conditions description position raw_title category_id',
  );
  assert.deepEqual(trigger.conditions, CREATED);
});

test('legacy condition names work, and ignored keys are listed in a header', async () => {
  await using at = await rig();
  const { trigger, headers } = await made(at, { conditions: undefined, all: CREATED.all, id: 7 });
  assert.deepEqual(trigger.conditions, CREATED);
  assert.match(headers.get('x-zendesk-api-warn') ?? '', /:unpermitted_keys=>\["trigger.id"\]/);
});

test('updating only the title keeps conditions and actions; .json is optional', async () => {
  await using at = await rig();
  const { trigger } = await made(at, { conditions: CREATED });
  at.simulator.clock.advance(1_000);
  for (const suffix of ['', '.json']) {
    const { status, body } = await at.api(`PUT triggers/${trigger.id}${suffix}`, { trigger: { title: `T${suffix}` } });
    assert.equal(status, 200);
    assert.deepEqual(body.trigger, {
      ...trigger,
      title: `T${suffix}`,
      raw_title: `T${suffix}`,
      updated_at: '2026-01-02T00:00:01Z',
    });
  }
});

test('updating conditions or actions replaces both, so one without the other is refused', async () => {
  await using at = await rig();
  const { trigger } = await made(at);
  const both = { conditions: CREATED, actions: [{ field: 'status', value: 'solved' }] };
  const { body } = await at.api(`PUT triggers/${trigger.id}`, { trigger: both });
  assert.deepEqual({ conditions: body.trigger.conditions, actions: body.trigger.actions }, both);
  for (const half of [{ conditions: CREATED }, { actions: both.actions }]) {
    assert.equal((await at.api(`PUT triggers/${trigger.id}`, { trigger: half })).status, 422);
  }
  assert.deepEqual((await at.api(`GET triggers/${trigger.id}`)).body.trigger.conditions, CREATED);
});

test('every invalid trigger is refused with its errors, by field', async () => {
  await using at = await rig();
  const webhook = await webhookFor(at);
  const { body } = await at.api('POST webhooks', {
    webhook: webhookBody({ subscriptions: ['zen:event-type:user.created'] }),
  });
  const action = (value: unknown) => ({ actions: [{ field: 'notification_webhook', value }] });
  const condition = (field: string, operator: string, value: unknown) => ({
    conditions: { all: [{ field, operator, value }], any: [] },
  });
  for (const [field, wrong] of [
    ['title', { title: undefined }],
    ['title', { title: 'x'.repeat(256) }],
    ['actions', { actions: undefined }],
    ['base', { conditions: { all: [], any: [] } }],
    ['base', condition('moon_phase', 'is', 'full')],
    ['base', condition('update_type', 'is', 'Created')],
    ['base', condition('status', 'resembles', 'open')],
    ['base', { actions: [{ field: 'notification_pigeon', value: 'x' }] }],
    ['base', action(webhook)],
    ['base', action([webhook])],
    ['base', action([webhook, { text: 'x' }])],
    ['base', action(['01HANAHC1JKV2E5CDKZM2Q0001', '{}'])],
    ['base', action([body.webhook.id, '{}'])],
    ['base', action([webhook, 'x'.repeat(65 * 1024)])],
    ['category_id', { category_id: '1' }],
  ] as const) {
    const said = await at.api('POST triggers', { trigger: triggerBody(webhook, wrong) });
    assert.equal(said.status, 422, JSON.stringify(wrong).slice(0, 100));
    assert.equal(said.body.error, 'RecordInvalid');
    assert.deepEqual(Object.keys(said.body.details), [field]);
    assert.equal(typeof said.body.details[field][0].description, 'string');
  }
  assert.equal((await at.api('POST triggers', {})).status, 400);
  assert.equal(at.simulator.account('acme').triggers().length, 1);
});

test('an unknown trigger is not found by any call', async () => {
  await using at = await rig();
  const { trigger } = await made(at);
  assert.equal((await at.api(`DELETE triggers/${trigger.id}.json`)).status, 204);
  for (const call of ['GET', 'PUT', 'DELETE'].map((method) => `${method} triggers/${trigger.id}.json`)) {
    const { status, body } = await at.api(call, call.startsWith('PUT') ? { trigger: {} } : undefined);
    assert.deepEqual([status, body], [404, { error: 'RecordNotFound', description: 'Not found' }]);
  }
});

test('the list is paginated by number or cursor, in execution order', async () => {
  await using at = await rig();
  const { trigger } = await made(at, { title: 'B' });
  await made(at, { title: 'A', active: false });
  const titles = async (path: string) =>
    (await at.api(`GET ${path}`)).body.triggers.map(({ raw_title }: { raw_title: string }) => raw_title);
  const foreign = 'Notify requester of received request';
  assert.deepEqual(await titles('triggers'), [foreign, 'B', 'A']);
  const second = (await at.api('GET triggers.json?per_page=2&page=2')).body;
  assert.deepEqual([second.count, second.triggers.length, second.next_page], [3, 1, null]);
  assert.match(second.previous_page, /page=1/);
  const cursor = (await at.api('GET triggers?page[size]=1')).body;
  assert.deepEqual([cursor.meta.has_more, 'count' in cursor], [true, false]);
  const next = await fetch(cursor.links.next, { headers: { authorization: token('ada@acme.example') } });
  assert.equal(((await next.json()) as { triggers: { id: number }[] }).triggers[0]?.id, trigger.id);
  const deep = await at.api('GET triggers?page=101&per_page=100');
  assert.deepEqual([deep.status, deep.body.error.title], [400, 'InvalidPaginationDepth']);
});

test('searching finds titles', async () => {
  await using at = await rig();
  await made(at, { title: 'Steward: Blue' });
  const found = (await at.api('GET triggers/search.json?query=steward')).body;
  assert.deepEqual([found.count, found.triggers[0].title], [1, 'Steward: Blue']);
  assert.equal((await at.api('GET triggers/search?query=nothing')).body.count, 0);
});

test('a title is rendered, and its raw form kept', async () => {
  await using at = await rig();
  at.simulator.account('acme').state.dynamicContent = { hello: 'Hallo' };
  const { trigger } = await made(at, { title: '{{dc.hello}} team' });
  assert.deepEqual([trigger.title, trigger.raw_title], ['Hallo team', '{{dc.hello}} team']);
});
