import assert from 'node:assert/strict';
import { TEMPLATE_BODY_MAX } from '@steward/contract/api/limits';
import { previewTemplate, testIntegration } from '@steward/contract/integrations';
import { type HelpdeskSimulator, startHelpdeskSimulator } from '@steward/zendesk-simulator/simulator.ts';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { call, type Reply } from '#testing/app/call.ts';
import { startNodes } from '#testing/app/nodes.ts';
import type { TestApp } from '#testing/app/start-app.ts';
import { countAttempts } from '#testing/faults/count-attempts.ts';
import { settled } from '#testing/faults/wait-for-jobs.ts';
import { channel, type TestChannel } from '#testing/workspace/content.ts';
import { createTeamWithMembers, type TestTeam } from '#testing/workspace/factories.ts';
import { base64 } from '#testing/workspace/helpdesk.ts';
import { connectSimulatedHelpdesk, helpdesk, listChannelTexts } from '#testing/workspace/integrations.ts';
import { toIntegrationId } from './providers/registry.ts';

const TEMPLATE = '{"text": "{{ticket.title}} @all"}';
const TEXT = 'The printer on floor two is out of paper @all';

let simulator: HelpdeskSimulator;
let node: TestApp;
let team: TestTeam;
let room: TestChannel;
let integrationId: string;

beforeAll(async () => {
  simulator = await startHelpdeskSimulator();
  node = await startNodes({ listen: true, pool: 2, env: { HELPDESK_URL: simulator.template } });
});

afterAll(async () => {
  await node[Symbol.asyncDispose]();
  await simulator[Symbol.asyncDispose]();
});

beforeEach(async () => {
  team = await createTeamWithMembers(node);
  room = await channel(node, team.id);
  integrationId = toIntegrationId(team.id, 'zendesk');
});

const params = () => ({ teamId: team.id, integrationId });

function preview(source: string, as = team.admin): Promise<Reply> {
  return call(node, previewTemplate, { as, params: params(), body: { message: base64(source) } });
}

function testWith(channels: readonly { id: string }[], source = TEMPLATE, as = team.admin): Promise<Reply> {
  const channel_details = channels.map(({ id }) => ({ channel_id: id }));
  return call(node, testIntegration, { as, params: params(), body: { message: base64(source), channel_details } });
}

async function fetchPosts({ id }: { id: string }) {
  return node.db.selectFrom('messages').selectAll().where('channel_id', '=', id).execute();
}

describe('the preview', () => {
  test('returns the JSON, the text as clients show it, and problems, connected or not', async () => {
    const { status, body } = await preview('{"text": "{{ticket.title}} @all *now* {{ticket.titel}}"}');
    assert.equal(status, 200);
    assert.deepEqual(JSON.parse(body.json), { text: `${TEXT} *now* ` });
    assert.equal(body.text, `${TEXT} *now*`);
    assert.equal(body.problems.length, 1);
    assert.equal(body.problems[0].suggestion, 'ticket.title');
  });

  test('300 KB is a problem, more is refused as too long, and a missing body is a 400', async () => {
    assert.match((await preview('x'.repeat(290_000))).body.problems[0].text, /290,000 bytes/);
    const send = (body: object) => call(node, previewTemplate, { as: team.admin, params: params(), body });
    for (const body of [{ message: 'A'.repeat(TEMPLATE_BODY_MAX + 4) }, {}, { message: 7 }])
      assert.equal((await send(body)).status, 400);
  });

  test('is limited to 120 a minute per user', async () => {
    await countAttempts(node, { name: 'template-previews' }, team.admin.id, 119);
    assert.equal((await preview('')).status, 200);
    assert.equal((await preview('')).body.id, 'rate.limited');
    assert.equal((await preview('', team.owner)).status, 200);
  });
});

