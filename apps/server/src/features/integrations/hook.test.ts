import assert from 'node:assert/strict';
import { request } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { getMe } from '@steward/contract/session';
import { type HelpdeskSimulator, startHelpdeskSimulator } from '@steward/zendesk-simulator/simulator.ts';
import { TEST_SECRET } from '@steward/zendesk-simulator/webhooks/signature.ts';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { newId } from '#platform/database/ids.ts';
import { call, send } from '#testing/app/call.ts';
import { startNodes } from '#testing/app/nodes.ts';
import type { TestApp } from '#testing/app/start-app.ts';
import { settled } from '#testing/faults/wait-for-jobs.ts';
import { channel, type TestChannel } from '#testing/workspace/content.ts';
import { createTeamWithMembers, team } from '#testing/workspace/factories.ts';
import {
  deliverTo,
  delivery,
  formatInstant,
  helpdesk,
  listChannelTexts,
  type TestHelpdesk,
} from '#testing/workspace/integrations.ts';
import { CONNECTION_TEST } from './providers/zendesk/receive/receive.ts';

let simulator: HelpdeskSimulator;
let node: TestApp;
let room: TestChannel;
let desk: TestHelpdesk;

beforeAll(async () => {
  simulator = await startHelpdeskSimulator();
  node = await startNodes({ listen: true, pool: 4, env: { HELPDESK_URL: simulator.template } });
});

afterAll(async () => {
  await node[Symbol.asyncDispose]();
  await simulator[Symbol.asyncDispose]();
});

beforeEach(async () => {
  const teamId = await team(node);
  room = await channel(node, teamId);
  desk = await helpdesk(node, teamId, { channels: [room] });
});

async function logged() {
  return node.db.selectFrom('deliveries').selectAll().where('team_id', '=', desk.teamId).orderBy('id').execute();
}

async function nothingCame() {
  await settled(node);
  assert.deepEqual(await logged(), []);
  assert.deepEqual(await listChannelTexts(node, room), []);
}

