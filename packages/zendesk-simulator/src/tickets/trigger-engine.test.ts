import assert from 'node:assert/strict';
import { test } from 'vitest';
import type { Condition } from '../model.ts';
import { rig, triggerBody, webhookBody } from '../rig.ts';

const when = (value: string) => ({ all: [{ field: 'update_type', operator: 'is', value }], any: [] });

test('a trigger for new tickets fires on creation, one for changes on changes', async () => {
  await using at = await rig();
  const { webhook } = await at.wired('{"text":"new {{ticket.id}}"}', when('Create'));
  const actions = [{ field: 'notification_webhook', value: [webhook, '{"text":"changed {{ticket.id}}"}'] }];
  await at.api('POST triggers', { trigger: triggerBody(webhook, { conditions: when('Change'), actions }) });
  const acme = at.simulator.account('acme');
  acme.createTicket({ title: 'One' });
  await at.simulator.settled();
  assert.deepEqual(at.receiver.bodies(), ['{"text":"new 1"}']);
  acme.updateTicket(1, { status: 'open' });
  await at.simulator.settled();
  assert.deepEqual(at.receiver.bodies(), ['{"text":"new 1"}', '{"text":"changed 1"}']);
});

test('several triggers fire in order of position, each with its own delivery', async () => {
  await using at = await rig();
  const { webhook } = await at.wired('"second"');
  const actions = [{ field: 'notification_webhook', value: [webhook, '"first"'] }];
  await at.api('POST triggers', { trigger: triggerBody(webhook, { actions, position: 0 }) });
  const { deliveries } = at.simulator.account('acme').createTicket();
  assert.equal(new Set(deliveries.map(({ id }) => id)).size, 2);
  await at.simulator.settled();
  assert.deepEqual(
    deliveries.map(({ attempts }) => attempts[0]?.request?.payload.toString()),
    ['"first"', '"second"'],
  );
});

test('nothing is sent by an inactive trigger, or to an inactive or deleted webhook', async () => {
  await using at = await rig();
  const { webhook, trigger } = await at.wired();
  const acme = at.simulator.account('acme');
  await at.api(`PUT triggers/${trigger}`, { trigger: { active: false } });
  acme.createTicket();
  await at.api(`PUT triggers/${trigger}`, { trigger: { active: true } });
  await at.api(`PATCH webhooks/${webhook}`, { webhook: { status: 'inactive' } });
  acme.createTicket();
  await at.api(`DELETE webhooks/${webhook}`);
  acme.createTicket();
  assert.deepEqual(acme.deliveries(), []);
});

test('internal notes fire triggers too, unless a condition asks for public comments', async () => {
  await using at = await rig();
  await at.wired('{"text":"{{ticket.latest_comment.value}}"}');
  const acme = at.simulator.account('acme');
  acme.createTicket({ comment: 'Help' });
  assert.equal(acme.updateTicket(1, { comment: 'He is rude', is_public: false }).deliveries.length, 1);
  await at.simulator.settled();
  assert.equal(at.receiver.bodies().at(-1), '{"text":"He is rude"}');
});

test('changes to a closed ticket fire nothing, but closing it does', async () => {
  await using at = await rig();
  await at.wired();
  const acme = at.simulator.account('acme');
  acme.createTicket();
  assert.equal(acme.updateTicket(1, { status: 'closed' }).deliveries.length, 1);
  assert.equal(acme.updateTicket(1, { comment: 'Thanks' }).deliveries.length, 0);
});

