import assert from 'node:assert/strict';
import { TRIGGER_CHANNELS_MAX } from '@steward/contract/api/limits';
import { saveIntegration } from '@steward/contract/integrations';
import type { AccountControl } from '@steward/zendesk-simulator/control.ts';
import type { Trigger } from '@steward/zendesk-simulator/model.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { newId } from '#platform/database/ids.ts';
import { call } from '#testing/app/call.ts';
import { channel, findGeneralChannel, type TestChannel } from '#testing/workspace/content.ts';
import {
  base64,
  type HelpdeskApp,
  type HelpdeskTeam,
  helpdeskTeam,
  lines,
  startHelpdeskApp,
} from '#testing/workspace/helpdesk.ts';
import { auditRows } from '#testing/workspace/snapshot-tables.ts';

const TEMPLATE = '{"text":"#{{ticket.id}} {{ticket.title}}"}';

let rig: HelpdeskApp;
let acme: AccountControl;
let desk: HelpdeskTeam;
let general: TestChannel;

beforeAll(async () => {
  rig = await startHelpdeskApp();
});
afterAll(() => rig[Symbol.asyncDispose]());
beforeEach(async () => {
  rig.simulator.reset();
  acme = rig.simulator.account('acme');
  desk = await helpdeskTeam(rig.node);
  general = await findGeneralChannel(rig.node, desk.team.id);
  await desk.connect();
  rig.simulator.requests.length = 0;
});

const wishes = (more: object = {}) => ({
  ticket_created: true,
  ticket_updated: false,
  message: base64(TEMPLATE),
  channel_details: [{ channel_id: general.id }],
  ...more,
});
/** Omits the account's own triggers. */
const ours = (): Trigger[] => acme.triggers().filter(({ raw_title }) => raw_title.startsWith('Steward: '));
const webhookId = () => acme.webhooks()[0]?.id;
const make = (options: Parameters<typeof channel>[2] = {}) => channel(rig.node, desk.team.id, options);
async function assertRefused(form: object, id: string, text?: string | RegExp): Promise<void> {
  const reply = await desk.save(form);
  assert.equal(reply.body.id, id, reply.text);
  if (typeof text === 'string') assert.equal(reply.body.message, text);
  if (text instanceof RegExp) assert.match(reply.body.message, text);
  assert.deepEqual(lines(rig.simulator.requests), []);
}

