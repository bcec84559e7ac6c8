import assert from 'node:assert/strict';
import { listIntegrations } from '@steward/contract/integrations';
import type { AccountControl } from '@steward/zendesk-simulator/control.ts';
import type { Trigger } from '@steward/zendesk-simulator/model.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { createSecrets } from '#platform/security/secrets.ts';
import { call } from '#testing/app/call.ts';
import { settled } from '#testing/faults/wait-for-jobs.ts';
import {
  createTeamWithTriggers,
  type HelpdeskApp,
  type HelpdeskTeam,
  helpdeskTeam,
  lines,
  startHelpdeskApp,
  storedIntegrations,
} from '#testing/workspace/helpdesk.ts';
import { findIntegration, listDueReconciliations } from '../integrations.store.ts';
import { rereadSecret } from '../providers/zendesk/receive/verify.actions.ts';
import { reconcile } from './reconcile.job.ts';

const TEMPLATE = '{"text":"{{ticket.title}}"}';

let rig: HelpdeskApp;
let acme: AccountControl;
let desk: HelpdeskTeam;

beforeAll(async () => {
  rig = await startHelpdeskApp();
});
afterAll(() => rig[Symbol.asyncDispose]());
beforeEach(async () => {
  desk = await createTeamWithTriggers(rig, TEMPLATE);
  acme = rig.simulator.account('acme');
});

const place = () => ({ teamId: desk.team.id, integrationId: desk.id });
const stored = async () => (await storedIntegrations(rig.node, desk.team.id))[0] ?? assert.fail();
const ours = () => acme.triggers().filter(({ raw_title }) => raw_title.startsWith('Steward: '));
const created = (): Trigger => ours().find(({ raw_title }) => raw_title.endsWith('(ticket created)')) ?? assert.fail();
const set = (values: object) =>
  rig.node.db.updateTable('integrations').set(values).where('team_id', '=', desk.team.id).execute();

/** Returns the health that the screens show after a reconcile. */
async function reconcileHealth(): Promise<{ health: string; warnings: string[] }> {
  await reconcile(rig.node.deps, place());
  const { health, warnings } = (await desk.detail()).body;
  const { team } = desk;
  const tile = (await call(rig.node, listIntegrations, { as: team.admin, params: { teamId: team.id } })).body
    .records[0];
  assert.deepEqual([tile.health, tile.warnings], [health, warnings]);
  return { health, warnings };
}
const FINE = { health: 'ok', warnings: [] };