test('every kind of condition is evaluated correctly', async () => {
  await using at = await rig();
  const acme = at.simulator.account('acme');
  const { webhook } = await at.wired();
  const [trigger] = acme.triggers().filter(({ default: isDefault }) => !isDefault);
  acme.createTicket({ priority: 'low', tags: ['printer'], group: 'Support', via: 'mail', comment: 'Hello' });
  const ada = String(acme.state.people[0]?.id);
  const fires = async (condition: Condition, change: object) => {
    const { status } = await at.api(`PUT triggers/${trigger?.id}`, {
      trigger: { conditions: { all: [condition], any: [] }, actions: triggerBody(webhook).actions },
    });
    assert.equal(status, 200, condition.field);
    return acme.updateTicket(1, change).deliveries.length === 1;
  };
  const is = (field: string, value: string, operator = 'is') => ({ field, operator, value });
  assert.equal(await fires(is('status', 'new'), {}), true);
  assert.equal(await fires(is('status', 'new', 'is_not'), {}), false);
  assert.equal(await fires(is('status', 'pending', 'less_than'), { status: 'open' }), true);
  assert.equal(await fires(is('priority', 'normal', 'greater_than'), {}), false);
  assert.equal(await fires(is('priority', 'urgent', 'value'), { priority: 'urgent' }), true);
  assert.equal(await fires(is('priority', 'urgent', 'value'), {}), false);
  assert.equal(await fires(is('priority', '', 'changed'), { priority: 'high' }), true);
  assert.equal(await fires(is('priority', 'high', 'value_previous'), { priority: null }), true);
  assert.equal(await fires(is('group_id', String(acme.state.groups[0]?.id)), {}), true);
  assert.equal(await fires(is('assignee_id', ada), {}), false);
  assert.equal(await fires(is('assignee_id', ada), { assignee: 'ada@acme.example' }), true);
  assert.equal(await fires(is('current_tags', 'vip printer', 'includes'), {}), true);
  assert.equal(await fires(is('current_tags', 'printer', 'not_includes'), {}), false);
  assert.equal(await fires(is('comment_is_public', 'true'), { comment: 'x' }), true);
  assert.equal(await fires(is('comment_is_public', 'true'), { comment: 'x', is_public: false }), false);
  assert.equal(await fires(is('comment_is_public', 'true'), {}), false);
  assert.equal(await fires(is('role', 'end_user'), { by: 'rita@acme.example' }), true);
  assert.equal(await fires(is('role', 'end_user'), {}), false);
  assert.equal(await fires(is('via_id', '4'), {}), true);
  assert.equal(await fires(is('subject_includes_word', 'paper', 'includes'), { title: 'No paper, again' }), true);
});

test('all conditions of one list and any of the other must match', async () => {
  await using at = await rig();
  const { webhook, trigger } = await at.wired();
  const acme = at.simulator.account('acme');
  const status = (value: string) => ({ field: 'status', operator: 'is', value });
  const conditions = {
    all: [{ field: 'update_type', operator: 'is', value: 'Create' }],
    any: [status('open'), status('new')],
  };
  await at.api(`PUT triggers/${trigger}`, { trigger: { conditions, actions: triggerBody(webhook).actions } });
  assert.equal(acme.createTicket({ status: 'open' }).deliveries.length, 1);
  assert.equal(acme.createTicket({ status: 'pending' }).deliveries.length, 0);
  assert.equal(acme.updateTicket(1, { status: 'new' }).deliveries.length, 0);
});

test("a template that can't be rendered is sent as its error text", async () => {
  await using at = await rig();
  await at.wired('{"text":"{{ticket.title"}');
  at.simulator.account('acme').createTicket();
  await at.simulator.settled();
  assert.match(at.receiver.bodies()[0] ?? '', /^Liquid error: /);
});

test('with escaping off, or in another format, the body contains the text unescaped', async () => {
  await using at = await rig();
  const { webhook } = await at.wired('{"text":"{{ticket.title}}"}');
  const acme = at.simulator.account('acme');
  const title = 'He said "hi" \\ <b>\nnow';
  acme.createTicket({ title });
  acme.state.settings.escape = false;
  acme.createTicket({ title });
  acme.state.settings.escape = true;
  await at.api(`PATCH webhooks/${webhook}`, {
    webhook: webhookBody({ endpoint: at.receiver.url, request_format: 'xml' }),
  });
  acme.createTicket({ title });
  await at.simulator.settled();
  const [escaped, ...bare] = acme.deliveries().map(({ attempts }) => attempts[0]?.request?.payload.toString() ?? '');
  assert.deepEqual(JSON.parse(escaped ?? ''), { text: title });
  assert.deepEqual(bare, [`{"text":"${title}"}`, `{"text":"${title}"}`]);
});

test('tickets with invalid values are refused', async () => {
  await using at = await rig();
  const acme = at.simulator.account('acme');
  assert.throws(() => acme.createTicket({ status: 'lost' as 'new' }), /status is one of new, open/);
  assert.throws(() => acme.updateTicket(9, {}), /There is no ticket 9/);
});

test('tickets can be created and changed by calls, and fire triggers', async () => {
  await using at = await rig();
  await at.wired('{"text":"{{ticket.title}}: {{ticket.latest_comment}}"}');
  const ticket = { subject: 'No paper', comment: { body: 'Help' } };
  const { status, body } = await at.api('POST tickets.json', { ticket });
  assert.deepEqual([status, body.ticket.subject, body.ticket.status], [201, 'No paper', 'new']);
  await at.simulator.settled();
  assert.equal(
    (await at.api(`PUT tickets/${body.ticket.id}`, { ticket: { status: 'open' } })).body.ticket.status,
    'open',
  );
  await at.simulator.settled();
  assert.equal(at.receiver.got.length, 2);
  assert.equal((await at.api('PUT tickets/9', { ticket })).status, 422);
});
