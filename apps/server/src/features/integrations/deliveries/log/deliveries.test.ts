import assert from 'node:assert/strict';
import {
  type Delivery,
  getDelivery,
  listDeliveries,
  redeliver,
  redeliverFailed,
} from '@steward/contract/integrations/deliveries';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { newId } from '#platform/database/ids.ts';
import { call } from '#testing/app/call.ts';
import { cleanUp } from '#testing/app/clean-up.ts';
import { startNodes } from '#testing/app/nodes.ts';
import type { TestApp } from '#testing/app/start-app.ts';
import { settled } from '#testing/faults/wait-for-jobs.ts';
import { isOfThisRun } from '#testing/system/this-run.ts';
import { channel, type TestChannel } from '#testing/workspace/content.ts';
import { createTeamWithMembers, type TestTeam } from '#testing/workspace/factories.ts';
import {
  deliverTo,
  failedDelivery,
  helpdesk,
  listChannelTexts,
  type TestHelpdesk,
} from '#testing/workspace/integrations.ts';

let node: TestApp;
let team: TestTeam;
let rooms: [TestChannel, TestChannel];
let desk: TestHelpdesk;

beforeAll(async () => {
  node = await startNodes({ pool: 4 });
});

afterAll(() => node[Symbol.asyncDispose]());

beforeEach(async () => {
  team = await createTeamWithMembers(node);
  rooms = [await channel(node, team.id, { name: 'alpha' }), await channel(node, team.id, { name: 'beta' })];
  desk = await helpdesk(node, team.id, { channels: rooms });
});

async function say(text: string, invocationId = newId()): Promise<void> {
  const reply = await deliverTo(node, desk, { body: JSON.stringify({ text }), invocationId });
  assert.equal(reply.status, 200, reply.text);
  await settled(node);
}

const archive = ({ id }: TestChannel, at: number) =>
  sql`update channels set delete_at = ${at} where id = ${id}`.execute(node.db);

async function list(query: Record<string, string> = {}) {
  const reply = await call(node, listDeliveries, { as: team.admin, params: desk.params, query });
  assert.equal(reply.status, 200, reply.text);
  return reply.body as { records: Delivery[]; last_key: string | null };
}

const redeliverOne = (deliveryId: string, as = team.admin) =>
  call(node, redeliver, { as, params: { ...desk.params, deliveryId } });
const redeliverAll = () => call(node, redeliverFailed, { as: team.admin, params: desk.params });

/** Omits ids and times. */
async function audited() {
  const { rows } = await sql`select action, actor_id, target, details - 'v' as details from audit_events
    where team_id = ${team.id} and action like 'integrations.%' order by id`.execute(node.db);
  return rows;
}

