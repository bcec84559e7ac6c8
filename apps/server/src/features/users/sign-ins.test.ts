import assert from 'node:assert/strict';
import { login } from '@steward/contract/session';
import { deactivateUser, removeUser } from '@steward/contract/users/lifecycle';
import { listSignIns, type SignIn } from '@steward/contract/users/sign-ins';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { newId } from '#platform/database/ids.ts';
import { call, type Sending, toComparable } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { countAttempts } from '#testing/faults/count-attempts.ts';
import { isOfThisRun } from '#testing/system/this-run.ts';
import {
  createTeamWithMembers,
  invite,
  join,
  PASSWORD,
  type TestTeam,
  type TestUser,
  team,
  user,
} from '#testing/workspace/factories.ts';

let node: TestApp;
let ours: TestTeam;

beforeAll(async () => {
  node = await startApp({ work: false, pool: 4 });
  ours = await createTeamWithMembers(node);
});

afterAll(() => node[Symbol.asyncDispose]());

let addresses = 0;
const signIn = (
  { email }: { email: string },
  password = PASSWORD,
  from = `2001:db8:${(++addresses).toString(16)}::5`,
) =>
  call(node, login, {
    body: { login_id: email, password },
    from,
    headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' },
  });
const log = async (query: Sending['query'] = {}, of = ours) =>
  (await call(node, listSignIns, { as: of.admin, params: { teamId: of.id }, query })).body;
const outcomes = async ({ id }: TestUser, of = ours) =>
  (await log({ user_id: id }, of)).records.map(({ outcome }: SignIn) => outcome);

describe('the sign-in log', () => {
  test('has successful and refused sign-ins of members, newest first, with where they came from', async () => {
    const max = await user(node, { team: ours.id, first_name: 'Max', last_name: 'M' });
    await signIn(max, 'wrong', '192.0.2.77');
    const { headers } = await signIn(max, PASSWORD, '192.0.2.78');
    const { records } = await log({ user_id: max.id });
    const [ok, bad] = records;
    assert.equal(records.length, 2);
    assert.partialDeepStrictEqual(ok, {
      user_id: max.id,
      email: max.email,
      first_name: 'Max',
      outcome: 'ok',
      method: 'password',
      address: '192.0.2.78',
      device: 'Firefox on Linux',
      request_id: headers['x-request-id'],
    });
    assert.ok(isOfThisRun(ok.at));
    assert.partialDeepStrictEqual(bad, { outcome: 'bad_password', address: '192.0.2.77' });
  });

  test('begins when a user joins, continues while they are deactivated, and ends when they are removed', async () => {
    const max = await user(node, { team: await team(node) });
    await signIn(max);
    await join(node, ours.id, max.id);
    assert.deepEqual(await outcomes(max), []);
    await signIn(max);
    const params = { teamId: ours.id, userId: max.id };
    await call(node, deactivateUser, { as: ours.admin, params });
    const lonely = await user(node, { team: ours.id, deactivated: true });
    await signIn(lonely);
    assert.deepEqual([await outcomes(max), await outcomes(lonely)], [['ok'], ['deactivated']]);
    await call(node, removeUser, { as: ours.admin, params });
    assert.deepEqual(await outcomes(max), []);
  });

  test('shows nothing of an invited account, and leaves no row of an unknown address', async () => {
    const ada = await user(node);
    await invite(node, { teamId: ours.id, email: ada.email });
    const before = (await log()).records.length;
    await signIn(ada);
    await signIn({ email: `${newId()}@example.test` }, 'x');
    assert.equal((await log()).records.length, before);
    const { rows } = await sql`select 1 from sign_ins where team_id = ${ours.id} and person_id = ${ada.id}`.execute(
      node.db,
    );
    assert.deepEqual(rows, []);
  });

  test('has at most one row a minute of attempts beyond the limit, and the answer stays the same', async () => {
    const max = await user(node, { team: ours.id });
    const replies = [];
    await countAttempts(node, { name: 'session.login' }, max.email, 8);
    for (let nth = 0; nth < 5; nth += 1) replies.push(await signIn(max, 'wrong'));
    for (const reply of replies) assert.deepEqual(toComparable(reply), toComparable(replies[0]!));
    assert.deepEqual(await outcomes(max), ['throttled', 'bad_password', 'bad_password']);
  });

  test('is filtered by outcome, time and user, and pages have no gaps or duplicates', async () => {
    const theirs = await createTeamWithMembers(node);
    for (let nth = 0; nth < 5; nth += 1) await signIn(theirs.member, nth % 2 ? 'wrong' : PASSWORD);
    const all = (await log({}, theirs)).records;
    assert.equal(all.length, 5);
    assert.equal((await log({ outcome: 'ok' }, theirs)).records.length, 3);
    assert.equal((await log({ method: 'password', from: '0', to: String(all[0].at + 1) }, theirs)).records.length, 5);
    assert.equal((await log({ from: String(all[0].at + 60_000) }, theirs)).records.length, 0);
    const ids: string[] = [];
    for (let last_key: string | null = ''; last_key !== null; ) {
      const page = await log({ limit: '2', ...(last_key ? { last_key } : {}) }, theirs);
      ids.push(...page.records.map(({ id }: SignIn) => id));
      last_key = page.last_key;
    }
    assert.deepEqual(
      ids,
      all.map(({ id }: SignIn) => id),
    );
    for (const bad of [
      { outcome: 'x' },
      { user_id: 'x' },
      { from: 'x' },
      { from: '-1' },
      { method: 'pin' },
      { last_key: 'x' },
    ])
      assert.equal(
        (
          await call(node, listSignIns, {
            as: theirs.admin,
            params: { teamId: theirs.id },
            query: bad as Record<string, string>,
          })
        ).status,
        400,
        JSON.stringify(bad),
      );
    assert.deepEqual((await log({ user_id: ours.member.id }, theirs)).records, []);
  });

  test('of a person in twelve teams is in each of them, by one statement', async () => {
    const max = await user(node, { team: ours.id });
    const teams = await Promise.all(Array.from({ length: 11 }, () => team(node)));
    for (const id of teams) await join(node, id, max.id);
    assert.equal((await signIn(max)).status, 200);
    const { rows } = await sql<{
      n: number;
    }>`select count(*)::int as n from sign_ins where person_id = ${max.id}`.execute(node.db);
    assert.deepEqual(rows, [{ n: 12 }]);
  });

  test('is read by key, whatever the page and the filter', async () => {
    const { rows } = await sql<{ 'QUERY PLAN': string }>`explain select * from sign_ins
      where team_id = ${ours.id} and outcome = 'ok' and id < 'z' order by id desc limit 100`.execute(node.db);
    assert.match(rows.map((row) => row['QUERY PLAN']).join('\n'), /Index Scan Backward using sign_ins_/);
  });
});
