import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { API_BASE } from '@steward/contract/api/endpoint';
import { connectIntegration, disableIntegration, saveIntegration } from '@steward/contract/integrations';
import type { AccountControl } from '@steward/zendesk-simulator/control.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { call } from '#testing/app/call.ts';
import { type KillableServer, killableServer } from '#testing/app/killable-server.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { findGeneralChannel } from '#testing/workspace/content.ts';
import {
  base64,
  type HelpdeskApp,
  type HelpdeskTeam,
  helpdeskTeam,
  startHelpdeskApp,
  storedIntegrations,
  TOKEN_LOGIN,
} from '#testing/workspace/helpdesk.ts';
import { reconcile } from './reconcile.job.ts';

/** Expires the leases of a team's integrations, as after a crash. */
async function endLeases(node: TestApp, teamId: string): Promise<void> {
  await sql`update integrations set busy_until = now() - interval '1 second' where team_id = ${teamId}
    and busy_until is not null`.execute(node.db);
}

const TEMPLATE = base64('{"text":"{{ticket.title}}"}');
/** The simulator's clock is stopped, so this delay never ends. */
const FOR_EVER = 1_000_000;

let rig: HelpdeskApp;
let second: TestApp;
let server: KillableServer;
let acme: AccountControl;
let desk: HelpdeskTeam;
let generalId: string;

beforeAll(async () => {
  rig = await startHelpdeskApp();
  const env = { HELPDESK_URL: rig.simulator.template };
  second = await startApp({ beside: rig.node, work: false, env });
  server = killableServer(rig.node, { env });
});
afterAll(async () => {
  server[Symbol.dispose]();
  await second[Symbol.asyncDispose]();
  await rig[Symbol.asyncDispose]();
});
beforeEach(async () => {
  rig.simulator.reset();
  acme = rig.simulator.account('acme');
  desk = await helpdeskTeam(rig.node);
  generalId = (await findGeneralChannel(rig.node, desk.team.id)).id;
});

const sending = (body?: object) => ({
  as: desk.team.admin,
  params: { teamId: desk.team.id, integrationId: desk.id },
  ...(body && { body }),
});
const wishes = () => ({
  integration: desk.id,
  ticket_created: true,
  ticket_updated: true,
  message: TEMPLATE,
  channel_details: [{ channel_id: generalId }],
});
const ours = () => acme.triggers().filter(({ raw_title }) => raw_title.startsWith('Steward: '));
const stored = async () => (await storedIntegrations(rig.node, desk.team.id))[0];
const reconcileAgain = async () => {
  await endLeases(rig.node, desk.team.id);
  await reconcile(rig.node.deps, { teamId: desk.team.id, integrationId: desk.id });
};

/** Waits for a condition; the simulator has no events. */
async function until(isTrue: () => boolean): Promise<void> {
  for (let waited = 0; !isTrue(); waited += 5) {
    if (waited > 8_000) throw new Error('it never was so');
    await pause(5);
  }
}

describe('two concurrent changes', () => {
  test('of two first connections on two nodes one succeeds, the other is refused as busy; one webhook', async () => {
    rig.simulator.fault({ method: 'POST', path: '/webhooks', after_commit: true, delay_ms: 1_000 });
    const first = call(rig.node, connectIntegration, sending(TOKEN_LOGIN));
    await until(() => acme.webhooks().length === 1);
    const other = await call(second, connectIntegration, sending(TOKEN_LOGIN));
    assert.deepEqual([other.status, other.body.id], [409, 'helpdesk.busy']);
    assert.equal(acme.requests().filter(({ path }) => path.includes('/users/me')).length, 1, 'it did not even sign in');
    rig.simulator.clock.advance(1_000);
    assert.equal((await first).status, 200);
    assert.equal(acme.webhooks().length, 1);
  });

  test('case 30: two simultaneous saves leave one webhook and two triggers', async () => {
    await desk.connect();
    rig.simulator.fault({ method: 'POST', path: '/triggers', after_commit: true, delay_ms: 1_000 });
    const first = call(rig.node, saveIntegration, sending(wishes()));
    await until(() => ours().length === 1);
    const other = await call(second, saveIntegration, sending(wishes()));
    const disabling = await call(second, disableIntegration, sending());
    assert.deepEqual([other.body.id, disabling.body.id], ['helpdesk.busy', 'helpdesk.busy']);
    rig.simulator.clock.advance(1_000);
    assert.equal((await first).status, 200);
    assert.deepEqual([acme.webhooks().length, ours().length], [1, 2]);
    assert.equal((await call(second, saveIntegration, sending(wishes()))).status, 200);
    assert.deepEqual([acme.webhooks().length, ours().length], [1, 2]);
  });

  test('ten concurrent connections and saves leave one webhook and two triggers', async () => {
    const nodes = [rig.node, second];
    const ten = <T>(each: (node: TestApp) => Promise<T>) =>
      Promise.all(Array.from({ length: 10 }, (_, at) => each(nodes[at % 2] ?? rig.node)));
    const connected = await ten((node) => call(node, connectIntegration, sending(TOKEN_LOGIN)));
    const saved = await ten((node) => call(node, saveIntegration, sending(wishes())));
    for (const replies of [connected, saved]) {
      assert.ok(
        replies.every(({ status }) => status === 200 || status === 409),
        replies.map(({ text }) => text).join(),
      );
      assert.ok(replies.some(({ status }) => status === 200));
    }
    assert.deepEqual([acme.webhooks().length, ours().length], [1, 2]);
  });
});