describe('reconciling', () => {
  test('changes nothing if everything is in place', async () => {
    const before = structuredClone([acme.webhooks(), acme.triggers(), await stored()]);
    assert.deepEqual(await reconcileHealth(), FINE);
    assert.deepEqual(
      lines(acme.requests()).filter((line) => !line.startsWith('GET')),
      [],
    );
    const after = [
      acme.webhooks(),
      acme.triggers(),
      { ...(await stored()), checked_at: (before[2] as { checked_at: Date }).checked_at },
    ];
    assert.deepEqual(after, before);
  });

  test('case 27: creates a deleted webhook again, with its secret, and points the triggers to it', async () => {
    const ids = ours().map(({ id }) => id);
    acme.state.webhooks = [];
    assert.deepEqual(await reconcileHealth(), FINE);
    const [webhook = assert.fail()] = acme.webhooks();
    const row = await stored();
    assert.equal(row.webhook_id, webhook.id);
    assert.equal(rig.node.deps.secrets.open('integration', String(row.signing_secret)), webhook.secret);
    assert.deepEqual(
      ours().map(({ id }) => id),
      ids,
    );
    for (const { actions } of ours()) assert.deepEqual(actions[0]?.value, [webhook.id, TEMPLATE]);
  });

  test('case 27: creates a deleted trigger again', async () => {
    acme.state.triggers = acme.triggers().filter((trigger) => trigger !== created());
    assert.deepEqual(await reconcileHealth(), FINE);
    assert.equal(String(created().id), (await stored()).created_trigger_id);
    assert.equal(ours().length, 2);
  });

  test('case 27: only warns about a trigger or a webhook that was turned off', async () => {
    created().active = false;
    const switchedOff = ['The trigger “Steward: Acme (ticket created)” is turned off in Zendesk.'];
    assert.deepEqual(await reconcileHealth(), { health: 'warning', warnings: switchedOff });
    assert.equal(created().active, false);
    (acme.webhooks()[0] ?? assert.fail()).status = 'inactive';
    assert.equal((await reconcileHealth()).warnings.length, 2);
    assert.equal(acme.webhooks()[0]?.status, 'inactive');
  });

  test('keeps a trigger turned off, even when pointing it back to our webhook', async () => {
    created().active = false;
    created().actions = [{ field: 'notification_user', value: ['requester_id', 'x', 'y'] }];
    await reconcileHealth();
    assert.deepEqual(created().actions, [{ field: 'notification_webhook', value: [acme.webhooks()[0]?.id, TEMPLATE] }]);
    assert.equal(created().active, false);
  });

  test('warns about a trigger that was edited, and leaves it', async () => {
    const warning =
      'The trigger “Steward: Acme (ticket created)” was edited in Zendesk. Saving here overwrites that change.';
    created().actions = [{ field: 'notification_webhook', value: [acme.webhooks()[0]?.id, '{"text":"mine"}'] }];
    assert.deepEqual((await reconcileHealth()).warnings, [warning]);
    created().actions = [{ field: 'notification_webhook', value: [acme.webhooks()[0]?.id, TEMPLATE] }];
    created().conditions.all = [{ field: 'status', operator: 'is', value: 'open' }];
    assert.deepEqual((await reconcileHealth()).warnings, [warning]);
    created().conditions.all = [
      { field: 'update_type', operator: 'is', value: 'Create' },
      { field: 'status', operator: 'is', value: 'open' },
    ];
    created().position = 1;
    assert.deepEqual(await reconcileHealth(), FINE, 'an admin may add conditions and change the position');
  });

  test('corrects the endpoint of a webhook, and reads a secret that was reset', async () => {
    const [webhook = assert.fail()] = acme.webhooks();
    const { endpoint } = webhook;
    webhook.endpoint = 'https://elsewhere.example/';
    const secret = acme.resetSecret(webhook.id);
    assert.deepEqual(await reconcileHealth(), FINE);
    assert.equal(webhook.endpoint, endpoint);
    assert.equal(rig.node.deps.secrets.open('integration', String((await stored()).signing_secret)), secret);
  });

  test('reports that the credentials are no longer accepted, and that they are accepted again', async () => {
    const [token = assert.fail()] = acme.state.tokens;
    token.state = 'deactivated';
    assert.deepEqual(await reconcileHealth(), {
      health: 'failing',
      warnings: ['Zendesk did not accept this email and token.'],
    });
    token.state = 'active';
    const ada = acme.state.people.find(({ email }) => email === 'ada@acme.example') ?? assert.fail();
    ada.role = 'agent';
    const mayNot = 'This Zendesk user may not manage webhooks and triggers. Use an administrator.';
    assert.deepEqual(await reconcileHealth(), { health: 'failing', warnings: [mayNot] });
    ada.role = 'admin';
    acme.state.settings.suspended = true;
    assert.equal((await reconcileHealth()).health, 'failing');
    acme.state.settings.suspended = false;
    assert.deepEqual(await reconcileHealth(), FINE);
    rig.simulator.removeAccount('acme');
    assert.deepEqual((await reconcileHealth()).warnings, ['No Zendesk account exists at acme.zendesk.com.']);
  });

  test('tells the owners and admins once that the connection broke, and again after it worked', async () => {
    const [token = assert.fail()] = acme.state.tokens;
    const count = async () => {
      const mails = rig.node.db.selectFrom('mails').select('recipient').where('kind', '=', 'notices.helpdesk');
      return (await mails.where('team_id', '=', desk.team.id).execute()).map(({ recipient }) => recipient).sort();
    };
    const { owner, admin } = desk.team;
    token.state = 'deactivated';
    for (const _ of ['once', 'and again']) assert.equal((await reconcileHealth()).health, 'failing');
    assert.deepEqual(await count(), [owner.email, admin.email].sort());
    token.state = 'active';
    assert.deepEqual(await reconcileHealth(), FINE);
    token.state = 'deactivated';
    assert.equal((await reconcileHealth()).health, 'failing');
    assert.equal((await count()).length, 4);
  });

  test('does not report an unreachable Zendesk as a broken connection', async () => {
    rig.simulator.fault({ account: 'acme', drop: true, times: 3 });
    const silent = "Zendesk couldn't be reached at the last check.";
    assert.deepEqual(await reconcileHealth(), { health: 'warning', warnings: [silent] });
    assert.deepEqual(await reconcileHealth(), FINE);
  });

  test('does nothing while a change is in progress', async () => {
    await set({ busy_until: new Date(Date.now() + 60_000), busy_by: 'another admin' });
    await reconcile(rig.node.deps, place());
    assert.deepEqual(lines(acme.requests()), []);
  });

  test('is due once a day, soon after an interrupted change, and when the settings are opened, but at most every five minutes', async () => {
    const isDue = async () =>
      (await listDueReconciliations(rig.node.db, 1_000)).some(({ teamId }) => teamId === desk.team.id);
    const jobs = async () =>
      (
        await sql`select 1 from pgboss.job where name = 'integrations.look' and data->>'team_id' = ${desk.team.id}`.execute(
          rig.node.db,
        )
      ).rows.length;
    assert.equal(await isDue(), false);
    await set({ checked_at: new Date(Date.now() - 23 * 3_600_000) });
    assert.equal(await isDue(), false);
    await desk.detail();
    await desk.detail();
    assert.equal(await jobs(), 1);
    await set({ checked_at: new Date(Date.now() - 25 * 3_600_000) });
    assert.equal(await isDue(), true);
    await set({ checked_at: new Date(Date.now() - 360_000), state: 'disconnecting' });
    assert.equal(await isDue(), true);
    await set({ busy_until: new Date(Date.now() + 60_000) });
    assert.equal(await isDue(), false);
    await set({ busy_until: null, state: 'off', checked_at: null });
    assert.equal(await isDue(), false);
  });
});