describe('the log of deliveries', () => {
  test('is empty before the first delivery, and before connecting', async () => {
    assert.deepEqual(await list(), { records: [], last_key: null, reset: true });
    await sql`delete from integration_channels where team_id = ${team.id}`.execute(node.db);
    await sql`delete from integrations where team_id = ${team.id}`.execute(node.db);
    assert.deepEqual((await list()).records, []);
  });

  test('shows the outcome of each delivery, newest first', async () => {
    await say('One');
    await archive(rooms[1], 1);
    await say('Two');
    await archive(rooms[0], 1);
    await say('Three', 'three');
    await say('');
    const { records } = await list();
    assert.deepEqual(
      records.map(({ state, text }) => [state, text]),
      [
        ['ignored', ''],
        ['failed', 'Three'],
        ['partly', 'Two'],
        ['posted', 'One'],
      ],
    );
    const failed = { state: 'failed', post_id: '', attempts: 1, error: 'This channel is archived.' };
    assert.equal(records[1]?.invocation_id, 'three');
    assert.deepEqual(records[1]?.channels, [
      { channel_id: rooms[0].id, channel_name: 'alpha', ...failed },
      { channel_id: rooms[1].id, channel_name: 'beta', ...failed },
    ]);
    assert.deepEqual(
      records[2]?.channels.map(({ state }) => state),
      ['posted', 'failed'],
    );
    assert.deepEqual(records[0]?.channels, []);
    assert.notEqual(records[0]?.note, '');
    assert.ok(isOfThisRun(records[0]?.received_at ?? 0));
  });

  test('can be filtered by state, and pages neither repeat nor skip deliveries', async () => {
    for (let at = 0; at < 5; at += 1) await say(`Good ${at}`);
    await archive(rooms[0], 1);
    for (let at = 0; at < 3; at += 1) await say(`Half ${at}`);
    assert.equal((await list({ state: 'failed' })).records.length, 0);
    assert.deepEqual(
      (await list({ state: 'partly' })).records.map(({ text }) => text),
      ['Half 2', 'Half 1', 'Half 0'],
    );
    const texts: string[] = [];
    let last_key: string | null | undefined;
    do {
      const page = await list({ state: 'posted', limit: '2', ...(last_key && { last_key }) });
      assert.ok(page.records.length <= 2);
      texts.push(...page.records.map(({ text }) => text));
      last_key = page.last_key;
      await say(`Between ${texts.length}`);
    } while (last_key);
    assert.deepEqual(texts, ['Good 4', 'Good 3', 'Good 2', 'Good 1', 'Good 0']);
  });

  test('refuses an unknown state, and a key of another list', async () => {
    for (let at = 0; at < 3; at += 1) await say(`Message ${at}`);
    const { last_key } = await list({ limit: '2' });
    const query = { last_key: last_key ?? '' };
    const ask = (more: Record<string, string>) =>
      call(node, listDeliveries, { as: team.admin, params: desk.params, query: more });
    assert.equal((await ask(query)).status, 200);
    assert.equal((await ask({ ...query, state: 'posted' })).status, 400);
    assert.equal((await ask({ state: 'lost' })).status, 400);
    assert.equal((await ask({ last_key: 'x.y' })).status, 400);
  });

  test('a delivery is shown with its request, without its signature', async () => {
    const body = '{"text":"Café ☕ for *@all*",\n "id": 7}';
    await deliverTo(node, desk, {
      body,
      headers: { authorization: 'Bearer canary', cookie: 'a=canary', 'x-custom': 'canary' },
    });
    await settled(node);
    const [{ id = '', text = '' } = {}] = (await list()).records;
    const reply = await call(node, getDelivery, { as: team.owner, params: { ...desk.params, deliveryId: id } });
    assert.equal(reply.status, 200);
    assert.equal(reply.body.body, body);
    assert.equal(reply.body.text, 'Café ☕ for *@all*', 'as clients show it');
    assert.equal(reply.body.text, text);
    assert.deepEqual(Object.keys(reply.body.headers).sort(), [
      'content-length',
      'content-type',
      'user-agent',
      'x-zendesk-account-id',
      'x-zendesk-webhook-id',
      'x-zendesk-webhook-invocation-id',
      'x-zendesk-webhook-signature-timestamp',
    ]);
    assert.ok(!reply.text.includes('canary') && !reply.text.includes(desk.pathKey));
  });

  test("another team's log, an unknown integration and an unknown delivery are 404", async () => {
    await say('Ours');
    const [{ id = '' } = {}] = (await list()).records;
    const other = await createTeamWithMembers(node);
    const theirs = await helpdesk(node, other.id);
    for (const params of [
      { ...theirs.params, deliveryId: id },
      { ...theirs.params, integrationId: desk.id, deliveryId: id },
      { ...theirs.params, deliveryId: newId() },
      { ...theirs.params, deliveryId: '\0' },
    ])
      for (const endpoint of [getDelivery, redeliver]) {
        const reply = await call(node, endpoint, { as: other.owner, params });
        assert.deepEqual([reply.status, reply.body.id], [404, 'record.not_found']);
      }
    const unknown = { teamId: other.id, integrationId: desk.id };
    assert.equal((await call(node, listDeliveries, { as: other.owner, params: unknown })).status, 404);
    assert.equal((await call(node, redeliverFailed, { as: other.owner, params: unknown })).status, 404);
  });
});