describe('the hook URL', () => {
  test('an unknown key is 404, before the body is read', async () => {
    const reply = await deliverTo(node, desk, { pathKey: newId(), body: 'x'.repeat(600_000) });
    assert.deepEqual([reply.status, reply.body.id], [404, 'request.not_found']);
    await nothingCame();
  });

  test("sessions don't apply: none is needed, and an owner’s session gives no access", async () => {
    const { owner } = await createTeamWithMembers(node);
    const { cookie } = owner;
    assert.equal((await call(node, getMe, { as: owner })).status, 200);
    const forged = await deliverTo(node, desk, { secret: 'another', headers: { cookie } });
    assert.equal(forged.status, 401);
    assert.equal((await deliverTo(node, desk, { headers: { cookie: undefined } })).status, 200);
    await settled(node);
    assert.deepEqual(await listChannelTexts(node, room), ['Good morning']);
  });

  test('header names are case-insensitive', async () => {
    const { headers, body } = delivery(desk);
    const shouted = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
    const status = await new Promise((resolve, reject) => {
      const sent = request(`${node.url}${desk.path}`, { method: 'POST', headers: shouted });
      sent.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject);
      sent.end(body);
    });
    assert.equal(status, 200);
    await settled(node);
    assert.deepEqual(await listChannelTexts(node, room), ['Good morning']);
  });

  test('a body of any type, or without a type, is accepted', async () => {
    const types = ['text/plain', 'application/xml; charset=utf-8', 'application/json; charset=latin1', undefined];
    for (const type of types)
      assert.equal((await deliverTo(node, desk, { headers: { 'content-type': type } })).status, 200, type);
    await settled(node);
    assert.deepEqual(
      await listChannelTexts(node, room),
      types.map(() => 'Good morning'),
    );
  });

  test('a body is not decompressed: the signature covers the raw bytes', async () => {
    const body = gzipSync('{"text":"packed"}');
    const reply = await deliverTo(node, desk, { body, headers: { 'content-encoding': 'gzip' } });
    assert.equal(reply.status, 200);
    await settled(node);
    const [text = ''] = await listChannelTexts(node, room);
    assert.doesNotMatch(text, /packed/);
  });

  test('more than 512 KB is 413, with or without Content-Length', async () => {
    const withLength = await deliverTo(node, desk, { body: Buffer.alloc(512 * 1024 + 1, 32) });
    assert.deepEqual([withLength.status, withLength.body.id], [413, 'request.too_large']);
    const { headers } = delivery(desk);
    const pieces = new ReadableStream({
      async pull(stream) {
        // Otherwise fetch sometimes reads on without end, and nothing else happens in this process.
        await nextTurn();
        stream.enqueue(Buffer.alloc(64 * 1024, 32));
      },
    });
    const init = { method: 'POST', headers, body: pieces, duplex: 'half' } as const;
    const withoutLength = await fetch(`${node.url}${desk.path}`, init).catch(() => undefined);
    // The connection may close before the response is read, since the body never ends.
    if (withoutLength) assert.equal(withoutLength.status, 413);
    await nothingCame();
    assert.equal(
      (await deliverTo(node, desk, { body: Buffer.alloc(512 * 1024, 32) })).status,
      200,
      'exactly the limit is accepted',
    );
  });

  test('an empty, a missing and a binary body are 200, and the log explains them', async () => {
    const bodies = ['', '   ', '{"text":""}', Buffer.from([0x7b, 0xff, 0xfe, 0x00, 0x7d]), '[1,2]', '7', '{"a":', '{}'];
    for (const body of bodies) assert.equal((await deliverTo(node, desk, { body })).status, 200);
    await settled(node);
    const rows = await logged();
    assert.equal(rows.length, bodies.length);
    for (const { state, text, note } of rows) {
      assert.notEqual(note, '');
      assert.equal(state, text === '' ? 'ignored' : 'posted');
    }
    assert.equal((await listChannelTexts(node, room)).length, rows.filter(({ text }) => text !== '').length);
    assert.match(rows[3]?.body ?? '', /^\{\ufffd\ufffd\ufffd\}$/, 'invalid bytes are stored as replacement characters');
  });

  test("whatever is signed is 200 and posted once; what isn't is refused", async () => {
    const bytes = fc.uint8Array({ maxLength: 400 });
    const json = fc.jsonValue({ maxDepth: 6 }).map((value) => Buffer.from(JSON.stringify(value)));
    const texts = fc.string({ unit: 'binary', maxLength: 200 }).map((text) => Buffer.from(`{"text":"${text}"}`));
    const invocations = fc.string({
      unit: fc.constantFrom('a', 'Z', '0', '-', '"', "'", '{', '%', '~'),
      minLength: 1,
      maxLength: 64,
    });
    const sent = new Set<string>();
    await fc.assert(
      fc.asyncProperty(fc.oneof(bytes, json, texts), invocations, fc.boolean(), async (body, id, signed) => {
        const invocationId = signed ? id : `unsigned${id}`.slice(0, 64);
        const secret = signed ? desk.secret : 'another';
        const reply = await deliverTo(node, desk, { body: Buffer.from(body), invocationId, secret });
        assert.equal(reply.status, signed ? 200 : 401, reply.text);
        if (signed) sent.add(invocationId);
      }),
      { seed: 4_2026, numRuns: 60 },
    );
    await settled(node);
    const rows = await logged();
    assert.deepEqual(new Set(rows.map(({ invocation_id }) => invocation_id)), sent);
    const once = rows.filter(({ is_repeat }) => !is_repeat);
    assert.equal(once.length, sent.size);
    assert.ok(once.every(({ state, text }) => state === (text === '' ? 'ignored' : 'posted')));
    assert.ok(rows.every(({ is_repeat, state }) => !is_repeat || state === 'ignored'));
  });

  test('a connection test is 200 and neither posted nor logged', async () => {
    assert.equal((await deliverTo(node, desk, { body: CONNECTION_TEST })).status, 200);
    await nothingCame();
  });

  test('once disconnected, every request is 200 and ignored', async () => {
    await sql`update integrations set state = 'off', signing_secret = null where team_id = ${desk.teamId}`.execute(
      node.db,
    );
    assert.equal((await deliverTo(node, desk)).status, 200);
    assert.equal((await deliverTo(node, desk, { secret: 'another' })).status, 200);
    await nothingCame();
  });

  test("while the signature can't be checked, the response is 503", async () => {
    for (const signing_secret of [null, 'v1.sealed.withanotherkey']) {
      await node.db.updateTable('integrations').set({ signing_secret }).where('team_id', '=', desk.teamId).execute();
      const reply = await deliverTo(node, desk);
      assert.deepEqual([reply.status, reply.headers['retry-after']], [503, '10']);
    }
    await nothingCame();
  });

  test("without a chosen channel a delivery is 200, and the log says why it wasn't posted", async () => {
    await sql`delete from integration_channels where team_id = ${desk.teamId}`.execute(node.db);
    assert.equal((await deliverTo(node, desk)).status, 200);
    await settled(node);
    const [row] = await logged();
    assert.deepEqual([row?.state, row?.note], ['ignored', 'No channel was chosen when this was received.']);
  });

  test('neither the key in the URL nor a signature is logged or stored', async () => {
    const sent = delivery(desk);
    await send(node, {
      method: 'POST',
      url: desk.path,
      headers: { ...sent.headers, authorization: 'Bearer canary' },
      body: sent.body,
    });
    await deliverTo(node, desk, { secret: 'another' });
    await deliverTo(node, desk, { pathKey: `${desk.pathKey}x` });
    await settled(node);
    const lines = node.log.join('\n');
    assert.match(lines, /\/api\/v4\/hooks\/:provider\/:pathKey/);
    const [row] = await logged();
    for (const secret of [desk.pathKey, desk.secret, 'canary', sent.headers['x-zendesk-webhook-signature'] ?? '']) {
      assert.ok(!lines.includes(secret));
      assert.ok(!JSON.stringify(row).includes(secret));
    }
    assert.equal(
      row?.headers['x-zendesk-webhook-signature-timestamp'],
      sent.headers['x-zendesk-webhook-signature-timestamp'],
    );
  });
});

