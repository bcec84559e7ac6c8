import assert from 'node:assert/strict';
import { listIntegrations } from '@steward/contract/integrations';
import type { AccountControl } from '@steward/zendesk-simulator/control.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { call } from '#testing/app/call.ts';
import { startApp } from '#testing/app/start-app.ts';
import {
  type HelpdeskApp,
  type HelpdeskTeam,
  helpdeskTeam,
  lines,
  startHelpdeskApp,
  storedIntegrations,
} from '#testing/workspace/helpdesk.ts';
import { auditRows } from '#testing/workspace/snapshot-tables.ts';

let rig: HelpdeskApp;
let acme: AccountControl;
let desk: HelpdeskTeam;

beforeAll(async () => {
  rig = await startHelpdeskApp();
});
afterAll(() => rig[Symbol.asyncDispose]());
beforeEach(async () => {
  rig.simulator.reset();
  acme = rig.simulator.account('acme');
  desk = await helpdeskTeam(rig.node);
});

const stored = async () => (await storedIntegrations(rig.node, desk.team.id))[0];
/** Asserts that nothing is stored and no object of ours is left at Zendesk. */
async function assertNothing(): Promise<void> {
  assert.deepEqual(await storedIntegrations(rig.node, desk.team.id), []);
  for (const name of ['acme', 'globex', 'trial', 'basic'])
    assert.deepEqual(rig.simulator.account(name).webhooks(), [], name);
}
async function assertRefused(form: object, text: string | RegExp, status = 400): Promise<void> {
  const reply = await desk.connect(form);
  assert.equal(reply.status, status, reply.text);
  if (typeof text === 'string') assert.equal(reply.body.message, text);
  else assert.match(reply.body.message, text);
  await assertNothing();
}
const getHeader = (path: string) =>
  acme.requests().find((request) => request.path.includes(path))?.headers.authorization;
const clear = (header: string | undefined) =>
  Buffer.from(header?.replace('Basic ', '') ?? '', 'base64').toString('utf8');

