import assert from 'node:assert/strict';
import {
  getInactivity,
  previewInactivity,
  removeInactivityException,
  saveInactivity,
  saveInactivityException,
} from '@steward/contract/users/inactivity';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { newId } from '#platform/database/ids.ts';
import { call } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { replaceConnection } from '#testing/sso/sso.ts';
import { createTeamWithMembers, type TestTeam, user } from '#testing/workspace/factories.ts';
import { activitySource, inactiveMember, inactivityWarning } from '#testing/workspace/inactivity.ts';
import { auditRows, snapshotTables } from '#testing/workspace/snapshot-tables.ts';

let node: TestApp;
let ours: TestTeam;

beforeAll(async () => {
  node = await startApp({ pool: 4, work: false });
});

beforeEach(async () => {
  ours = await createTeamWithMembers(node);
});

afterAll(() => node[Symbol.asyncDispose]());

const RULE = { is_on: true, source: 'reports', days: 90, skips_held: true, skips_provisioned: true };
const params = () => ({ teamId: ours.id });
const save = (rule: object) => call(node, saveInactivity, { as: ours.owner, params: params(), body: rule });
const preview = (rule: object) => call(node, previewInactivity, { as: ours.owner, params: params(), body: rule });
const read = async () => (await call(node, getInactivity, { as: ours.owner, params: params() })).body;
const except = (body: object) =>
  call(node, saveInactivityException, { as: ours.owner, params: params(), body: { reason: 'Sabbatical', ...body } });
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

describe('the inactivity rule', () => {
  test('is off at first, and can be on only with a source that has reported', async () => {
    assert.partialDeepStrictEqual(await read(), { rule: { is_on: false, days: 90 }, on_since: null, sources: [] });
    await replaceConnection(node, ours.id);
    const before = await snapshotTables(node);
    for (const source of ['reports', 'sso'])
      for (const send of [save, preview])
        assert.equal((await send({ ...RULE, source })).body.id, 'inactivity.no_source');
    assert.deepEqual(await snapshotTables(node), before, 'a connection that nobody has signed in with is no source');
    await activitySource(node, ours.id);
    assert.equal((await save({ ...RULE, source: 'sso' })).body.id, 'inactivity.no_source');
    assert.equal((await save(RULE)).status, 200);
  });

  test('is in the audit log with the previous rule, and an equal one changes nothing', async () => {
    await activitySource(node, ours.id);
    for (const _ of ['once', 'and again']) await save(RULE);
    const since = (await read()).on_since;
    await save({ ...RULE, days: 30 });
    assert.equal((await read()).on_since, since, 'another number of days does not switch it on anew');
    const rows = (await auditRows(node, 'users.inactivity_saved')).filter(({ team_id }) => team_id === ours.id);
    assert.equal(rows.length, 2);
    assert.partialDeepStrictEqual(rows.at(-1)?.details, {
      before: { is_on: true, inactive_days: 90 },
      after: { is_on: true, inactive_days: 30 },
    });
  });

  test('tells the other owners and admins', async () => {
    await activitySource(node, ours.id);
    await save(RULE);
    const rows = await node.db
      .selectFrom('mails')
      .select('recipient')
      .where('team_id', '=', ours.id)
      .where('kind', '=', 'notices.inactivity')
      .execute();
    assert.deepEqual(rows, [{ recipient: ours.admin.email }]);
  });

  test('has 30 to 730 days and a known source', async () => {
    await activitySource(node, ours.id);
    for (const wrong of [{ days: 29 }, { days: 731 }, { days: 30.5 }, { source: 'server' }, { is_on: 'yes' }])
      assert.equal((await save({ ...RULE, ...wrong })).body.id, 'request.invalid', JSON.stringify(wrong));
  });
});

describe('the preview', () => {
  test('names who would be warned and deactivated in the next 60 nights, and stores nothing', async () => {
    await activitySource(node, ours.id);
    const ada = await inactiveMember(node, ours.id, 400);
    const bob = await inactiveMember(node, ours.id, 60);
    for (let at = 0; at < 16; at += 1) await user(node, { team: ours.id });
    const before = await snapshotTables(node);
    const { status, body } = await preview(RULE);
    assert.equal(status, 200);
    assert.deepEqual(await snapshotTables(node), before);
    const steps = body.nights.flatMap(
      ({ warned, reminded, deactivated }: Record<string, { users: { id: string }[] }>) =>
        Object.entries({ warned, reminded, deactivated }).flatMap(([step, found]) =>
          (found?.users ?? []).map(({ id }) => `${id === ada.id ? 'ada' : id === bob.id ? 'bob' : id} ${step}`),
        ),
    );
    assert.deepEqual(steps, [
      'ada warned',
      'ada reminded',
      'ada deactivated',
      'bob warned',
      'bob reminded',
      'bob deactivated',
    ]);
    assert.deepEqual([body.members, body.warned, body.deactivated, body.nights[0].asks], [21, 2, 2, false]);
  });

  test('says when a night would ask an owner', async () => {
    await activitySource(node, ours.id);
    await inactiveMember(node, ours.id, 400);
    assert.equal((await preview(RULE)).body.nights[0].asks, true, 'one of four is more than a tenth');
  });
});

describe('an exception', () => {
  test('is added, changed and ended, each time with a row in the audit log', async () => {
    const id = ours.member.id;
    assert.equal((await except({ user_id: id })).status, 200);
    assert.equal((await except({ user_id: id })).status, 200);
    assert.equal((await except({ user_id: id, until: inDays(20) })).status, 200);
    assert.partialDeepStrictEqual((await read()).exceptions, [
      { user_id: id, reason: 'Sabbatical', until: inDays(20) },
    ]);
    const end = () => call(node, removeInactivityException, { as: ours.owner, params: { ...params(), userId: id } });
    assert.deepEqual([(await end()).status, (await end()).status], [200, 404]);
    const rows = await node.db.selectFrom('audit_events').select('action').where('target', '=', id).execute();
    assert.deepEqual(
      rows.map(({ action }) => action),
      ['users.inactivity_excepted', 'users.inactivity_excepted', 'users.inactivity_exception_ended'],
    );
  });

  test('withdraws a warning', async () => {
    await inactivityWarning(node, { teamId: ours.id, userId: ours.member.id });
    assert.equal((await read()).warned, 1);
    await except({ user_id: ours.member.id });
    assert.equal((await read()).warned, 0);
  });

  test('needs a reason, a member of the team and a day that isn’t over', async () => {
    const stranger = await user(node);
    for (const [body, id] of [
      [{ user_id: ours.member.id, reason: '   ' }, 'request.invalid'],
      [{ user_id: ours.member.id, reason: 'x'.repeat(501) }, 'request.invalid'],
      [{ user_id: ours.member.id, until: '2027-02-30' }, 'request.invalid'],
      [{ user_id: ours.member.id, until: inDays(-2) }, 'users.end_out_of_range'],
      [{ user_id: stranger.id }, 'record.not_found'],
      [{ user_id: ours.pending.id }, 'record.not_found'],
      [{ user_id: newId() }, 'record.not_found'],
    ] as const)
      assert.equal((await except(body)).body.id, id, JSON.stringify(body));
  });
});
