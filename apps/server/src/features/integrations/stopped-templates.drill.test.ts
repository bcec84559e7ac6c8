import assert from 'node:assert/strict';
import {
  connectIntegration,
  getIntegration,
  listIntegrations,
  previewTemplate,
  saveIntegration,
  testIntegration,
} from '@steward/contract/integrations';
import { listDeliveries, redeliver } from '@steward/contract/integrations/deliveries';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { call, type Reply, send } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { settled } from '#testing/faults/wait-for-jobs.ts';
import { channel, type TestChannel } from '#testing/workspace/content.ts';
import { createTeamWithMembers, type TestTeam } from '#testing/workspace/factories.ts';
import { base64 } from '#testing/workspace/helpdesk.ts';
import { listChannelTexts } from '#testing/workspace/integrations.ts';
import { toIntegrationId } from './providers/registry.ts';

/** Reads 900 properties of 400,000 numbers. Only the time limit stops this. */
const ENDLESS = `{{ (1..400000) | where: "${'a.'.repeat(900)}a" }}`;
/** Compares two lists of 300,000 numbers 400 times. */
const COMPARING =
  '{% assign a = (1..300000) %}{% assign b = (1..300000) %}{% for i in (1..400) %}{% if a == b %}{% endif %}{% endfor %}';
const ENDED = 'The template takes longer than 1 second.';

let node: TestApp;
let team: TestTeam;
let room: TestChannel;
let hook: { url: string; authorization: string };

// The app has one connection: a wait for a thread within a transaction would block other calls.
beforeAll(async () => {
  node = await startApp();
});
afterAll(() => node[Symbol.asyncDispose]());

const sending = (of = team, code = 'webhook') => ({
  as: of.admin,
  params: { teamId: of.id, integrationId: toIntegrationId(of.id, code) },
});
const preview = (source: string, of = team, code = 'webhook') =>
  call(node, previewTemplate, { ...sending(of, code), body: { message: base64(source) } });
const change = (form: object) =>
  call(node, saveIntegration, { ...sending(), body: { integration: sending().params.integrationId, ...form } });
const detail = async () => (await call(node, getIntegration, sending())).body;

beforeEach(async () => {
  team = await createTeamWithMembers(node);
  room = await channel(node, team.id);
  const form = { domain: '', username: '', authentication: 2 };
  const { secret } = (await call(node, connectIntegration, { ...sending(), body: form })).body;
  await change({ message: base64('{{ title }}'), channel_details: [{ channel_id: room.id }] });
  hook = { url: new URL((await detail()).hook_url).pathname, authorization: `Bearer ${secret}` };
});

const deliver = (body: object) =>
  send(node, {
    method: 'POST',
    url: hook.url,
    headers: { 'content-type': 'application/json', authorization: hook.authorization },
    body: Buffer.from(JSON.stringify(body)),
  });

/** Makes a call with and one without the database, and requires their responses before the reply. */
async function assertOthersAnswered(reply: Promise<Reply>): Promise<Reply> {
  let isAnswered = false;
  const answered = reply.finally(() => {
    isAnswered = true;
  });
  const health = await send(node, { method: 'GET', url: '/healthz' });
  const list = await call(node, listIntegrations, sending());
  assert.deepEqual([health.status, list.status, isAnswered], [200, 200, false]);
  return answered;
}

describe('a template that takes too long', () => {
  for (const code of ['webhook', 'zendesk'])
    test(`is one problem in the preview of ${code}, while other calls are answered`, async () => {
      const { status, body } = await assertOthersAnswered(preview(ENDLESS, team, code));
      const problem = { severity: 'error', text: ENDED, line: null, column: null, suggestion: null };
      assert.deepEqual([status, body], [200, { json: '', text: '', problems: [problem] }]);
    });

  test('is ended too if what takes long is a comparison of lists, and the next one of the team is rendered', async () => {
    const [stopped, next] = await Promise.all([assertOthersAnswered(preview(COMPARING)), preview('{{ title }}')]);
    assert.deepEqual([stopped.body.problems[0].text, stopped.body.problems.length], [ENDED, 1]);
    assert.deepEqual([next.status, next.body.text], [200, 'Build 1284 failed']);
  });

  test('is not saved, while other calls are answered', async () => {
    const reply = await assertOthersAnswered(change({ message: base64(ENDLESS) }));
    assert.deepEqual([reply.status, reply.body.id, reply.body.message], [400, 'helpdesk.bad_template', ENDED]);
    assert.equal((await detail()).message, base64('{{ title }}'));
  });

  test('is not tested, while other calls are answered', async () => {
    const body = { message: base64(ENDLESS), channel_details: [{ channel_id: room.id }] };
    const reply = await assertOthersAnswered(call(node, testIntegration, { ...sending(), body }));
    assert.deepEqual([reply.status, reply.body.id, reply.body.message], [400, 'helpdesk.bad_template', ENDED]);
    assert.deepEqual(await listChannelTexts(node, room), []);
  });

  test('fails the delivery without a retry, while other calls are answered', async () => {
    // The template was saved before there was a limit, or renders quickly for the sample only.
    await node.db.updateTable('integrations').set({ message: ENDLESS }).where('team_id', '=', team.id).execute();
    const reply = await assertOthersAnswered(deliver({ title: 'Red @all' }));
    assert.equal(reply.status, 200);
    await settled(node);
    assert.deepEqual(await listChannelTexts(node, room), []);
    const { records } = (await call(node, listDeliveries, sending())).body;
    const [{ id, state, text, note, channels }] = records;
    assert.deepEqual([records.length, state, text], [1, 'failed', 'title: Red @all']);
    assert.equal(note, `${ENDED} The message is the payload; it is posted only when it is redelivered.`);
    assert.deepEqual([channels[0].state, channels[0].error], ['failed', ENDED]);
    assert.equal((await detail()).last_error, ENDED);

    const { params, as } = sending();
    await call(node, redeliver, { as, params: { ...params, deliveryId: id } });
    await settled(node);
    assert.deepEqual(await listChannelTexts(node, room), ['title: Red @\u2060all']);
  });
});

test('of many concurrent previews, those beyond eight waiting are refused, and other teams are not affected', async () => {
  const other = await createTeamWithMembers(node);
  // The first one keeps a thread busy for a second, so that the others arrive in the meantime.
  const many = Array.from({ length: 16 }, (_, at) => preview(at < 1 ? ENDLESS : '{{ title }}'));
  const [replies, ofOther] = await Promise.all([Promise.all(many), preview('{{ title }}', other)]);
  const refused = replies.filter(({ status }) => status === 429);
  assert.ok(refused.length > 0 && refused.every(({ body }) => body.id === 'rate.limited'));
  // On a busy machine some may have waited too long.
  const accepted = replies.filter(({ status }) => status !== 429);
  assert.ok(accepted.length >= 9 && accepted.every(({ status }) => status === 200 || status === 503));
  assert.ok(ofOther.status === 200 || ofOther.status === 503);
});

test('a server that stops ends the template that it renders', async () => {
  const own = await startApp();
  const { admin, id } = await createTeamWithMembers(own);
  const params = { teamId: id, integrationId: toIntegrationId(id, 'webhook') };
  const endless = call(own, previewTemplate, { as: admin, params, body: { message: base64(ENDLESS) } });
  await call(own, listIntegrations, { as: admin, params });
  await own[Symbol.asyncDispose]();
  assert.ok([200, 500, 503].includes((await endless).status));
});