describe('connecting', () => {
  test("case 1: an admin's token creates a webhook, stores its secret, and enables the tile", async () => {
    const reply = await desk.connect();
    assert.deepEqual([reply.status, reply.body], [200, { status_code: 200, warnings: [] }]);
    const [webhook, ...more] = acme.webhooks();
    assert.ok(webhook && more.length === 0);
    const { name, endpoint, http_method, request_format, status, subscriptions } = webhook;
    assert.match(name, /^Steward: Team /);
    assert.match(endpoint, /^http:\/\/steward\.test\/api\/v4\/hooks\/zendesk\/[A-Za-z0-9_-]{43}$/);
    assert.deepEqual([http_method, request_format, status], ['POST', 'json', 'active']);
    assert.deepEqual(subscriptions, ['conditional_ticket_events']);
    const row = await stored();
    assert.equal(row?.webhook_id, webhook.id);
    assert.equal(rig.node.deps.secrets.open('integration', String(row?.signing_secret)), webhook.secret);
    const { team, id } = desk;
    const list = await call(rig.node, listIntegrations, { as: team.admin, params: { teamId: team.id } });
    assert.deepEqual(list.body.records.slice(0, 1), [
      {
        id,
        code: 'zendesk',
        name: 'Zendesk',
        enabled: true,
        health: 'ok',
        warnings: [],
        last_delivery_at: null,
        last_error: '',
        last_error_at: null,
        refused_count: 0,
        refused_reason: '',
        refused_at: null,
      },
    ]);
    const { body } = await desk.detail();
    assert.deepEqual(
      [body.enabled, body.domain, body.username, body.authentication],
      [true, 'acme', 'ada@acme.example', 2],
    );
    assert.deepEqual([body.ticket_created, body.ticket_updated, body.channel_details], [true, false, []]);
  });

  test("writes one audit event, and adds a posting user who can't sign in", async () => {
    await desk.connect();
    const [line] = (await auditRows(rig.node, 'integrations.connected')).slice(-1);
    const details = { domain: 'acme', username: 'ada@acme.example', authentication: 2 };
    assert.deepEqual(line, { team_id: desk.team.id, actor_id: desk.team.admin.id, target: desk.id, details });
    const { rows } = await sql`select p.email, p.password_hash, m.roles from people p join memberships m
      on m.person_id = p.id and m.team_id = ${desk.team.id} where p.id = ${(await stored())?.user_id}`.execute(
      rig.node.db,
    );
    const email = `zendesk@${desk.team.id}.integration.invalid`;
    assert.deepEqual(rows, [{ email, password_hash: null, roles: ['zendesk'] }]);
  });

  test('case 2: with password access off, Zendesk answers 200 but the password is refused before a webhook is created', async () => {
    await assertRefused(
      { authentication: 1, password: 'acme-password' },
      /^Zendesk did not accept this email and password\. Zendesk has ended sign-in by password/,
    );
    assert.deepEqual(lines(acme.requests()), ['GET /api/v2/users/me.json']);
  });

  test('case 3: with password access on, a password connects, sent as email and password', async () => {
    const globex = rig.simulator.account('globex');
    const reply = await desk.connect({
      domain: 'globex',
      username: 'ada@globex.example',
      authentication: 1,
      password: 'globex-password',
    });
    assert.equal(reply.status, 200, reply.text);
    const sent = globex.requests().map(({ headers }) => clear(headers.authorization));
    assert.deepEqual([...new Set(sent)], ['ada@globex.example:globex-password']);
  });

  test('case 4: a token is sent as email, /token and token, whatever characters they contain', async () => {
    const reply = await desk.connect({ username: 'zoë@acme.example', token: ' acme+odd:token\n' });
    assert.equal(reply.status, 200, reply.text);
    assert.equal(clear(getHeader('/users/me')), 'zoë@acme.example/token:acme+odd:token');
    assert.equal((await desk.detail()).body.username, 'zoë@acme.example');
  });

  for (const token of ['wrong-token', 'acme-token-off', 'acme-token-old'])
    test(`case 5: the token ${token} is refused`, () =>
      assertRefused({ token }, 'Zendesk did not accept this email and token.'));

  test('case 5: with token access off, every login is anonymous and refused', async () => {
    acme.state.settings.token_access = false;
    await assertRefused({}, 'Zendesk did not accept this email and token.');
  });

  test('case 6: an end user is refused', () =>
    assertRefused(
      { username: 'rita@acme.example' },
      'This Zendesk user may not manage webhooks and triggers. Use an administrator.',
    ));

  for (const who of ['agnes', 'lily'])
    test(`case 7: ${who}, an agent without the permission, is refused and leaves nothing`, () =>
      assertRefused(
        { username: `${who}@acme.example` },
        'This Zendesk user may not manage webhooks and triggers. Use an administrator.',
      ));

  test('an agent whose role lets them manage webhooks and triggers connects', async () => {
    assert.equal((await desk.connect({ username: 'max@acme.example' })).status, 200);
  });

  for (const who of ['susan', 'dora'])
    test(`${who}, who is suspended or deleted, is refused`, () =>
      assertRefused(
        { username: `${who}@acme.example` },
        'This Zendesk user is suspended or deleted. Use another one.',
      ));

  test('case 8: an unknown subdomain is named in the error', () =>
    assertRefused({ domain: 'nobody-here' }, 'No Zendesk account exists at nobody-here.zendesk.com.'));

  test('case 8: the address of a ticket is stored as its subdomain', async () => {
    assert.equal((await desk.connect({ domain: 'https://acme.zendesk.com/agent/tickets/1' })).status, 200);
    assert.equal((await desk.detail()).body.domain, 'acme');
  });

  test('case 8: hostile domains are refused before any call', async () => {
    // domain.rules.test.ts has all kinds.
    for (const domain of ['', 'evil.example/.zendesk.com', '127.0.0.1']) {
      const { status, body } = await desk.connect({ domain });
      assert.deepEqual([status, body.id], [400, 'helpdesk.bad_domain'], domain);
    }
    assert.deepEqual(rig.simulator.requests, []);
    await assertNothing();
  });

  test("case 9: if the secret can't be read, the webhook is deleted again", async () => {
    rig.simulator.fault({ path: '/signing_secret', status: 403, times: 1 });
    await assertRefused({}, 'Zendesk refused the request: Fault');
    assert.ok(lines(acme.requests()).some((line) => line.startsWith('DELETE /api/v2/webhooks/')));
  });

  test('case 10: after a lost response the created webhook is found, not created twice', async () => {
    rig.simulator.fault({ path: '/webhooks', method: 'POST', drop: true, after_commit: true });
    assert.equal((await desk.connect()).status, 200);
    assert.equal(acme.webhooks().length, 1);
    assert.equal((await stored())?.webhook_id, acme.webhooks()[0]?.id);
  });

  test('case 10: a creation that never started is retried', async () => {
    rig.simulator.fault({ path: '/webhooks', method: 'POST', status: 502, html: true });
    assert.equal((await desk.connect()).status, 200);
    assert.equal(acme.webhooks().length, 1);
  });

  test('case 30: waits for a short rate limit', async () => {
    rig.simulator.fault({
      path: '/webhooks',
      method: 'POST',
      status: 429,
      headers: { 'retry-after': '1' },
      body: 'slow down',
    });
    assert.equal((await desk.connect()).status, 200);
    assert.equal(acme.webhooks().length, 1);
  });

  test('a long rate limit is reported with its seconds', async () => {
    rig.simulator.fault({ path: '/users/me', status: 429, headers: { 'retry-after': '3600' }, body: 'slow down' });
    await assertRefused({}, 'Zendesk is limiting requests. Try again in 3600 seconds.', 429);
  });

  test('case 30: if Zendesk fails after the webhook was created, nothing remains, and another attempt succeeds', async () => {
    rig.simulator.fault({ path: '/signing_secret', status: 500, times: 3 });
    await assertRefused({}, "Zendesk couldn't be reached. Nothing was changed.", 502);
    assert.equal((await desk.connect()).status, 200);
    assert.equal(acme.webhooks().length, 1);
  });

  test('an unsupported plan and a closed account are reported', async () => {
    const login = (domain: string) => ({ domain, username: `ada@${domain}.example`, token: `${domain}-token` });
    await assertRefused(login('basic'), 'This Zendesk plan does not offer webhooks or triggers.');
    await assertRefused(login('suspended'), 'Zendesk refused the request: This account is suspended');
    rig.simulator.fault({ path: '/users/me', body: '<html>not JSON' });
    await assertRefused({}, 'Zendesk sent an unreadable response. Nothing was changed.', 502);
    rig.simulator.fault({ path: '/users/me', status: 302, headers: { location: 'http://127.0.0.1/' } });
    await assertRefused({}, /^Zendesk refused the request: /);
  });

  test('an eleventh webhook of a trial account is refused with Zendesk’s message', async () => {
    const trial = rig.simulator.account('trial');
    const login = { domain: 'trial', username: 'ada@trial.example', token: 'trial-token' };
    assert.equal((await (await helpdeskTeam(rig.node)).connect(login)).status, 200);
    const [webhook = assert.fail()] = trial.webhooks();
    trial.state.webhooks = Array.from({ length: 10 }, (_, at) => ({ ...webhook, id: `webhook-${at}` }));
    const reply = await desk.connect(login);
    assert.deepEqual([reply.status, reply.body.message], [400, 'Zendesk refused the request: Too many webhooks']);
    assert.equal(trial.webhooks().length, 10);
    assert.deepEqual(await storedIntegrations(rig.node, desk.team.id), []);
  });

  for (const [form, text] of [
    [{ token: '' }, 'Enter the API token.'],
    [{ authentication: 1 }, 'Enter the password.'],
    [{ authentication: 3, client_id: 'steward' }, 'Enter the client secret.'],
    [{ username: ' ' }, 'Enter the email.'],
    [{ username: 'ada' }, 'username: is not an email address'],
    [{ username: 'ada@acme.example:x' }, 'username: is not an email address'],
  ] as const)
    test(`${JSON.stringify(form)} is refused without a call`, async () => {
      await assertRefused(form, text);
      assert.deepEqual(rig.simulator.requests, []);
    });

  test('braces in a team’s name are not a template at Zendesk', async () => {
    desk = await helpdeskTeam(rig.node, '{{dc.secret}} {% raw %} & Söhne');
    await desk.connect();
    assert.equal(acme.webhooks()[0]?.name, 'Steward: ((dc.secret)) (% raw %) & Söhne');
  });
});