describe('saving triggers', () => {
  test('case 11: for created tickets creates one trigger, which sends the template through the webhook', async () => {
    const reply = await desk.save(wishes());
    assert.deepEqual([reply.status, reply.body], [200, { status_code: 200, warnings: [] }]);
    assert.equal(ours().length, 1);
    const [{ raw_title, active, conditions, actions } = assert.fail()] = ours();
    assert.match(raw_title, /^Steward: Team .* \(ticket created\)$/);
    assert.equal(active, true);
    assert.deepEqual(conditions, { all: [{ field: 'update_type', operator: 'is', value: 'Create' }], any: [] });
    assert.deepEqual(actions, [{ field: 'notification_webhook', value: [webhookId(), TEMPLATE] }]);
    const { body } = await desk.detail();
    assert.deepEqual([body.ticket_created, body.ticket_updated, body.message], [true, false, base64(TEMPLATE)]);
    assert.deepEqual(body.channel_details, [{ channel_id: general.id, channel_name: 'General', state: 'active' }]);
  });

  test('writes one audit event, without the template', async () => {
    await desk.save(wishes());
    const [line] = (await auditRows(rig.node, 'integrations.saved')).slice(-1);
    const before = { ticket_created: true, ticket_updated: false, channels: [] };
    const after = { ticket_created: true, ticket_updated: false, channels: [general.id] };
    const details = { before, after, template_changed: true };
    assert.deepEqual(line, { team_id: desk.team.id, actor_id: desk.team.admin.id, target: desk.id, details });
  });

  test('case 12: for updated instead of created tickets deletes the first trigger and creates the second', async () => {
    await desk.save(wishes());
    const first = ours()[0]?.id;
    await desk.save(wishes({ ticket_created: false, ticket_updated: true }));
    assert.equal(ours().length, 1);
    const [{ id, conditions } = assert.fail()] = ours();
    assert.notEqual(id, first);
    assert.deepEqual(conditions.all, [{ field: 'update_type', operator: 'is', value: 'Change' }]);
    const changing = lines(acme.requests()).filter((line) => /^(?:POST|DELETE) .*triggers/.test(line));
    assert.deepEqual(changing.slice(-2), [`DELETE /api/v2/triggers/${first}.json`, 'POST /api/v2/triggers.json']);
  });

  test("case 13: for neither event is refused with the screen's message, without a call", () =>
    assertRefused(wishes({ ticket_created: false }), 'helpdesk.no_action', 'Please select atleast one action.'));

  test('case 13: for neither event is refused even if only one is sent', () =>
    assertRefused({ ticket_created: false }, 'helpdesk.no_action', 'Please select atleast one action.'));

  test('case 14: a new template updates both triggers, with conditions and actions, and keeps the ids', async () => {
    await desk.save(wishes({ ticket_updated: true }));
    const before = ours().map(({ id }) => id);
    rig.simulator.requests.length = 0;
    await desk.save({ message: base64('{"text":"new"}') });
    assert.deepEqual(
      ours().map(({ id }) => id),
      before,
    );
    for (const { actions, conditions } of ours()) {
      assert.deepEqual(actions, [{ field: 'notification_webhook', value: [webhookId(), '{"text":"new"}'] }]);
      assert.equal(conditions.all.length, 1);
    }
    const puts = acme.requests().filter(({ method }) => method === 'PUT');
    assert.equal(puts.length, 2);
    for (const { body } of puts)
      assert.deepEqual(Object.keys(JSON.parse(body).trigger), ['title', 'conditions', 'actions', 'active']);
  });

  test('case 15: a broken template is refused with its own message, without a call', () => {
    const message = base64('{"text":"{{ticket.title"}');
    return assertRefused(wishes({ message }), 'helpdesk.bad_template', /^Line 1, column \d+: /);
  });

  test('a trigger deleted in Zendesk is created again, one that was turned off is turned on', async () => {
    await desk.save(wishes({ ticket_updated: true }));
    acme.state.triggers = acme.triggers().filter(({ raw_title }) => !raw_title.endsWith('(ticket created)'));
    for (const trigger of ours()) trigger.active = false;
    assert.equal((await desk.save(wishes({ ticket_updated: true }))).status, 200);
    assert.deepEqual(
      ours().map(({ active }) => active),
      [true, true],
    );
  });

  test('a webhook deleted in Zendesk is created again, and the trigger points to it', async () => {
    await desk.save(wishes());
    acme.state.webhooks = [];
    assert.equal((await desk.save(wishes())).status, 200);
    assert.equal(acme.webhooks().length, 1);
    assert.deepEqual(ours()[0]?.actions[0]?.value, [webhookId(), TEMPLATE]);
  });

  test('a webhook turned off in Zendesk stays off, with a warning', async () => {
    const [webhook = assert.fail()] = acme.webhooks();
    webhook.status = 'inactive';
    const { body } = await desk.save(wishes());
    assert.deepEqual(body.warnings, [
      'The webhook is turned off in Zendesk. Nothing is delivered until it is turned on there.',
    ]);
    assert.equal(webhook.status, 'inactive');
    assert.deepEqual(
      [(await desk.detail()).body.health, (await desk.detail()).body.warnings],
      ['warning', body.warnings],
    );
  });

  test('a trigger that Zendesk rejects is refused with its message, and nothing is stored', async () => {
    const details = { base: [{ description: 'Too many triggers' }], title: [{ description: 'Title: is odd' }] };
    const body = JSON.stringify({ error: 'RecordInvalid', description: 'Record validation errors', details });
    rig.simulator.fault({ path: '/triggers.json', method: 'POST', status: 422, body });
    const reply = await desk.save(wishes());
    assert.deepEqual(
      [reply.status, reply.body.message],
      [400, 'Zendesk rejected the trigger: Too many triggers Title: is odd'],
    );
    assert.deepEqual((await desk.detail()).body.channel_details, []);
  });

  test('case 30: if Zendesk fails between the triggers, the next save finds the first and creates the second', async () => {
    rig.simulator.fault({ path: '/triggers.json', method: 'POST', skip: 1, times: 3, status: 500 });
    const reply = await desk.save(wishes({ ticket_updated: true }));
    assert.deepEqual([reply.status, reply.body.id], [502, 'helpdesk.unreachable']);
    assert.equal(
      reply.body.message,
      "Some triggers couldn't be saved because Zendesk couldn't be reached. Save again.",
    );
    const [{ id: first } = assert.fail()] = ours();
    assert.equal((await desk.save(wishes({ ticket_updated: true }))).status, 200);
    assert.deepEqual([ours().length, ours()[0]?.id], [2, first]);
  });

  test('after a lost response the created trigger is found by its title, not created twice', async () => {
    rig.simulator.fault({ path: '/triggers.json', method: 'POST', drop: true, after_commit: true });
    assert.equal((await desk.save(wishes())).status, 200);
    assert.equal(ours().length, 1);
  });

  test('another admin’s trigger with our webhook is not changed', async () => {
    const theirs = {
      ...(acme.triggers()[0] ?? assert.fail()),
      id: 77,
      raw_title: 'Steward: theirs',
      actions: [{ field: 'notification_webhook', value: [webhookId(), '{}'] }],
    };
    acme.triggers().push(theirs);
    const before = structuredClone(theirs);
    await desk.save(wishes());
    await desk.save(wishes({ ticket_created: false, ticket_updated: true }));
    assert.deepEqual(
      acme.triggers().find(({ id }) => id === 77),
      before,
    );
  });

  test('before connecting, and after disconnecting, is refused', async () => {
    await desk.disable();
    rig.simulator.requests.length = 0;
    await assertRefused(wishes(), 'helpdesk.not_connected');
    desk = await helpdeskTeam(rig.node);
    await assertRefused(wishes(), 'helpdesk.not_connected');
  });

  test("with an integration in the body that doesn't match the path is refused", async () => {
    const { team, id } = desk;
    for (const integration of [newId(), 'zendesk']) {
      const params = { teamId: team.id, integrationId: id };
      const reply = await call(rig.node, saveIntegration, {
        as: team.admin,
        params,
        body: { ...wishes(), integration },
      });
      assert.deepEqual([reply.status, reply.body.id], [400, 'request.invalid']);
    }
  });
});

