import assert from 'node:assert/strict';
import type { AccountControl } from '@steward/zendesk-simulator/control.ts';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { findGeneralChannel } from '#testing/workspace/content.ts';
import {
  base64,
  type HelpdeskApp,
  type HelpdeskTeam,
  helpdeskTeam,
  lines,
  startHelpdeskApp,
  storedIntegrations,
} from '#testing/workspace/helpdesk.ts';
import { auditRows } from '#testing/workspace/snapshot-tables.ts';

const GLOBEX = { domain: 'globex', username: 'ada@globex.example', authentication: 2, token: 'globex-token' };

let rig: HelpdeskApp;
let acme: AccountControl;
let globex: AccountControl;
let desk: HelpdeskTeam;

beforeAll(async () => {
  rig = await startHelpdeskApp();
});
afterAll(() => rig[Symbol.asyncDispose]());
beforeEach(async () => {
  rig.simulator.reset();
  acme = rig.simulator.account('acme');
  globex = rig.simulator.account('globex');
  desk = await helpdeskTeam(rig.node);
  await desk.connect();
  const { id } = await findGeneralChannel(rig.node, desk.team.id);
  const message = base64('{"text":"{{ticket.title}}"}');
  await desk.save({ ticket_created: true, ticket_updated: true, message, channel_details: [{ channel_id: id }] });
  rig.simulator.requests.length = 0;
});

const stored = async () => (await storedIntegrations(rig.node, desk.team.id))[0] ?? assert.fail();
const ours = (account: AccountControl) =>
  account.triggers().filter(({ raw_title }) => raw_title.startsWith('Steward: '));
const things = (account: AccountControl) => [account.webhooks().length, ours(account).length];
const tokens = (account: AccountControl) => [
  ...new Set(
    account.requests().map(({ headers }) => Buffer.from(headers.authorization?.slice(6) ?? '', 'base64').toString()),
  ),
];

describe('new credentials', () => {
  test('in the same account are checked, stored, and keep webhook and triggers', async () => {
    const before = [acme.webhooks()[0]?.id, ...ours(acme).map(({ id }) => id)];
    const reply = await desk.save({ username: 'zoë@acme.example', token: 'acme+odd:token' });
    assert.deepEqual([reply.status, reply.body.warnings], [200, []]);
    assert.deepEqual([acme.webhooks()[0]?.id, ...ours(acme).map(({ id }) => id)], before);
    const login = { domain: 'acme', username: 'ada@acme.example', authentication: 2 };
    const details = { before: login, after: { ...login, username: 'zoë@acme.example' } };
    assert.deepEqual((await auditRows(rig.node, 'integrations.credentials_saved')).at(-1)?.details, details);
    rig.simulator.requests.length = 0;
    await desk.save({ ticket_updated: false });
    assert.deepEqual(tokens(acme), ['zoë@acme.example/token:acme+odd:token']);
  });

  test('submitted by connecting again replace the old ones, without a second webhook', async () => {
    assert.equal((await desk.connect({ username: 'max@acme.example' })).status, 200);
    assert.deepEqual(things(acme), [1, 2]);
    assert.equal((await stored()).username, 'max@acme.example');
  });

  test('that are absent or empty keep the stored ones, without a call to Zendesk', async () => {
    const { credentials } = await stored();
    const { domain, username, authentication } = (await desk.detail()).body;
    const reply = await desk.save({ domain, username, authentication, password: '', token: '', ticket_updated: false });
    assert.equal(reply.status, 200, reply.text);
    assert.equal((await stored()).credentials, credentials);
    assert.ok(!lines(acme.requests()).includes('GET /api/v2/users/me.json'));
  });

  test('and triggers can be saved together', async () => {
    const reply = await desk.save({
      username: 'max@acme.example',
      ticket_created: false,
      message: base64('{"text":"x"}'),
    });
    assert.equal(reply.status, 200, reply.text);
    assert.equal(ours(acme).length, 1);
    const row = await stored();
    assert.deepEqual([row.username, row.message, row.ticket_created], ['max@acme.example', '{"text":"x"}', false]);
  });

  test('that find no webhook create it again, with its triggers', async () => {
    acme.state.webhooks = [];
    assert.equal((await desk.save({ token: 'acme+odd:token' })).status, 200);
    assert.deepEqual(things(acme), [1, 2]);
    for (const { actions } of ours(acme)) assert.equal(String(actions[0]?.value).split(',')[0], acme.webhooks()[0]?.id);
  });

  test('case 29: that are wrong change nothing', async () => {
    const [row, things] = [await stored(), structuredClone([acme.webhooks(), acme.triggers()])];
    for (const form of [
      { token: 'wrong' },
      { ...GLOBEX, token: 'wrong' },
      { ...GLOBEX, username: 'rita@globex.example' },
      { domain: 'nobody-here', token: 'x' },
      { domain: 'evil.example/', token: 'x' },
    ]) {
      assert.equal((await desk.save(form)).status, 400);
      const { busy_until: _, busy_by: __, ...now } = await stored();
      const { busy_until: ___, busy_by: ____, ...then } = row;
      assert.deepEqual(now, then);
      assert.deepEqual([acme.webhooks(), acme.triggers()], things);
      assert.deepEqual(globex.webhooks(), []);
    }
  });

  test('for another account, or of another kind, must be entered: a stored secret is never sent elsewhere', async () => {
    for (const form of [{ domain: 'globex' }, { authentication: 1 }, { authentication: 3 }]) {
      const reply = await desk.save(form);
      assert.deepEqual([reply.status, reply.body.id], [400, 'helpdesk.missing_credential']);
    }
    assert.deepEqual(lines(rig.simulator.requests), []);
  });
});