test('opening the settings reconciles in the background', async () => {
  await using own = await startHelpdeskApp({ work: true, pool: 2 });
  const theirs = await helpdeskTeam(own.node);
  await theirs.connect();
  own.simulator.account('acme').state.webhooks = [];
  assert.equal((await theirs.detail()).status, 200);
  await settled(own.node);
  assert.equal(own.simulator.account('acme').webhooks().length, 1);
});

describe('opening the settings right after a change of the connection', () => {
  const isChecked = async () => (await stored()).checked_at !== null;
  const jobs = async () =>
    (
      await sql`select 1 from pgboss.job where name = 'integrations.look' and data->>'team_id' = ${desk.team.id}`.execute(
        rig.node.db,
      )
    ).rows.length;
  const changes: [string, () => Promise<unknown>][] = [
    ['the credentials were updated', () => desk.save({ token: 'acme-token' })],
    ['it was connected again', () => desk.connect()],
    ['it was disabled and connected again', () => desk.disable().then(() => desk.connect())],
    [
      'another account was connected',
      () => desk.connect({ domain: 'trial', username: 'ada@trial.example', token: 'trial-token' }),
    ],
  ];
  for (const [name, change] of changes)
    test(`starts a reconcile, however recent the last one was: ${name}`, async () => {
      await desk.detail();
      const before = await jobs();
      assert.equal(await isChecked(), true);
      await change();
      await desk.detail();
      assert.equal(await jobs(), before + 1);
      await desk.detail();
      assert.equal(await jobs(), before + 1, 'once');
    });

  test('starts another one if the last one was skipped because of a change', async () => {
    await desk.detail();
    await set({ busy_until: new Date(Date.now() + 60_000), busy_by: 'another admin' });
    await reconcile(rig.node.deps, place());
    assert.equal(await isChecked(), false);
  });
});

describe('reading the signing secret again', () => {
  const reread = async () =>
    rereadSecret(rig.node.deps, (await findIntegration(rig.node.db, place())) ?? assert.fail());

  test('finds one that was reset, stores it, and calls Zendesk at most once a minute', async () => {
    const secret = acme.resetSecret(acme.webhooks()[0]?.id ?? '');
    assert.deepEqual([await reread(), await reread(), await reread()], [secret, undefined, undefined]);
    assert.equal(rig.node.deps.secrets.open('integration', String((await stored()).signing_secret)), secret);
    assert.equal(acme.requests().length, 1);
  });

  test('finds nothing if Zendesk does not return it', async () => {
    const { signing_secret } = await stored();
    rig.simulator.fault({ path: '/signing_secret', status: 404 });
    assert.equal(await reread(), undefined);
    assert.equal((await stored()).signing_secret, signing_secret);
  });
});

describe('with another SECRET_KEY', () => {
  beforeEach(async () => {
    const other = createSecrets('ab'.repeat(32));
    const resealed = {
      credentials: other.seal('integration', '{}'),
      path_key: other.seal('integration', 'x'),
      signing_secret: other.seal('integration', 'x'),
    };
    await set(resealed);
  });

  test('the integration asks for its credentials, and a reconcile makes no calls', async () => {
    const text = "Enter the credentials again. They can't be decrypted with the current SECRET_KEY.";
    assert.deepEqual(await reconcileHealth(), { health: 'failing', warnings: [text] });
    assert.deepEqual(lines(acme.requests()), []);
    const reply = await desk.save({ ticket_updated: false });
    assert.deepEqual([reply.status, reply.body.id], [400, 'helpdesk.missing_credential']);
  });

  test('entering them repairs everything, with the same webhook at a new URL', async () => {
    const { endpoint, id } = structuredClone(acme.webhooks()[0] ?? assert.fail());
    assert.equal((await desk.connect()).status, 200);
    assert.deepEqual(await reconcileHealth(), FINE);
    assert.equal(acme.webhooks()[0]?.id, id);
    assert.notEqual(acme.webhooks()[0]?.endpoint, endpoint);
    assert.deepEqual([acme.webhooks().length, ours().length], [1, 2]);
  });

  test('it can be disconnected, and says what to remove in Zendesk', async () => {
    const { body } = await desk.disable();
    assert.match(body.warnings[0], /^Nothing could be removed from acme\.zendesk\.com, .*"Steward: Acme"/);
    assert.equal((await stored()).state, 'off');
  });
});
