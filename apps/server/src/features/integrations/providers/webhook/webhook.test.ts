import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { DELIVERY_MAX } from '@steward/contract/api/limits';
import { connectIntegration, getIntegration, previewTemplate, saveIntegration } from '@steward/contract/integrations';
import { type Delivery, listDeliveries, redeliverFailed } from '@steward/contract/integrations/deliveries';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { call, send } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { settled } from '#testing/faults/wait-for-jobs.ts';
import { channel, type TestChannel } from '#testing/workspace/content.ts';
import { createTeamWithMembers, type TestTeam } from '#testing/workspace/factories.ts';
import { base64 } from '#testing/workspace/helpdesk.ts';
import { listChannelTexts } from '#testing/workspace/integrations.ts';
import { toIntegrationId } from '../registry.ts';

const HEADER = 'X-Hub-Signature-256';
let node: TestApp;
let team: TestTeam;
let room: TestChannel;

beforeAll(async () => {
  node = await startApp();
});
afterAll(() => node[Symbol.asyncDispose]());
beforeEach(async () => {
  team = await createTeamWithMembers(node);
  room = await channel(node, team.id);
});

const sending = () => ({
  as: team.admin,
  params: { teamId: team.id, integrationId: toIntegrationId(team.id, 'webhook') },
});
const change = (form: object) => {
  const { params, as } = sending();
  return call(node, saveIntegration, { as, params, body: { integration: params.integrationId, ...form } });
};

/** Chooses the channel too. Returns the URL and the secret. */
async function connected(form: object = {}, template = '{{ title }}') {
  const reply = await call(node, connectIntegration, {
    ...sending(),
    body: { domain: '', username: '', authentication: 2, ...form },
  });
  assert.equal(reply.status, 200, reply.text);
  const saved = await change({ message: base64(template), channel_details: [{ channel_id: room.id }] });
  assert.equal(saved.status, 200, saved.text);
  const { hook_url } = (await call(node, getIntegration, sending())).body;
  return { url: new URL(hook_url).pathname, secret: String(reply.body.secret) };
}

const post = (url: string, body: string | Buffer, headers: Record<string, string> = {}) =>
  send(node, {
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json', ...headers },
    body: Buffer.from(body),
  });
const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });
const signature = (secret: string, body: string) => createHmac('sha256', secret).update(body).digest('hex');
const texts = async () => {
  await settled(node);
  return listChannelTexts(node, room);
};

describe('a bearer secret', () => {
  test('posts a message rendered by the template, with the payload escaped', async () => {
    const { url, secret } = await connected({}, 'Build: {{ title }} by {{ author.name }}');
    const body = JSON.stringify({ title: 'red @all', author: { name: 'Ada' } });
    assert.equal((await post(url, body, bearer(secret))).status, 200);
    assert.deepEqual(await texts(), ['Build: red @\u2060all by Ada']);
  });

  test('that is missing or wrong is refused, and nothing is stored', async () => {
    const { url, secret } = await connected();
    for (const headers of [{}, bearer('wrong'), { authorization: `Basic ${secret}` }, { authorization: 'Bearer ' }]) {
      const { status, body } = await post(url, '{"title":"x"}', headers as Record<string, string>);
      assert.deepEqual([status, body.id], [401, 'helpdesk.bad_signature']);
    }
    assert.equal((await call(node, listDeliveries, sending())).body.records.length, 0);
  });

  test('can be rotated: the new one is shown once, the old one stops immediately', async () => {
    const { url, secret } = await connected();
    const rotated = await change({ rotate_secret: true });
    assert.notEqual(rotated.body.secret, secret);
    assert.equal((await post(url, '{"title":"a"}', bearer(secret))).status, 401);
    assert.equal((await post(url, '{"title":"b"}', bearer(rotated.body.secret))).status, 200);
    assert.ok(!(await call(node, getIntegration, sending())).text.includes(rotated.body.secret));
    assert.equal((await change({ ticket_created: true })).body.secret, undefined);
  });
});