describe('a change while a reconcile runs in the background', () => {
  const changes = {
    'saving triggers': () => call(second, saveIntegration, sending(wishes())),
    'replacing the credentials': () => call(second, connectIntegration, sending(TOKEN_LOGIN)),
    disabling: () => call(second, disableIntegration, sending()),
  };
  for (const [name, change] of Object.entries(changes))
    test(`${name} waits for it and then succeeds`, async () => {
      await desk.connect();
      acme.requests().length = 0;
      const before = acme.requests().length;
      rig.simulator.fault({ method: 'GET', path: '/users/me', delay_ms: 1_000, times: 1 });
      const reconciling = reconcile(rig.node.deps, { teamId: desk.team.id, integrationId: desk.id });
      await until(() => acme.requests().length > before);
      const changing = change();
      assert.equal(await Promise.race([changing, pause(400, 'waiting')]), 'waiting');
      rig.simulator.clock.advance(1_000);
      await reconciling;
      const reply = await changing;
      assert.equal(reply.status, 200, reply.text);
    });
});

describe('a server that is killed', () => {
  /** Sends a change to a separate server, and kills it when Zendesk has reached a given state. */
  async function killedIn(method: string, body: object | undefined, isSo: () => boolean): Promise<void> {
    const url = await server.start();
    const { teamId, integrationId } = sending().params;
    const answer = fetch(`${url}${API_BASE}/admin/teams/${teamId}/integrations/${integrationId}`, {
      method,
      headers: { cookie: desk.team.admin.cookie, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    }).then(
      (response) => response.text(),
      () => 'killed',
    );
    await until(isSo);
    await server.kill();
    assert.equal(await answer, 'killed');
    rig.simulator.clearFaults();
  }

  test('after creating the webhook, before storing its id, leaves nothing at Zendesk, and can connect again', async () => {
    rig.simulator.fault({ method: 'POST', path: '/webhooks', after_commit: true, delay_ms: FOR_EVER });
    await killedIn('POST', TOKEN_LOGIN, () => acme.webhooks().length === 1);
    assert.deepEqual([(await stored())?.state, (await stored())?.webhook_id], ['connecting', null]);
    assert.equal((await desk.detail()).body.enabled, false);
    assert.equal((await desk.connect()).body.id, 'helpdesk.busy', 'its lease has not expired yet');
    await reconcileAgain();
    assert.deepEqual([acme.webhooks(), await stored()], [[], undefined]);
    assert.equal((await desk.connect()).status, 200);
    assert.equal(acme.webhooks().length, 1);
  });

  test('at that point is also cleaned up by the next connection', async () => {
    rig.simulator.fault({ method: 'POST', path: '/webhooks', after_commit: true, delay_ms: FOR_EVER });
    await killedIn('POST', TOKEN_LOGIN, () => acme.webhooks().length === 1);
    const lost = acme.webhooks()[0]?.id;
    await endLeases(rig.node, desk.team.id);
    assert.deepEqual((await desk.connect()).body, { status_code: 200, warnings: [] });
    assert.equal(acme.webhooks().length, 1);
    assert.notEqual(acme.webhooks()[0]?.id, lost);
  });

  test('after creating a trigger, before storing its id, leaves one that the next save finds', async () => {
    await desk.connect();
    rig.simulator.fault({ method: 'POST', path: '/triggers', after_commit: true, delay_ms: FOR_EVER });
    await killedIn('PUT', wishes(), () => ours().length === 1);
    await reconcileAgain();
    assert.equal((await desk.save(wishes())).status, 200);
    assert.deepEqual([ours().length, acme.webhooks().length], [2, 1]);
  });

  test('while disconnecting, completes at the next reconcile', async () => {
    await desk.connect();
    await desk.save(wishes());
    rig.simulator.fault({ method: 'DELETE', path: '/triggers', after_commit: true, delay_ms: FOR_EVER });
    await killedIn('DELETE', undefined, () => ours().length === 1);
    assert.equal((await stored())?.state, 'disconnecting');
    await reconcileAgain();
    assert.deepEqual([ours(), acme.webhooks()], [[], []]);
    assert.deepEqual([(await stored())?.state, (await stored())?.credentials], ['off', null]);
  });

  test('while moving to another account leaves nothing there, and the old one working', async () => {
    await desk.connect();
    await desk.save(wishes());
    const globex = rig.simulator.account('globex');
    rig.simulator.fault({
      account: 'globex',
      method: 'POST',
      path: '/triggers',
      after_commit: true,
      delay_ms: FOR_EVER,
    });
    const login = { domain: 'globex', username: 'ada@globex.example', authentication: 2, token: 'globex-token' };
    await killedIn('PUT', { integration: desk.id, ...login }, () => globex.triggers().length === 2);
    await reconcileAgain();
    assert.deepEqual([globex.webhooks().length, globex.triggers().length], [0, 1]);
    assert.deepEqual([acme.webhooks().length, ours().length, (await stored())?.domain], [1, 2, 'acme']);
  });
});
