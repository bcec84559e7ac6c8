import assert from 'node:assert/strict';
import {
  checkStillNeeded,
  confirmStillNeeded,
  getInactivity,
  reportActivity,
  saveInactivity,
} from '@steward/contract/users/inactivity';
import { deactivateUser } from '@steward/contract/users/lifecycle';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { newId } from '#platform/database/ids.ts';
import { call } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { serviceToken, type TestService } from '#testing/workspace/content.ts';
import { createTeamWithMembers, type TestTeam, user } from '#testing/workspace/factories.ts';
import { inactiveMember, inactivityWarning } from '#testing/workspace/inactivity.ts';
import { auditRows, snapshotTables } from '#testing/workspace/snapshot-tables.ts';
import { saveActivity } from '#workspace/users/memberships.store.ts';

let node: TestApp;
let ours: TestTeam;
let service: TestService;

beforeAll(async () => {
  node = await startApp({ pool: 6, work: false });
});

beforeEach(async () => {
  ours = await createTeamWithMembers(node);
  service = await serviceToken(node, ours.id);
});

afterAll(() => node[Symbol.asyncDispose]());

const report = (activity: object[], headers = service.headers) =>
  call(node, reportActivity, { params: { teamId: ours.id }, headers, body: { activity } });
const lastActive = async (userId: string) =>
  (
    await node.db
      .selectFrom('memberships')
      .select('last_active_at')
      .where('person_id', '=', userId)
      .where('team_id', '=', ours.id)
      .executeTakeFirstOrThrow()
  ).last_active_at;
const sources = async () =>
  (await call(node, getInactivity, { as: ours.owner, params: { teamId: ours.id } })).body.sources;

describe('a report of activity', () => {
  test('names users by id or address, in any order, and counts others as unknown', async () => {
    const [ada, bob] = [await user(node, { team: ours.id }), await user(node, { team: ours.id })];
    const stranger = await user(node);
    const { status, body } = await report([
      { user_id: ada.id, active_at: 5_000 },
      { email: bob.email.toUpperCase(), active_at: 7_000 },
      { user_id: ada.id, active_at: 6_000 },
      { user_id: newId(), active_at: 1 },
      { email: stranger.email, active_at: 1 },
      { email: ours.pending.email, active_at: 1 },
    ]);
    assert.deepEqual([status, body], [200, { known: 3, unknown: 3 }]);
    assert.deepEqual([await lastActive(ada.id), await lastActive(bob.id)], [6_000, 7_000]);
    const others = await sql`select 1 from memberships where person_id = ${stranger.id} and last_active_at is not null`;
    assert.deepEqual((await others.execute(node.db)).rows, []);
  });

  test('may be repeated, and never moves activity backwards or into the future', async () => {
    const ada = await user(node, { team: ours.id });
    for (const active_at of [8_000, 8_000, 7_000]) await report([{ user_id: ada.id, active_at }]);
    assert.equal(await lastActive(ada.id), 8_000);
    const { rows } = await sql<{ now: number }>`select floor(extract(epoch from now()) * 1000)::bigint as now`.execute(
      node.db,
    );
    const now = rows[0]?.now ?? 0;
    await report([{ user_id: ada.id, active_at: now + 86_400_000 }]);
    const stored = (await lastActive(ada.id)) ?? 0;
    assert.ok(stored >= now && stored < now + 86_400_000, 'a time in the future counts as now');
  });

  test('makes its service a source, also without users, which begins anew after a week of silence', async () => {
    assert.deepEqual(await sources(), []);
    assert.deepEqual((await report([])).body, { known: 0, unknown: 0 });
    const [{ kind, is_on, is_silent }] = await sources();
    assert.deepEqual({ kind, is_on, is_silent }, { kind: 'reports', is_on: true, is_silent: false });
    const silence = async (days: number) => {
      await sql`update activity_sources set began_at = now() - interval '1 year',
          heard_at = now() - make_interval(days => ${days}) where team_id = ${ours.id}`.execute(node.db);
      assert.equal((await sources())[0].is_silent, true);
      await report([]);
      const [{ began_at, heard_at }] = await sources();
      return began_at === heard_at;
    };
    assert.equal(await silence(6), false);
    assert.equal(await silence(8), true);
  });

  test('is refused for tokens that don’t speak for users, for other teams, and for impossible rows', async () => {
    const ada = await user(node, { team: ours.id });
    const silent = await serviceToken(node, ours.id, { speakForUsers: false });
    const foreign = await serviceToken(node, (await createTeamWithMembers(node)).id);
    const before = await snapshotTables(node, { except: ['service_tokens'] });
    const right = { user_id: ada.id, active_at: 1 };
    for (const [activity, headers, id] of [
      [[right], silent.headers, 'token.cannot_report'],
      [[right], foreign.headers, 'token.other_team'],
      [[{ active_at: 1 }], service.headers, 'request.invalid'],
      [[{ ...right, email: ada.email }], service.headers, 'request.invalid'],
      [[{ ...right, active_at: -1 }], service.headers, 'request.invalid'],
      [[{ ...right, active_at: 1.5 }], service.headers, 'request.invalid'],
      [[{ user_id: ada.id }], service.headers, 'request.invalid'],
      [Array.from({ length: 1001 }, () => right), service.headers, 'request.invalid'],
    ] as const)
      assert.equal((await report([...activity], headers)).body.id, id, JSON.stringify(activity[0]));
    assert.deepEqual(await snapshotTables(node, { except: ['service_tokens'] }), before);
  });
});

