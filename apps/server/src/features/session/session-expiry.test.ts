import assert from 'node:assert/strict';
import { listIntegrations } from '@steward/contract/integrations';
import { cookieLogin, getMe, listStatuses, login, resetPassword, sendPasswordReset } from '@steward/contract/session';
import { listTeamMembers, listTeams } from '@steward/contract/session/teams';
import { listUsers, revokeSessions, saveUser } from '@steward/contract/users';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { call } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { testEnv } from '#testing/app/test-env.ts';
import { dumpDatabase } from '#testing/database/dump-database.ts';
import { extractMailToken } from '#testing/peers/inbox.ts';
import {
  createTeamWithMembers,
  type SignedInUser,
  signedIn,
  signIn,
  type TestTeam,
  user,
} from '#testing/workspace/factories.ts';

let node: TestApp;
let other: TestApp;
let team: TestTeam;

beforeAll(async () => {
  node = await startApp();
  other = await startApp({ beside: node, work: false });
  team = await createTeamWithMembers(node);
});

afterAll(async () => {
  await other[Symbol.asyncDispose]();
  await node[Symbol.asyncDispose]();
});

const aged = (who: SignedInUser, column: 'active_at' | 'created_at', minutes: number) =>
  sql`update sessions set ${sql.ref(column)} = now() - make_interval(secs => ${minutes * 60})
    where person_id = ${who.id}`.execute(node.db);

const idleSeconds = async (who: SignedInUser): Promise<number> => {
  const { rows } = await sql<{ idle: number }>`select extract(epoch from now() - active_at)::float as idle
    from sessions where person_id = ${who.id}`.execute(node.db);
  return rows[0]?.idle ?? Number.NaN;
};

const status = async (on: TestApp, as: SignedInUser) => (await call(on, getMe, { as })).status;

describe('session expiry', () => {
  test('the polls of an idle page don’t extend a session, other requests do', async () => {
    const who = await signedIn(node, { team: team.id, kind: 'admin' });
    await aged(who, 'active_at', 59);
    for (let i = 0; i < 3; i += 1) {
      assert.equal((await call(node, listStatuses, { as: who, body: [who.id] })).status, 200);
      assert.equal((await call(node, listTeamMembers, { as: who, params: { userId: who.id } })).status, 200);
      assert.equal((await call(node, listIntegrations, { as: who, params: { teamId: team.id } })).status, 200);
    }
    assert.ok((await idleSeconds(who)) > 58 * 60, 'the poll extended the session');
    assert.equal((await call(node, listTeams, { as: who, params: { userId: who.id } })).status, 200);
    assert.ok((await idleSeconds(who)) < 60, 'the use was not recorded');
  });

  test('it expires after 60 idle minutes, for polls as well', async () => {
    const who = await signedIn(node);
    await aged(who, 'active_at', 60.1);
    for (const endpoint of [listStatuses, cookieLogin, getMe])
      assert.equal(
        (await call(node, endpoint, { as: who, body: endpoint === listStatuses ? [] : undefined })).status,
        401,
      );
  });

  test('it expires after 24 hours even if it is in use', async () => {
    const who = await signedIn(node);
    await aged(who, 'created_at', 24 * 60 - 1);
    assert.equal(await status(node, who), 200);
    await aged(who, 'created_at', 24 * 60 + 0.1);
    assert.equal(await status(node, who), 401);
  });

  test('both limits are configurable, downwards', async () => {
    const env = { SESSION_IDLE_MINUTES: '5', SESSION_HOURS: '1' };
    await using strict = await startApp({ beside: node, work: false, env });
    const [idle, old] = [await signedIn(node), await signedIn(node)];
    await aged(idle, 'active_at', 6);
    await aged(old, 'created_at', 61);
    assert.deepEqual([await status(strict, idle), await status(strict, old)], [401, 401]);
    assert.deepEqual([await status(node, idle), await status(node, old)], [200, 200]);
    assert.throws(() => testEnv({ SESSION_HOURS: '25' }), /SESSION_HOURS/);
  });
});

describe('force logout', () => {
  test('ends all sessions of the person, and no others, on every node from the next request on', async () => {
    const target = await user(node, { team: team.id });
    const sessions = [await signIn(node, target), await signIn(node, target), await signIn(node, target)];
    const bystander = await signedIn(node, { team: team.id });
    for (const as of sessions) assert.deepEqual([await status(node, as), await status(other, as)], [200, 200]);
    const params = { teamId: team.id, userId: target.id };
    const reply = await call(node, revokeSessions, { as: team.admin, params });
    assert.equal(reply.body.revoked, 3);
    for (const as of sessions) assert.deepEqual([await status(other, as), await status(node, as)], [401, 401]);
    assert.equal((await call(other, listStatuses, { as: sessions[0], body: [] })).status, 401);
    for (const as of [bystander, team.admin, team.owner]) assert.equal(await status(other, as), 200);
    assert.equal(
      (await call(other, login, { body: { login_id: target.email, password: target.password } })).status,
      200,
    );
  });
});

describe('the loss of access', () => {
  const list = (on: TestApp, as: SignedInUser) => call(on, listUsers, { as, params: { teamId: team.id } });

  test('a demoted admin is refused at the next request, on every node, and stays signed in', async () => {
    const admin = await signedIn(node, { team: team.id, kind: 'admin' });
    assert.equal((await list(other, admin)).status, 200);
    const body = { email: admin.email, account_type: 2 };
    assert.equal((await call(node, saveUser, { as: team.owner, params: { teamId: team.id }, body })).status, 200);
    assert.deepEqual([(await list(other, admin)).status, (await list(node, admin)).status], [403, 403]);
    assert.equal(await status(node, admin), 200);
  });

  test('a person who became a Zendesk user can’t use their session', async () => {
    const admin = await signedIn(node, { team: team.id, kind: 'admin' });
    await sql`update memberships set roles = '{team_user,team_admin,zendesk}' where person_id = ${admin.id}`.execute(
      node.db,
    );
    assert.equal((await list(node, admin)).status, 403);
    assert.equal((await call(node, cookieLogin, { as: admin })).status, 401);
  });
});

describe('a dump of the database', () => {
  test('contains no cookie value, link or password, including the job queue', async () => {
    const password = 'a password for the dump';
    const who = await user(node, { team: team.id, password });
    const reply = await call(node, login, { body: { login_id: who.email, password } });
    const cookie = /steward_token=([\w-]+)/.exec(reply.setCookies[0] ?? '')?.[1] ?? '';
    assert.equal(cookie.length, 43);
    await call(node, sendPasswordReset, { body: { email: who.email } });
    const reset = extractMailToken(await node.inbox.next(who.email));
    const email = 'dump-invitee@example.test';
    const as = team.owner;
    await call(node, saveUser, { as, params: { teamId: team.id }, body: { email, account_type: 2 } });
    const invite = extractMailToken(await node.inbox.next(email));
    const dump = await dumpDatabase(node);
    assert.ok(dump.includes(who.id) && dump.includes('mail.send'), 'the dump is complete');
    for (const secret of [password, cookie, reset, invite, team.owner.token]) assert.ok(!dump.includes(secret), secret);
    const chosen = 'the password chosen after it';
    assert.equal((await call(node, resetPassword, { body: { token: reset, new_password: chosen } })).status, 200);
    assert.ok(!(await dumpDatabase(node)).includes(chosen));
    const log = [...node.log, ...other.log].join('\n');
    for (const secret of [password, cookie, reset, invite, chosen]) assert.ok(!log.includes(secret), `log: ${secret}`);
  });
});