describe('the channels', () => {
  const save = (...ids: string[]) => desk.save(wishes({ channel_details: ids.map((channel_id) => ({ channel_id })) }));

  test('are stored without duplicates, sorted by name, and keep their last known names when deleted', async () => {
    const [zoo, ant] = [await make({ displayName: 'Zoo' }), await make({ displayName: 'ant' })];
    assert.equal((await save(zoo.id, ant.id, zoo.id)).status, 200);
    await sql`update channels set delete_at = 9 where id = ${ant.id}`.execute(rig.node.db);
    await sql`delete from channels where id = ${zoo.id}`.execute(rig.node.db);
    assert.deepEqual((await desk.detail()).body.channel_details, [
      { channel_id: ant.id, channel_name: 'ant', state: 'archived' },
      { channel_id: zoo.id, channel_name: 'Zoo', state: 'missing' },
    ]);
  });

  test('can be private ones, whether or not the admin has joined them', async () => {
    const secret = await make({ type: 'P', members: [desk.team.admin.id] });
    assert.equal((await save(secret.id)).status, 200);
    const { team, id } = desk;
    const params = { teamId: team.id, integrationId: id };
    const body = wishes({ integration: id, channel_details: [{ channel_id: secret.id }, { channel_id: general.id }] });
    assert.equal((await call(rig.node, saveIntegration, { as: team.owner, params, body })).status, 200);
  });

  test("are refused with the same message if missing, archived, another team's, a conversation or unknown", async () => {
    const foreign = await findGeneralChannel(rig.node, (await helpdeskTeam(rig.node)).team.id);
    const archived = await make();
    await sql`update channels set delete_at = 9 where id = ${archived.id}`.execute(rig.node.db);
    const wrong = [archived.id, (await make({ type: 'D', members: [desk.team.admin.id] })).id, foreign.id, newId()];
    const text = 'Choose at least one open channel of this team.';
    for (const channel_details of [[], ...wrong.map((channel_id) => [{ channel_id: general.id }, { channel_id }])])
      await assertRefused(wishes({ channel_details }), 'helpdesk.bad_channels', text);
    const { message, ...without } = wishes();
    await assertRefused({ ...without, channel_details: undefined }, 'helpdesk.bad_channels', text);
    assert.ok(message);
  });

  test('have a maximum number', async () => {
    const many = Array.from({ length: TRIGGER_CHANNELS_MAX + 1 }, () => ({ channel_id: newId() }));
    await assertRefused(wishes({ channel_details: many }), 'request.invalid');
  });
});