test('activity is stored by the clock of the database, also by a server whose clock is a day off', async () => {
  const ada = await user(node, { team: ours.id });
  const right = Date.now;
  try {
    for (const offset of [-86_400_000, 86_400_000]) {
      await sql`update memberships set last_active_at = null where person_id = ${ada.id}`.execute(node.db);
      Date.now = () => right() + offset;
      await saveActivity(node.db, [ada.id]);
      assert.ok(Math.abs(((await lastActive(ada.id)) ?? 0) - right()) < 43_200_000, String(offset));
    }
  } finally {
    Date.now = right;
  }
});

describe('the link of a warning', () => {
  const check = (token: string) => call(node, checkStillNeeded, { body: { token } });
  const use = (token: string) => call(node, confirmStillNeeded, { body: { token } });

  test('counts as activity once, without a session, and opening it changes nothing', async () => {
    const ada = await inactiveMember(node, ours.id, 120);
    const token = await inactivityWarning(node, { teamId: ours.id, userId: ada.id });
    const before = await snapshotTables(node, { except: ['throttles'] });
    for (let at = 0; at < 3; at += 1) assert.equal((await check(token)).status, 200);
    assert.deepEqual(await snapshotTables(node, { except: ['throttles'] }), before);
    assert.equal((await use(token)).status, 200);
    assert.ok(((await lastActive(ada.id)) ?? 0) > Date.now() - 3_600_000);
    assert.partialDeepStrictEqual((await auditRows(node, 'users.still_needed')).at(-1), {
      target: ada.id,
      actor_id: ada.id,
    });
    for (const again of [check, use]) assert.equal((await again(token)).body.id, 'inactivity.link_ended');
  });

  test('of two clicks at once, one counts', async () => {
    const ada = await inactiveMember(node, ours.id, 120);
    const token = await inactivityWarning(node, { teamId: ours.id, userId: ada.id });
    const replies = await Promise.all([use(token), use(token), use(token)]);
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 400, 400]);
  });

  test('ends with the rule and with the membership, and only its hash is stored', async () => {
    const [ada, bob] = [await inactiveMember(node, ours.id, 120), await inactiveMember(node, ours.id, 120)];
    const [first, second] = [
      await inactivityWarning(node, { teamId: ours.id, userId: ada.id }),
      await inactivityWarning(node, { teamId: ours.id, userId: bob.id }),
    ];
    const { rows } =
      await sql`select 1 from inactivity_warnings where ${first} in (first_token_hash, second_token_hash)`.execute(
        node.db,
      );
    assert.deepEqual(rows, []);
    await call(node, deactivateUser, { as: ours.owner, params: { teamId: ours.id, userId: ada.id } });
    assert.equal((await use(first)).body.id, 'inactivity.link_ended');
    const rule = { is_on: false, source: 'reports', days: 90, skips_held: true, skips_provisioned: true };
    const saved = await call(node, saveInactivity, { as: ours.owner, params: { teamId: ours.id }, body: rule });
    assert.equal(saved.status, 200, saved.text);
    assert.equal((await use(second)).body.id, 'inactivity.link_ended');
    for (const wrong of ['x', 'a'.repeat(200), '\0'])
      assert.match((await use(wrong)).body.id, /^(inactivity\.link_ended|request\.invalid)$/);
  });
});
