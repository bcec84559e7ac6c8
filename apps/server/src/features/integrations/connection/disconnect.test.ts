import assert from 'node:assert/strict';
import type { AccountControl } from '@steward/zendesk-simulator/control.ts';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import {
  base64,
  createTeamWithTriggers,
  type HelpdeskApp,
  type HelpdeskTeam,
  helpdeskTeam,
  lines,
  startHelpdeskApp,
  storedIntegrations,
} from '#testing/workspace/helpdesk.ts';
import { auditRows } from '#testing/workspace/snapshot-tables.ts';

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

const stored = async () => (await storedIntegrations(rig.node, desk.team.id))[0] ?? assert.fail();
async function assertForgotten(): Promise<void> {
  const row = await stored();
  const { state, credentials, path_key, signing_secret, webhook_id, created_trigger_id, updated_trigger_id } = row;
  assert.equal(state, 'off');
  const kept = [credentials, path_key, signing_secret, webhook_id, created_trigger_id, updated_trigger_id];
  assert.deepEqual(kept, [null, null, null, null, null, null]);
}

describe('disconnecting', () => {
  test('case 28: removes our triggers, then our webhook, and nothing else', async () => {
    const other = await helpdeskTeam(rig.node, 'Acme');
    await other.connect();
    const foreign = acme.triggers()[0];
    rig.simulator.requests.length = 0;
    const reply = await desk.disable();
    assert.deepEqual([reply.status, reply.body], [200, { status_code: 200, warnings: [] }]);
    const deleted = lines(acme.requests()).filter((line) => line.startsWith('DELETE'));
    assert.deepEqual(
      deleted.map((line) => /webhooks|triggers/.exec(line)?.[0]),
      ['triggers', 'triggers', 'webhooks'],
    );
    assert.deepEqual(acme.triggers(), [foreign]);
    assert.equal(acme.webhooks().length, 1, 'the other team has its webhook');
    await assertForgotten();
    const details = { domain: 'acme', left_behind: false };
    assert.deepEqual((await auditRows(rig.node, 'integrations.disconnected')).at(-1)?.details, details);
  });

  test('keeps the template for the next time, but no channels', async () => {
    await desk.disable();
    const { body } = await desk.detail();
    assert.deepEqual(
      [body.enabled, body.health, body.message, body.channel_details],
      [false, 'off', base64(TEMPLATE), []],
    );
    assert.equal((await desk.connect()).status, 200);
    assert.equal((await desk.detail()).body.message, base64(TEMPLATE));
    assert.equal(acme.triggers().length, 1, 'no trigger of ours');
  });

  test('a second time, or before the first connection, does nothing', async () => {
    await desk.disable();
    rig.simulator.requests.length = 0;
    assert.deepEqual((await desk.disable()).body, { status_code: 200, warnings: [] });
    const never = await helpdeskTeam(rig.node);
    assert.deepEqual((await never.disable()).body, { status_code: 200, warnings: [] });
    assert.deepEqual(lines(rig.simulator.requests), []);
  });

  test('case 28: succeeds if everything was removed already', async () => {
    acme.state.triggers = [];
    acme.state.webhooks = [];
    assert.deepEqual((await desk.disable()).body.warnings, []);
    await assertForgotten();
  });

  test('removes a trigger whose id was lost', async () => {
    await rig.node.db
      .updateTable('integrations')
      .set({ created_trigger_id: null })
      .where('team_id', '=', desk.team.id)
      .execute();
    assert.deepEqual((await desk.disable()).body.warnings, []);
    assert.deepEqual([acme.triggers().length, acme.webhooks().length], [1, 0]);
  });

  for (const [name, fault] of [
    ['no longer accepts the token', { status: 401 }],
    ['refuses it', { status: 403 }],
    ['cannot be reached', { drop: true }],
    ['is broken', { status: 500 }],
  ] as const)
    test(`case 28: deletes the credentials even if Zendesk ${name}, and says what to remove there`, async () => {
      rig.simulator.fault({ account: 'acme', times: 99, ...fault });
      const { status, body } = await desk.disable();
      assert.equal(status, 200);
      assert.deepEqual(body.warnings, [
        'Some items couldn\'t be removed from acme.zendesk.com. Delete the triggers and the webhook named "Steward: Acme" there.',
      ]);
      await assertForgotten();
      assert.equal((await auditRows(rig.node, 'integrations.disconnected')).at(-1)?.details.left_behind, true);
    });

  test('an account that no longer exists returns no warnings', async () => {
    rig.simulator.removeAccount('acme');
    assert.deepEqual((await desk.disable()).body.warnings, []);
  });
});
