import assert from 'node:assert/strict';
import * as home from '@steward/contract/home';
import { listUsers } from '@steward/contract/users';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { call } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { passkey, totpFactor } from '#testing/factors/factors.ts';
import { channel, file, message, record } from '#testing/workspace/content.ts';
import { createTeamWithMembers, type TestTeam, user } from '#testing/workspace/factories.ts';
import { legalHold } from '#testing/workspace/holds.ts';
import { failedDelivery } from '#testing/workspace/integrations.ts';
import { runNow, setRule } from '#testing/workspace/retention.ts';

const DAY_MS = 86_400_000;

let node: TestApp;
let ours: TestTeam;

beforeAll(async () => {
  node = await startApp({ work: false });
});

afterAll(() => node[Symbol.asyncDispose]());

beforeEach(async () => {
  ours = await createTeamWithMembers(node);
});

type Summary =
  | typeof home.getPeopleSummary
  | typeof home.getSignInSummary
  | typeof home.getStorageSummary
  | typeof home.getRetentionSummary
  | typeof home.getIntegrationsSummary;

async function get(summary: Summary) {
  const { status, body, text } = await call(node, summary, { as: ours.admin, params: { teamId: ours.id } });
  assert.equal(status, 200, text);
  return body;
}

const listed = async (query: Record<string, string>) =>
  (await call(node, listUsers, { as: ours.admin, params: { teamId: ours.id }, query })).body;

const wasActive = (userId: string, daysAgo: number | null) =>
  node.db
    .updateTable('memberships')
    .set({ last_active_at: daysAgo === null ? null : Date.now() - daysAgo * DAY_MS })
    .where('team_id', '=', ours.id)
    .where('person_id', '=', userId)
    .execute();

describe('people', () => {
  test('are counted as the list counts them with the same filters', async () => {
    const ago = [1, 6, 8, 29, 31, 89, 91, 400, null];
    for (const days of ago) await wasActive((await user(node, { team: ours.id })).id, days);
    await wasActive((await user(node, { team: ours.id, deactivated: true })).id, 1);
    for (const { id } of [ours.owner, ours.admin, ours.member]) await wasActive(id, 0);
    const invited = await user(node, { team: ours.id, pending: true });
    await user(node, { team: ours.id, pending: true });
    await sql`update memberships set invited_at = ${Date.now() - 15 * DAY_MS}
      where team_id = ${ours.id} and person_id = ${invited.id}`.execute(node.db);
    for (const [at, days] of [3, 13, 29, 40].entries()) {
      const { id } = await user(node, { team: ours.id });
      await wasActive(id, 60 + at);
      await sql`update memberships set ends_on = current_date + ${days}::int, ends_at = now() + make_interval(days => ${days})
        where team_id = ${ours.id} and person_id = ${id}`.execute(node.db);
    }
    const people = await get(home.getPeopleSummary);
    assert.deepEqual(people, {
      members: 16,
      active_7_days: 5,
      active_30_days: 7,
      never_active: 1,
      inactive_90_days: 3,
      leaving_14_days: 2,
      leaving_30_days: 3,
      invited: 3,
      invited_over_14_days: 1,
    });
    const kinds = { primary_owner: '1', workspace_admin: '1', member: '1' };
    const count = async (filter: Record<string, string>) => (await listed({ ...kinds, ...filter })).records.length;
    assert.equal(await count({ ending_days: '14' }), people.leaving_14_days);
    assert.equal(await count({ ending_days: '30' }), people.leaving_30_days);
    assert.equal(await count({ active_days: '7' }), people.active_7_days);
    assert.equal(await count({ active_days: '30' }), people.active_30_days);
    assert.equal(await count({ inactive_days: '90' }), people.inactive_90_days);
    assert.equal(await count({ inactive_days: '90', never_active: '1' }), people.never_active);
  });
});

describe('sign-in', () => {
  test('counts each member with a factor or a link once, and admins without a factor', async () => {
    await totpFactor(node, ours.admin.id);
    await passkey(node, ours.admin.id, 'http://steward.test');
    const deactivated = await user(node, { team: ours.id, deactivated: true });
    await totpFactor(node, deactivated.id);
    const foreign = await createTeamWithMembers(node);
    await totpFactor(node, foreign.member.id);
    assert.deepEqual(await get(home.getSignInSummary), {
      members: 3,
      with_second_factor: 1,
      with_single_sign_on: 0,
      admins: 2,
      admins_without_second_factor: 1,
    });
  });
});