describe('refused requests', () => {
  test('no timestamp or invocation id, an id that is too long, or a timestamp of tomorrow: 401', async () => {
    for (const sent of [
      { headers: { 'x-zendesk-webhook-signature-timestamp': undefined } },
      { headers: { 'x-zendesk-webhook-invocation-id': undefined } },
      { invocationId: 'a'.repeat(65) },
      { timestamp: formatInstant(86_400_000) },
    ]) {
      const reply = await deliverTo(node, desk, sent);
      assert.deepEqual([reply.status, reply.body.id], [401, 'helpdesk.bad_signature'], JSON.stringify(sent));
    }
    await nothingCame();
  });

  test('another team’s secret, and another team’s URL', async () => {
    const other = await helpdesk(node, await team(node));
    assert.equal((await deliverTo(node, desk, { secret: other.secret })).status, 401);
    assert.equal((await deliverTo(node, desk, { pathKey: other.pathKey })).status, 401);
    await nothingCame();
  });

  test('the published test secret, even if it were stored', async () => {
    const teamId = await team(node);
    const known = await helpdesk(node, teamId, { secret: TEST_SECRET });
    assert.equal((await deliverTo(node, known)).status, 401);
  });

  test('many concurrent ones cause one call to Zendesk', async () => {
    const countReads = () => simulator.requests.filter(({ path }) => path.endsWith('/signing_secret')).length;
    const before = countReads();
    const replies = await Promise.all(Array.from({ length: 10 }, () => deliverTo(node, desk, { secret: 'another' })));
    assert.deepEqual([...new Set(replies.map(({ status }) => status))], [401]);
    assert.equal(countReads() - before, 1);
    await nothingCame();
  });
});