describe('a signature', () => {
  test('in hex or base64, bare or with its prefix, is accepted', async () => {
    const { url, secret } = await connected({ signature_header: HEADER });
    for (const [title, form] of [
      ['a', (hex: string) => `sha256=${hex}`],
      ['b', (hex: string) => hex],
      ['c', (hex: string) => Buffer.from(hex, 'hex').toString('base64')],
    ] as const) {
      const body = JSON.stringify({ title });
      const headers = { [HEADER]: form(signature(secret, body)) };
      assert.equal((await post(url, body, headers)).status, 200);
    }
    assert.deepEqual(await texts(), ['a', 'b', 'c']);
  });

  test('of another body, with another secret, or missing is refused; so is the bare secret', async () => {
    const { url, secret } = await connected({ signature_header: HEADER });
    const signed = signature(secret, '{"title":"x"}');
    for (const headers of [
      { [HEADER]: `sha256=${signed}` },
      { [HEADER]: signature('other', '{"title":"y"}') },
      bearer(secret),
      {},
    ])
      assert.equal((await post(url, '{"title":"y"}', headers as Record<string, string>)).status, 401);
  });

  for (const header of ['authorization', 'Content-Type', 'host', 'two words', 'x:y'])
    test(`cannot be in the header ${header}`, async () => {
      const body = { domain: '', username: '', authentication: 2, signature_header: header };
      assert.equal((await call(node, connectIntegration, { ...sending(), body })).status, 400);
    });
});