describe('a connection that is refused', () => {
  for (const [at, fault] of [
    ['at the webhook', { method: 'POST', path: '/webhooks', status: 403 }],
    ['at the signing secret', { path: '/signing_secret', status: 403 }],
  ] as const)
    test(`${at} keeps the previous domain and email`, async () => {
      await desk.connect();
      await desk.disable();
      const { domain, username, authentication } = (await stored()) ?? assert.fail();
      rig.simulator.fault({ ...fault, times: 1 });
      const reply = await desk.connect({ domain: 'trial', username: 'ada@trial.example', token: 'trial-token' });
      assert.equal(reply.status, 400, reply.text);
      const after = (await stored()) ?? assert.fail();
      assert.deepEqual([after.domain, after.username, after.authentication], [domain, username, authentication]);
      assert.deepEqual([after.state, after.credentials, after.path_key], ['off', null, null]);
      assert.equal((await desk.detail()).body.domain, 'acme');
      assert.deepEqual(rig.simulator.account('trial').webhooks(), []);
    });
});

describe('an OAuth client', () => {
  const client = {
    username: '',
    authentication: 3,
    token: undefined,
    client_id: 'steward',
    client_secret: 'acme-secret',
  };

  test('connects, and shows the email of the user it acts for', async () => {
    assert.equal((await desk.connect(client)).status, 200);
    const grant = acme.requests().find(({ path }) => path === '/oauth/tokens');
    const sent = JSON.parse(grant?.body ?? '{}');
    assert.equal(sent.scope, 'webhooks:read webhooks:write triggers:read triggers:write users:read');
    assert.ok(sent.expires_in > 300 && sent.expires_in < 172_800);
    assert.match(getHeader('/users/me') ?? '', /^Bearer /);
    assert.equal((await desk.detail()).body.username, 'ada@acme.example');
  });

  test('with read-only scopes is refused with the missing scopes', () =>
    assertRefused(
      { ...client, client_id: 'reader', client_secret: 'acme-reader' },
      'This OAuth client lacks the scopes webhooks:write, triggers:write.',
    ));

  test('with a wrong secret is refused', () =>
    assertRefused({ ...client, client_secret: 'wrong' }, 'Zendesk did not accept this client id and client secret.'));

  test('whose access token expires requests another one', async () => {
    rig.simulator.fault({ path: '/webhooks', method: 'POST', status: 401, body: '{"error":"invalid_token"}' });
    assert.equal((await desk.connect(client)).status, 200);
    assert.equal(acme.requests().filter(({ path }) => path === '/oauth/tokens').length, 2);
    assert.equal(acme.webhooks().length, 1);
  });
});

describe('without HELPDESK_URL', () => {
  test("refuses to connect while Zendesk can't deliver to the address: plain HTTP, or this machine", async () => {
    await using node = await startApp({ work: false });
    const own = await helpdeskTeam(node);
    for (const publicUrl of ['http://steward.test', 'http://localhost:8065']) {
      Object.assign(node.deps.env, { publicUrl });
      const reply = await own.connect();
      assert.deepEqual([reply.status, reply.body.id], [409, 'helpdesk.no_public_address'], publicUrl);
      assert.deepEqual(await storedIntegrations(node, own.team.id), []);
    }
  });
});