describe('another account', () => {
  test('case 29: is set up completely, then the old account is cleaned up with the old login', async () => {
    const foreign = acme.triggers()[0];
    const before = await stored();
    const reply = await desk.save(GLOBEX);
    assert.deepEqual([reply.status, reply.body.warnings], [200, []]);
    assert.deepEqual(
      [things(acme), things(globex)],
      [
        [0, 0],
        [1, 2],
      ],
    );
    assert.deepEqual(acme.triggers(), [foreign]);
    const row = await stored();
    assert.deepEqual(
      [row.domain, row.username, row.webhook_id],
      ['globex', 'ada@globex.example', globex.webhooks()[0]?.id],
    );
    assert.notEqual(row.path_hash, before.path_hash);
    assert.deepEqual(tokens(acme), ['ada@acme.example/token:acme-token']);
    assert.deepEqual(tokens(globex), ['ada@globex.example/token:globex-token']);
    const count = lines(globex.requests()).length;
    assert.deepEqual(
      lines(rig.simulator.requests.slice(0, count)),
      lines(globex.requests()),
      'the new one comes first',
    );
  });

  test("that can't be cleaned up is named in a warning", async () => {
    rig.simulator.fault({ account: 'acme', method: 'DELETE', path: '/triggers', status: 401, times: 9 });
    const { status, body } = await desk.save(GLOBEX);
    assert.equal(status, 200);
    assert.match(body.warnings[0], /^Some items couldn't be removed from acme\.zendesk\.com\..*"Steward: Team .*"/);
    assert.equal((await stored()).domain, 'globex');
  });

  test('that fails during setup is left empty, and the old one keeps working', async () => {
    const before = await stored();
    rig.simulator.fault({ account: 'globex', method: 'POST', path: '/triggers.json', skip: 1, times: 3, status: 500 });
    assert.equal((await desk.save(GLOBEX)).status, 502);
    assert.deepEqual(
      [things(acme), things(globex)],
      [
        [1, 2],
        [0, 0],
      ],
    );
    const row = await stored();
    assert.deepEqual([row.domain, row.webhook_id, row.path_hash], ['acme', before.webhook_id, before.path_hash]);
    assert.equal((await desk.save({ ticket_updated: false })).status, 200);
  });
});
