import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, test } from 'vitest';
import type { Reply } from '#testing/app/call.ts';
import { dumpDatabase } from '#testing/database/dump-database.ts';
import { findGeneralChannel } from '#testing/workspace/content.ts';
import { base64, type HelpdeskApp, helpdeskTeam, startHelpdeskApp } from '#testing/workspace/helpdesk.ts';
import { reconcile } from './reconcile.job.ts';

const CANARY = 'canary-4f1e-Zy9';

let rig: HelpdeskApp;

beforeAll(async () => {
  rig = await startHelpdeskApp();
});
afterAll(() => rig[Symbol.asyncDispose]());

/** The secret in plain text, in base64 at any offset, and percent-encoded. */
function encodings(secret: string): string[] {
  const inBase64 = [0, 1, 2].map((offset) =>
    Buffer.from(' '.repeat(offset) + secret)
      .toString('base64')
      .slice(4, -4),
  );
  return [secret, ...inBase64, encodeURIComponent(secret)];
}

describe('the secrets of an integration', () => {
  test('never appear in a response, log line, audit event or table', async () => {
    const { node, simulator } = rig;
    const acme = simulator.account('acme');
    acme.state.tokens.push({ token: CANARY, state: 'active' });
    acme.state.clients.push({
      ...(acme.state.clients[0] ?? assert.fail()),
      client_id: 'canary',
      client_secret: `${CANARY}-client`,
    });
    const desk = await helpdeskTeam(node);
    const replies: Reply[] = [];
    const said = async (reply: Promise<Reply>, status: number) => {
      replies.push(await reply);
      assert.equal(replies.at(-1)?.status, status, replies.at(-1)?.text);
    };
    const echo = JSON.stringify({ error: { title: `You sent ${CANARY}`, message: CANARY } });

    await said(desk.connect({ token: `${CANARY}-wrong` }), 400);
    await said(desk.connect({ authentication: 1, password: `${CANARY}-password` }), 400);
    simulator.fault({ path: '/users/me', status: 400, body: echo });
    await said(desk.connect({ token: CANARY }), 400);
    simulator.fault({ path: '/users/me', drop: true, times: 3 });
    await said(desk.connect({ token: CANARY }), 502);
    await said(desk.connect({ token: CANARY }), 200);
    const pathKey = acme.webhooks()[0]?.endpoint.split('/').at(-1) ?? assert.fail();
    const signing = acme.webhooks()[0]?.secret ?? assert.fail();
    const { id } = await findGeneralChannel(node, desk.team.id);
    const wishes = { ticket_created: true, message: base64('{"text":"x"}'), channel_details: [{ channel_id: id }] };
    simulator.fault({ path: '/triggers.json', method: 'POST', status: 422, body: echo });
    await said(desk.save(wishes), 400);
    await said(desk.save(wishes), 200);
    await said(desk.save({ authentication: 3, client_id: 'canary', client_secret: `${CANARY}-client` }), 200);
    simulator.fault({
      path: '/oauth/tokens',
      status: 401,
      body: JSON.stringify({ error: 'invalid_client', error_description: `${CANARY}-client` }),
    });
    await reconcile(node.deps, { teamId: desk.team.id, integrationId: desk.id });
    await said(desk.detail(), 200);
    simulator.fault({ path: '/triggers', method: 'DELETE', status: 403, body: echo });

    const dump = await dumpDatabase(node);
    const { rows } = await sql<{ line: string }>`select details::text as line from audit_events`.execute(node.db);
    await said(desk.disable(), 200);
    const places = {
      answers: JSON.stringify(replies),
      log: node.log.join('\n'),
      audit: rows.map(({ line }) => line).join('\n'),
      dump,
      'the dump after disconnecting': await dumpDatabase(node),
    };
    for (const [place, text] of Object.entries(places))
      for (const secret of [CANARY, pathKey, signing])
        for (const disguise of encodings(secret)) assert.ok(!text.includes(disguise), `${disguise} in ${place}`);
    assert.ok(places.answers.includes('You sent [removed]'), 'the rest of the message is kept');
    assert.ok(dump.includes('acme') && places.log.length > 0);
  });
});