describe('a body', () => {
  test('that is not a JSON object, or is nested too deeply, is refused', async () => {
    const { url, secret } = await connected();
    for (const body of [
      '',
      'hello',
      '[1]',
      'null',
      '"x"',
      '{"a":',
      `{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}`,
      '\xff',
    ])
      assert.equal((await post(url, Buffer.from(body, 'latin1'), bearer(secret))).status, 400, body.slice(0, 20));
    assert.match((await call(node, getIntegration, sending())).body.last_error, /isn't a JSON object/);
    assert.deepEqual(await texts(), []);
  });

  test('that is hostile is posted as text', async () => {
    const { url, secret } = await connected(
      {},
      '**{{ title }}** {{ constructor.name }} {{ __proto__.x }} {{ payload.title }}',
    );
    const body = '{"title":"{{ 7 | times: 7 }}","__proto__":{"x":1},"constructor":{"prototype":{}}}';
    assert.equal((await post(url, body, bearer(secret))).status, 200);
    assert.match((await texts())[0] ?? '', /7 \\\| times: 7/);
    assert.equal(({} as { x?: number }).x, undefined);
  });

  test('that is too large is refused', async () => {
    const { url, secret } = await connected();
    const body = JSON.stringify({ title: 'x'.repeat(DELIVERY_MAX) });
    assert.equal((await post(url, body, bearer(secret))).status, 413);
  });
});

describe('events with the same body', () => {
  const log = async () => {
    await settled(node);
    const { records } = (await call(node, listDeliveries, sending())).body;
    return records.map(({ state, note, invocation_id }: Delivery) => [state, note, invocation_id]);
  };
  const REPEAT = "A delivery with the same id was received before, so this one wasn't posted.";

  for (const [how, form] of [
    ['a bearer secret', {}],
    ['a signature', { signature_header: HEADER }],
  ] as const)
    test(`and ${how} are all posted`, async () => {
      const { url, secret } = await connected(form);
      const body = '{"title":"Disk full"}';
      const headers = { ...bearer(secret), [HEADER]: signature(secret, body) };
      for (let count = 0; count < 3; count += 1) assert.equal((await post(url, body, headers)).status, 200);
      assert.deepEqual(await texts(), ['Disk full', 'Disk full', 'Disk full']);
      assert.equal(new Set((await log()).map((row: unknown[]) => row[2])).size, 3);
    });

  for (const header of ['Webhook-Id', 'Idempotency-Key', 'X-GitHub-Delivery', 'X-Delivery-Id'])
    test(`are posted once per id in ${header}, and each repeat is logged`, async () => {
      const { url, secret } = await connected();
      const ids = ['1', '1', '2', '1'];
      for (const id of ids)
        assert.equal((await post(url, '{"title":"T"}', { ...bearer(secret), [header]: id })).status, 200);
      assert.deepEqual(await texts(), ['T', 'T']);
      assert.deepEqual(await log(), [
        ['ignored', REPEAT, '1'],
        ['posted', '', '2'],
        ['ignored', REPEAT, '1'],
        ['posted', '', '1'],
      ]);
      const { deliveries } = (await call(node, redeliverFailed, sending())).body;
      assert.equal(deliveries, 0);
    });

  test('or another one are both posted if they share an id that GitLab gives to a chain of webhooks', async () => {
    const { url, secret } = await connected();
    const headers = { ...bearer(secret), 'X-Gitlab-Event-UUID': '13792a34-cac6-4fda-95a8-c58e00a3954e' };
    for (const title of ['one', 'two', 'one']) await post(url, JSON.stringify({ title }), headers);
    assert.deepEqual(await texts(), ['one', 'two']);
  });

  test('and ids that differ only at their end are different, however long they are', async () => {
    const { url, secret } = await connected();
    for (const end of ['1', '2', '1'])
      await post(url, '{"title":"T"}', { ...bearer(secret), 'idempotency-key': `${'x'.repeat(1_000)}${end}` });
    assert.deepEqual(await texts(), ['T', 'T']);
  });
});

test('the preview uses the last payload received, and a sample before the first', async () => {
  const preview = async (template: string) =>
    (await call(node, previewTemplate, { ...sending(), body: { message: base64(template) } })).body;
  assert.equal((await preview('{{ title }}')).text, 'Build 1284 failed');
  const { url, secret } = await connected();
  await post(url, '{"title":"Disk full","host":"db1"}', bearer(secret));
  await settled(node);
  assert.equal((await preview('{{ host }}: {{ title }}')).text, 'db1: Disk full');
  const broken = await preview('{{ title');
  assert.deepEqual([broken.json, broken.problems[0]?.severity], ['', 'error']);
});

describe('what an admin writes in a template', () => {
  test('is Markdown, and values in it are text', async () => {
    const template = '@channel **{{ title }}**: [the build]({{ url }}) {{ by | upcase }}';
    const { url, secret } = await connected({}, template);
    const body = { title: '*[x](https://evil.example)* @all', url: 'https://ci.example.com/1_a', by: '@ada' };
    assert.equal((await post(url, JSON.stringify(body), bearer(secret))).status, 200);
    assert.deepEqual(
      (await texts()).map((text) => text.replaceAll('\u2060', '¦')),
      ['@channel **\\*&#91;x&#93;(<https://evil.example>)\\* @¦all**: [the build](https://ci.example.com/1_a) @¦ADA'],
    );
  });

  test('keeps its meaning when it is captured, and what filters make of it is text', async () => {
    const template =
      '{% capture line %}**{{ title }}**{% endcapture %}{{ line }} {{ line | append: "*" }} {% if line == "**a_**" %}same{% endif %}' +
      '{% cycle title %}{% echo title %}{% for each in list %}{{ each }}{% endfor %}{{ raw | raw }}';
    const { url, secret } = await connected({}, template);
    await post(url, JSON.stringify({ title: 'a_', list: ['*', '_'], raw: '*' }), bearer(secret));
    assert.deepEqual(await texts(), ['**a\\_** \\*\\*a\\_\\*\\*\\* samea\\_a\\_\\*\\_\\*']);
  });

  test('can show lists and objects', async () => {
    const { url, secret } = await connected({}, '{{ tags }} {{ who }}');
    await post(url, '{"tags":["a","b"],"who":{"name":"Ada"}}', bearer(secret));
    assert.deepEqual(await texts(), ['a, b {"name":"Ada"}']);
  });
});

test('the address of one provider does not take the deliveries of another', async () => {
  const { url, secret } = await connected();
  assert.equal((await post(url.replace('/webhook/', '/zendesk/'), '{"title":"x"}', bearer(secret))).status, 404);
});