describe('storage', () => {
  test('has kinds, the largest public channels, and one amount for private and direct ones', async () => {
    const [small, large, secret, direct] = [
      await channel(node, ours.id, { displayName: 'small' }),
      await channel(node, ours.id, { displayName: 'large' }),
      await channel(node, ours.id, { type: 'P', members: [ours.member.id] }),
      await channel(node, ours.id, { type: 'D', members: [ours.member.id] }),
    ];
    const old = Date.now() - 31 * DAY_MS;
    await message(node, ours.id, { channel: small, text: 'four', createAt: Date.now() - 29 * DAY_MS });
    await message(node, ours.id, { channel: large, text: 'sixteen letters.', createAt: old });
    await message(node, ours.id, { channel: secret, text: 'secret' });
    await message(node, ours.id, { channel: direct, text: 'direct' });
    await file(node, ours.id, { data: 'a hundred bytes'.padEnd(100), channel: large });
    await record(node, ours.id, { kind: 'note', data: 'a note' });
    const { counted_at, ...storage } = await get(home.getStorageSummary);
    assert.ok(counted_at <= Date.now());
    const kinds = new Map(storage.kinds.map(({ kind, ...amount }: { kind: string }) => [kind, amount]));
    assert.deepEqual(kinds.get('public_channels'), { count: 2, bytes: 20 });
    assert.deepEqual(kinds.get('private_channels'), { count: 1, bytes: 6 });
    assert.deepEqual(kinds.get('files'), { count: 1, bytes: 100 });
    assert.deepEqual(
      storage.channels.map(({ channel_name, count, bytes }: home.StorageSummary['channels'][number]) => [
        channel_name,
        count,
        bytes,
      ]),
      [
        ['large', 2, 116],
        ['small', 1, 4],
      ],
    );
    assert.deepEqual(storage.private, { count: 2, bytes: 12 });
    assert.equal(storage.total.count, 6);
    assert.deepEqual(storage.added_30_days, { count: 1, bytes: 4 });
    assert.deepEqual(storage.freed_this_month, { count: 0, bytes: 0 });
  });

  test('says what rules deleted this month', async () => {
    const open = await channel(node, ours.id);
    await message(node, ours.id, { channel: open, text: 'four', createAt: Date.now() - 800 * DAY_MS });
    await setRule(node, ours.id, 'public_channels', { value: 1, duration: { count: 1, period: 'y' } });
    await runNow(node, ours.id);
    assert.deepEqual((await get(home.getStorageSummary)).freed_this_month, { count: 1, bytes: 4 });
    await sql`update retention_runs set started_at = now() - interval '32 days' where team_id = ${ours.id}`.execute(
      node.db,
    );
    assert.deepEqual((await get(home.getStorageSummary)).freed_this_month, { count: 0, bytes: 0 });
  });
});

describe('retention', () => {
  test('counts rules that delete and active holds, and sums up the last night', async () => {
    assert.deepEqual(await get(home.getRetentionSummary), { rules: 0, last_night: null, holds: 0 });
    const open = await channel(node, ours.id);
    await message(node, ours.id, { channel: open, text: 'four', createAt: Date.now() - 800 * DAY_MS });
    await setRule(node, ours.id, 'public_channels', { value: 1, duration: { count: 1, period: 'y' } });
    await setRule(node, ours.id, 'archived_notes', { value: 1, duration: { count: 1, period: 'y' } });
    await setRule(node, ours.id, 'completed_tasks', { value: 0 });
    await runNow(node, ours.id);
    assert.equal((await get(home.getRetentionSummary)).last_night, null, 'a run by hand is no night');
    await sql`update retention_runs set origin = 'night' where team_id = ${ours.id}`.execute(node.db);
    await legalHold(node, { teamId: ours.id });
    const { rules, last_night, holds } = await get(home.getRetentionSummary);
    assert.deepEqual([rules, holds], [2, 1]);
    assert.partialDeepStrictEqual(last_night, { deleted: 1, bytes: 4, failed: false });
    await sql`update retention_runs set state = 'failed'
      where team_id = ${ours.id} and kind = 'archived_notes'`.execute(node.db);
    assert.equal((await get(home.getRetentionSummary)).last_night.failed, true);
  });
});

describe('integrations', () => {
  test('counts the messages of connected ones in the last seven days', async () => {
    const open = await channel(node, ours.id);
    await failedDelivery(node, ours.id, { id: open.id, name: 'Open' });
    const [posted, old] = [
      await failedDelivery(node, ours.id, { id: open.id, name: 'Open' }),
      await failedDelivery(node, ours.id, { id: open.id, name: 'Open' }),
    ];
    await sql`update deliveries set state = 'posted' where id = ${posted}`.execute(node.db);
    await sql`update deliveries set received_at = now() - interval '8 days' where id = ${old}`.execute(node.db);
    const summary = { connected: 1, posted_7_days: 1, failed_7_days: 1 };
    assert.deepEqual(await get(home.getIntegrationsSummary), summary);
    await sql`update integrations set state = 'off' where team_id = ${ours.id}`.execute(node.db);
    assert.deepEqual(await get(home.getIntegrationsSummary), { connected: 0, posted_7_days: 0, failed_7_days: 0 });
  });
});
