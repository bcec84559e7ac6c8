import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { DELIVERY_MAX } from '@steward/contract/api/limits';
import {
  connectIntegration,
  disableIntegration,
  getIntegration,
  type Integration,
  listIntegrations,
  previewTemplate,
  saveIntegration,
} from '@steward/contract/integrations';
import { type Delivery, listDeliveries, redeliverFailed } from '@steward/contract/integrations/deliveries';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, test, vi } from 'vitest';
import { call, send } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { settled } from '#testing/faults/wait-for-jobs.ts';
import { TIME_SCALE } from '#testing/system/time-scale.ts';
import { channel, type TestChannel } from '#testing/workspace/content.ts';
import { createTeamWithMembers, type TestTeam } from '#testing/workspace/factories.ts';
import { base64 } from '#testing/workspace/helpdesk.ts';
import { listChannelTexts } from '#testing/workspace/integrations.ts';
import { toIntegrationId } from '../registry.ts';
import { verifiedBy } from './senders/sender.ts';

const HEADER = 'X-Hub-Signature-256';
const SIGNED = verifiedBy('hmac', { header: HEADER, prefix: 'sha256=' });
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
  test('cannot be in a header that has another meaning, or is none', async () => {
    for (const header of ['authorization', 'Content-Type', 'host', 'two words', 'x:y']) {
      const body = { domain: '', username: '', authentication: 2, verification: { ...SIGNED, header } };
      assert.equal((await call(node, connectIntegration, { ...sending(), body })).status, 400, header);
    }
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
});

describe('events with the same body', () => {
  const log = async () => {
    await settled(node);
    const { records } = (await call(node, listDeliveries, sending())).body;
    return records.map(({ state, note, invocation_id }: Delivery) => [state, note, invocation_id]);
  };
  const REPEAT = "A delivery with the same id was received before, so this one wasn't posted.";

  test('are posted once per id, whichever header has it, and each repeat is logged', async () => {
    const { url, secret } = await connected();
    const headers = ['Webhook-Id', 'Idempotency-Key', 'X-GitHub-Delivery', 'X-Delivery-Id'];
    for (const header of headers)
      for (const number of ['1', '1', '2', '1']) {
        const id = `${header}:${number}`;
        assert.equal((await post(url, '{"title":"T"}', { ...bearer(secret), [header]: id })).status, 200);
      }
    assert.deepEqual(
      await texts(),
      headers.flatMap(() => ['T', 'T']),
    );
    assert.deepEqual(
      await log(),
      headers.toReversed().flatMap((header) => [
        ['ignored', REPEAT, `${header}:1`],
        ['posted', '', `${header}:2`],
        ['ignored', REPEAT, `${header}:1`],
        ['posted', '', `${header}:1`],
      ]),
    );
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
  assert.equal((await preview('{{ headers["x-event"] }}')).text, '');
  const { url, secret } = await connected();
  await post(url, '{"title":"Disk full","host":"db1"}', { ...bearer(secret), 'X-Event': 'alert' });
  await settled(node);
  assert.equal((await preview('{{ host }}: {{ title }}')).text, 'db1: Disk full');
  assert.equal((await preview('{{ headers["x-event"] }}')).text, 'alert');
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

describe('refused calls', () => {
  const tile = async () => {
    const { params, as } = sending();
    const { records } = (await call(node, listIntegrations, { as, params: { teamId: params.teamId } })).body;
    const { refused_count, refused_reason, refused_at } = records.find(({ code }: Integration) => code === 'webhook');
    return { refused_count, refused_reason, refused_at };
  };
  const counted = (count: number) =>
    vi.waitFor(async () => assert.equal((await tile()).refused_count, count), {
      timeout: 20_000 * TIME_SCALE,
      interval: 100,
    });

  test('are counted with the last reason and its time, and leave nothing else', async () => {
    const { url, secret } = await connected();
    assert.deepEqual(await tile(), { refused_count: 0, refused_reason: '', refused_at: null });
    const before = Date.now();
    assert.equal((await post(url, '{}', bearer('wrong'))).status, 401);
    await counted(1);
    const { refused_reason, refused_at } = await tile();
    assert.equal(refused_reason, 'The secret is wrong.');
    assert.ok(refused_at >= before - 60_000);
    for (let at = 0; at < 5; at += 1) await post(url, '{}', bearer(`wrong ${at}`));
    assert.equal((await post(url, JSON.stringify({ x: 'x'.repeat(DELIVERY_MAX) }), bearer(secret))).status, 413);
    assert.equal((await post(url, 'no JSON', bearer(secret))).status, 400);
    await counted(8);
    assert.equal((await tile()).refused_reason, "The body isn't a JSON object.");
    assert.equal((await call(node, listDeliveries, sending())).body.records.length, 0);
    assert.equal((await call(node, getIntegration, sending())).body.refused_count, 8);
  });

  test('in any number are few writes', async () => {
    const { url } = await connected();
    const version = async () => {
      const { rows } = await sql<{ version: string }>`select xmin::text as version from integrations
        where team_id = ${team.id} and code = 'webhook'`.execute(node.db);
      return rows[0]?.version;
    };
    const versions = new Set<string | undefined>();
    for (let at = 0; at < 30; at += 1) {
      await post(url, '{}', bearer('wrong'));
      versions.add(await version());
    }
    await counted(30);
    assert.ok(versions.size < 15, `${versions.size} writes`);
  });

  test('are forgotten when the integration is connected again', async () => {
    const { url } = await connected();
    await post(url, '{}');
    await counted(1);
    await call(node, disableIntegration, sending());
    await connected();
    assert.deepEqual(await tile(), { refused_count: 0, refused_reason: '', refused_at: null });
  });

  test('to an unknown address are counted nowhere', async () => {
    await connected();
    assert.equal((await post('/api/v4/hooks/webhook/unknown', '{}')).status, 404);
    assert.equal((await tile()).refused_count, 0);
  });
});

test('a webhook that was connected before there were several methods works as it did', async () => {
  const { url, secret } = await connected();
  const store = async (settings: object) => {
    const credentials = node.deps.secrets.seal('integration', JSON.stringify(settings));
    await node.db.updateTable('integrations').set({ credentials }).where('team_id', '=', team.id).execute();
  };
  await store({ signature_header: '' });
  assert.equal((await post(url, '{"title":"bearer"}', bearer(secret))).status, 200);
  await store({ signature_header: 'x-hub-signature-256' });
  const hex = signature(secret, '{"title":"signed"}');
  for (const given of [hex, `sha256=${hex}`, `SHA256=${hex}`, Buffer.from(hex, 'hex').toString('base64')])
    assert.equal((await post(url, '{"title":"signed"}', { [HEADER]: given })).status, 200);
  assert.equal((await post(url, '{"title":"x"}', bearer(secret))).status, 401);
  assert.deepEqual(await texts(), ['bearer', 'signed', 'signed', 'signed', 'signed']);
  const { verification } = (await call(node, getIntegration, sending())).body;
  assert.deepEqual([verification.method, verification.header], ['hmac', 'x-hub-signature-256']);
  assert.equal((await change({ ticket_created: true })).body.secret, undefined);
  assert.equal((await post(url, '{"title":"signed"}', { [HEADER]: hex })).status, 200);
});

test('the address of one provider does not take the deliveries of another', async () => {
  const { url, secret } = await connected();
  assert.equal((await post(url.replace('/webhook/', '/zendesk/'), '{"title":"x"}', bearer(secret))).status, 404);
});