describe('delivering again', () => {
  test('posts only where it failed, once, and writes an audit event', async () => {
    await archive(rooms[1], 1);
    await say('Half');
    await archive(rooms[1], 0);
    const [{ id = '', channels: before = [] } = {}] = (await list()).records;
    assert.deepEqual([(await redeliverOne(id)).body, (await redeliverOne(id)).status], [{ status_code: 200 }, 200]);
    await settled(node);
    assert.equal((await redeliverOne(id)).status, 200, 'it is posted everywhere');
    await settled(node);
    assert.deepEqual(
      [await listChannelTexts(node, rooms[0]), await listChannelTexts(node, rooms[1])],
      [['Half'], ['Half']],
    );
    const [after] = (await list()).records;
    assert.equal(after?.state, 'posted');
    assert.equal(after?.channels[0]?.post_id, before[0]?.post_id);
    assert.deepEqual(
      after?.channels.map(({ state, attempts, error }) => [state, attempts, error]),
      [
        ['posted', 1, ''],
        ['posted', 2, ''],
      ],
    );
    const row = { action: 'integrations.redelivered', actor_id: team.admin.id, target: id, details: { deliveries: 1 } };
    assert.deepEqual(await audited(), [row]);
  });

  test("fails again if it still can't be posted", async () => {
    await archive(rooms[0], 1);
    await say('Half');
    const [{ id = '' } = {}] = (await list()).records;
    assert.equal((await redeliverOne(id)).status, 200);
    await settled(node);
    const [after] = (await list()).records;
    assert.deepEqual([after?.state, after?.channels[0]?.attempts], ['partly', 2]);
  });

  test('redelivers all failed deliveries in their original order, and counts them', async () => {
    await archive(rooms[0], 1);
    for (let at = 0; at < 4; at += 1) await say(`Half ${at}`);
    await archive(rooms[0], 0);
    await say('Good');
    const reply = await redeliverAll();
    assert.deepEqual([reply.status, reply.body], [200, { status_code: 200, deliveries: 4 }]);
    await settled(node);
    assert.deepEqual(await listChannelTexts(node, rooms[0]), ['Good', 'Half 0', 'Half 1', 'Half 2', 'Half 3']);
    assert.deepEqual(await listChannelTexts(node, rooms[1]), ['Half 0', 'Half 1', 'Half 2', 'Half 3', 'Good']);
    assert.deepEqual((await redeliverAll()).body, { status_code: 200, deliveries: 0 });
    const row = {
      action: 'integrations.redelivered',
      actor_id: team.admin.id,
      target: desk.id,
      details: { deliveries: 4 },
    };
    assert.deepEqual(await audited(), [row]);
  });

  test('a delivery without text stays ignored', async () => {
    await say('');
    const [{ id = '' } = {}] = (await list()).records;
    assert.equal((await redeliverOne(id)).status, 200);
    assert.equal((await redeliverAll()).body.deliveries, 0);
    await settled(node);
    assert.equal((await list()).records[0]?.state, 'ignored');
    assert.deepEqual(await audited(), []);
  });

  test('a delivery left unposted by disconnecting can be redelivered individually', async () => {
    const id = await failedDelivery(node, team.id, rooms[0]);
    await sql`update deliveries set state = 'ignored' where id = ${id}`.execute(node.db);
    assert.equal((await redeliverAll()).body.deliveries, 0);
    assert.deepEqual(await listChannelTexts(node, rooms[0]), []);
    assert.equal((await redeliverOne(id)).status, 200);
    await settled(node);
    assert.deepEqual(await listChannelTexts(node, rooms[0]), ['Good morning']);
  });

  test('is refused once disconnected', async () => {
    await archive(rooms[0], 1);
    await say('Half');
    const [{ id = '' } = {}] = (await list()).records;
    await sql`update integrations set state = 'off' where team_id = ${team.id}`.execute(node.db);
    for (const reply of [await redeliverOne(id), await redeliverAll()])
      assert.deepEqual([reply.status, reply.body.id], [409, 'helpdesk.not_connected']);
    assert.equal((await list()).records[0]?.state, 'partly', 'the log is still there');
  });
});

test('deliveries are kept for 30 days, and posted messages stay', async () => {
  await say('Old');
  await sql`update deliveries set received_at = now() - interval '30 days 1 minute' where team_id = ${team.id}`.execute(
    node.db,
  );
  await say('Young');
  await sql`update deliveries set received_at = now() - interval '29 days 23 hours'
    where team_id = ${team.id} and text = 'Young'`.execute(node.db);
  await cleanUp(node);
  assert.deepEqual(
    (await list()).records.map(({ text }) => text),
    ['Young'],
  );
  const { rows } = await sql`select 1 from delivery_channels where team_id = ${team.id}`.execute(node.db);
  assert.equal(rows.length, 2);
  assert.deepEqual(await listChannelTexts(node, rooms[0]), ['Old', 'Young']);
});