describe('a test message', () => {
  test('is posted once in each channel, in the order sent, marked, by the integration user, and Zendesk reaches the server', async () => {
    const second = await channel(node, team.id);
    const desk = await connectSimulatedHelpdesk(node, simulator, team.id, { url: node.url, channels: [] });
    const { status, body } = await testWith([second, room, second]);
    assert.equal(status, 200);
    assert.equal(body.text, `Test: ${TEXT}`);
    assert.equal(body.connection_error, '');
    const posted = { posted: true, error: '' };
    assert.deepEqual(body.channels, [
      { channel_id: second.id, channel_name: second.name, ...posted },
      { channel_id: room.id, channel_name: room.name, ...posted },
    ]);
    await settled(node);
    for (const each of [room, second]) {
      const [post, ...more] = await fetchPosts(each);
      assert.equal(more.length, 0);
      assert.equal(post?.user_id, desk.userId);
      assert.equal(post?.text, 'Test: The printer on floor two is out of paper @\u2060all');
      assert.deepEqual(post?.props, { from_webhook: 'true', integration: 'zendesk' });
    }
  });

  test('writes an audit event without the text, and no delivery', async () => {
    await connectSimulatedHelpdesk(node, simulator, team.id, { url: node.url, channels: [] });
    await testWith([room]);
    const audit = node.db.selectFrom('audit_events').selectAll().where('team_id', '=', team.id);
    const rows = await audit.where('action', '=', 'integrations.tested').execute();
    assert.deepEqual(
      rows.map(({ actor_id, target, details }) => [actor_id, target, details]),
      [[team.admin.id, integrationId, { channels: [room.id], v: 1 }]],
    );
    const log = node.db.selectFrom('deliveries').selectAll().where('team_id', '=', team.id);
    assert.deepEqual(await log.execute(), []);
  });

  test("says why Zendesk can't reach the server, and is posted anyway", async () => {
    const desk = await connectSimulatedHelpdesk(node, simulator, team.id, { url: 'http://127.0.0.1:9', channels: [] });
    const unreachable = await testWith([room]);
    assert.match(unreachable.body.connection_error, /^Zendesk couldn't reach http/);
    const secret = node.deps.secrets.seal('integration', 'x'.repeat(44));
    const update = (fields: object) =>
      node.db.updateTable('integrations').set(fields).where('team_id', '=', desk.teamId).execute();
    await update({ webhook_id: '01J0000000000000000000GONE' });
    assert.match((await testWith([room])).body.connection_error, /webhook no longer exists in Zendesk/);
    await update({ credentials: 'v1.broken', signing_secret: secret });
    assert.match((await testWith([room])).body.connection_error, /^Enter the credentials again/);
    assert.equal((await listChannelTexts(node, room)).length, 3);
  });

  test("is refused while not connected, with a broken template, and with channels that can't be chosen", async () => {
    assert.equal((await testWith([room])).body.id, 'helpdesk.not_connected');
    await helpdesk(node, team.id, { state: 'off' });
    assert.equal((await testWith([room])).body.id, 'helpdesk.not_connected');
    await node.db.updateTable('integrations').set({ state: 'on' }).where('team_id', '=', team.id).execute();
    const broken = await testWith([room], '{"text": 5');
    assert.deepEqual([broken.status, broken.body.id], [400, 'helpdesk.bad_template']);
    assert.match(broken.body.message, /^Line 1, column 11: Not valid JSON/);
    assert.match((await testWith([room], '{"text": ""}')).body.message, /renders no text/);
    const foreign = await channel(node, (await createTeamWithMembers(node)).id);
    for (const each of [foreign, { id: '0'.repeat(26) }])
      assert.equal((await testWith([room, each])).body.id, 'helpdesk.bad_channels');
    assert.deepEqual(await listChannelTexts(node, room), []);
  });

  test('is limited to ten a minute per team', async () => {
    await connectSimulatedHelpdesk(node, simulator, team.id, { url: node.url, channels: [] });
    await countAttempts(node, { name: 'integration-tests' }, team.id, 9);
    assert.equal((await testWith([room])).status, 200);
    const refused = await testWith([room]);
    assert.deepEqual([refused.status, refused.body.id], [429, 'helpdesk.too_many_tests']);
    assert.equal((await fetchPosts(room)).length, 1);
  });
});
