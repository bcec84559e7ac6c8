import assert from 'node:assert/strict';
import { cookieLogin, getMe, login, logout } from '@steward/contract/session';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { inTransaction } from '#platform/database/database.ts';
import { call, type Sending, toComparable } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { countAttempts } from '#testing/faults/count-attempts.ts';
import { waitForLockWaiter } from '#testing/faults/wait-for-lock.ts';
import { replaceConnection } from '#testing/sso/sso.ts';
import { PASSWORD, signedIn, signIn, type TestUser, team, user } from '#testing/workspace/factories.ts';
import { auditRows } from '#testing/workspace/snapshot-tables.ts';
import { saveDeactivated } from '#workspace/users/memberships.store.ts';

let node: TestApp;
let teamId: string;

beforeAll(async () => {
  node = await startApp({ work: false, pool: 4 });
  teamId = await team(node);
});

afterAll(() => node[Symbol.asyncDispose]());

const credentials = (who: TestUser, password = who.password): Sending => ({
  body: { login_id: who.email, password },
});

const extractToken = (setCookies: string[]): string => /steward_token=([\w-]*)/.exec(setCookies.join('\n'))?.[1] ?? '';

describe('sign-in', () => {
  test('returns the user, and sets a token that scripts can’t read and the user id', async () => {
    const who = await user(node, { team: teamId, kind: 'admin', first_name: 'Ada', last_name: 'L' });
    const reply = await call(node, login, credentials(who));
    assert.equal(reply.status, 200);
    assert.partialDeepStrictEqual(reply.body, {
      id: who.id,
      email: who.email,
      first_name: 'Ada',
      last_name: 'L',
      type: 2,
      status: 'online',
      account_type: 1,
      delete_at: 0,
    });
    assert.deepEqual(reply.body.roles.sort(), ['team_admin', 'team_user']);
    assert.doesNotMatch(reply.text, /hash|password|secret|token/);
    const [token = '', userCookie = ''] = reply.setCookies;
    assert.match(token, /^steward_token=[\w-]{43}; Max-Age=86400; Path=\/; HttpOnly; SameSite=Strict$/);
    assert.equal(userCookie, `steward_user=${who.id}; Max-Age=86400; Path=/; SameSite=Strict`);
    for (const line of reply.setCookies) assert.ok(line.length < 4096);
  });

  test('both cookies are Secure and bound to the host with https', async () => {
    const https = { PUBLIC_URL: 'https://steward.test' };
    await using secure = await startApp({ beside: node, work: false, env: https });
    const reply = await call(secure, login, credentials(await user(node)));
    assert.match(reply.setCookies[0] ?? '', /^__Host-steward_token=.*; Path=\/; HttpOnly; Secure; SameSite=Strict$/);
    assert.match(reply.setCookies[1] ?? '', /^__Host-steward_user=.*; Path=\/; Secure; SameSite=Strict$/);
    const bare = { cookie: `steward_token=${extractToken(reply.setCookies)}` };
    assert.equal((await call(secure, getMe, { as: bare })).status, 401, 'a cookie without the prefix is ignored');
    const prefixed = { cookie: `__Host-${bare.cookie}` };
    assert.equal((await call(secure, getMe, { as: prefixed })).status, 200);
  });

  test('accepts the address in any case and with surrounding blanks', async () => {
    const who = await user(node);
    for (const login_id of [who.email.toUpperCase(), `  ${who.email}\t`])
      assert.equal((await call(node, login, { body: { login_id, password: PASSWORD } })).body.id, who.id);
    assert.equal((await call(node, login, credentials(who, PASSWORD.toUpperCase()))).status, 401);
    assert.equal((await call(node, login, credentials(who, ` ${PASSWORD}`))).status, 401);
  });

  test('a wrong password, an unknown address, an invitee, a Zendesk user and a locked account get exactly the same response', async () => {
    const known = await user(node);
    const wrong = await call(node, login, credentials(known, 'not my password'));
    assert.equal(wrong.status, 401);
    assert.equal(wrong.body.id, 'session.bad_credentials');
    assert.deepEqual(wrong.setCookies, []);
    const locked = await user(node);
    await countAttempts(node, { name: 'session.login' }, locked.email, 10);
    for (const who of [
      { id: '', email: 'unknown@example.test', password: PASSWORD },
      await user(node, { team: teamId, pending: true }),
      await user(node, { team: teamId, kind: 'zendesk' }),
      locked,
    ])
      assert.deepEqual(toComparable(await call(node, login, credentials(who))), toComparable(wrong));
  });

  test('lists, objects, numbers and huge strings as address or password are refused before hashing', async () => {
    const failures = (await auditRows(node, 'session.sign_in_failed')).length;
    const who = await user(node);
    const bad: [unknown, number][] = [
      [{ login_id: [who.email], password: PASSWORD }, 400],
      [{ login_id: { $ne: '' }, password: PASSWORD }, 400],
      [{ login_id: who.email, password: { $regex: '.*' } }, 400],
      [{ login_id: who.email, password: `${PASSWORD}\0` }, 400],
      [{ login_id: who.email, password: 'x'.repeat(129) }, 400],
      [{ login_id: who.email, password: 'x'.repeat(1_000_000) }, 413],
    ];
    for (const [body, status] of bad) {
      const reply = await call(node, login, { body });
      assert.equal(reply.status, status, JSON.stringify(body).slice(0, 100));
      assert.deepEqual(reply.setCookies, []);
    }
    assert.equal((await auditRows(node, 'session.sign_in_failed')).length, failures);
  });

  test('the error message for a refused body has the field name', async () => {
    const reply = await call(node, login, { body: { login_id: 1 } });
    assert.equal(reply.body.message, 'login_id: must be a string; password: is required');
  });

  test('a planted session cookie is replaced by a new value and doesn’t work', async () => {
    const planted = await signedIn(node);
    const victim = await user(node);
    const reply = await call(node, login, { as: planted, ...credentials(victim) });
    assert.equal(reply.status, 200);
    assert.notEqual(extractToken(reply.setCookies), planted.token);
    assert.equal((await call(node, getMe, { as: planted })).status, 401);
  });

  test('every sign-in creates a token of 256 random bits and stores only its hash', async () => {
    const who = await user(node);
    const tokens = [];
    for (let i = 0; i < 3; i += 1) tokens.push(extractToken((await call(node, login, credentials(who))).setCookies));
    assert.equal(new Set(tokens).size, 3);
    for (const token of tokens) assert.equal(Buffer.from(token, 'base64url').length, 32);
    const rows = await node.db.selectFrom('sessions').selectAll().where('person_id', '=', who.id).execute();
    assert.equal(rows.length, 3);
    for (const token of tokens) assert.ok(!JSON.stringify(rows).includes(token));
  });

  test('a 21st session ends only the oldest one, and one in place of the browser’s own ends no other', async () => {
    const who = await user(node);
    const sessions: { cookie: string }[] = [];
    for (let i = 0; i < 20; i += 1) sessions.push(await signIn(node, who));
    const statuses = () =>
      Promise.all(sessions.map(async (as) => (await call(node, getMe, { headers: { cookie: as.cookie } })).status));
    const start = async (cookie = '') => {
      const { setCookies } = await call(node, login, { ...credentials(who), headers: { cookie } });
      const started = { cookie: `steward_token=${extractToken(setCookies)}` };
      sessions.push(started);
      return started;
    };
    const { cookie } = await start();
    assert.deepEqual(await statuses(), [401, ...Array(20).fill(200)]);
    await start(cookie);
    assert.deepEqual(await statuses(), [401, ...Array(19).fill(200), 401, 200]);
  });

  test('someone whose deactivation is committed while the sign-in waits for it gets no session', async () => {
    const ours = await team(node);
    const who = await user(node, { team: ours });
    const { reply } = await inTransaction(node.db, async (trx) => {
      await sql`select from people where id = ${who.id} for update`.execute(trx);
      await saveDeactivated(trx, { teamId: ours, userId: who.id, deactivated: true });
      const begun = call(node, login, credentials(who));
      await waitForLockWaiter(node, 'select true as is_open from people');
      return { reply: begun };
    });
    const { status, body, setCookies } = await reply;
    assert.deepEqual([status, body.id, setCookies], [403, 'session.deactivated', []]);
    const left = await node.db.selectFrom('sessions').select('id').where('person_id', '=', who.id).execute();
    assert.deepEqual(left, []);
  });

  test('one audit row is written for a sign-in and one for a failed attempt, without the input', async () => {
    const who = await user(node);
    await call(node, login, credentials(who, 'a wrong secret'));
    await call(node, login, credentials(who));
    const { rows } = await sql<{
      action: string;
      details: object;
    }>`select action, details - 'v' as details from audit_events
      where target = ${who.id} order by id`.execute(node.db);
    assert.deepEqual(rows, [
      { action: 'session.sign_in_failed', details: { reason: 'bad_password' } },
      { action: 'session.signed_in', details: {} },
    ]);
    assert.ok(!node.log.join('').includes('a wrong secret'));
  });
});

describe('cookie sign-in', () => {
  test('returns the holder of the session cookie', async () => {
    const who = await signedIn(node, { team: teamId });
    assert.equal((await call(node, cookieLogin, { as: who })).body.id, who.id);
    assert.equal((await call(node, getMe, { as: who })).body.id, who.id);
  });

  test('the user-id cookie alone doesn’t sign in', async () => {
    const who = await signedIn(node);
    const reply = await call(node, cookieLogin, { as: { cookie: `steward_user=${who.id}` } });
    assert.equal(reply.status, 401);
    assert.deepEqual(reply.setCookies, []);
  });

  test('with the user-id cookie of another user, the token counts', async () => {
    const [me, other] = [await signedIn(node), await user(node)];
    const as = { cookie: `steward_token=${me.token}; steward_user=${other.id}` };
    assert.equal((await call(node, cookieLogin, { as })).body.id, me.id);
  });

  test('a truncated, repeated, empty or modified token is no session', async () => {
    const { token } = await signedIn(node);
    for (const value of [
      token.slice(0, -1),
      token.slice(1),
      token + token,
      `${token}=`,
      token.toUpperCase(),
      '',
      'x'.repeat(4096),
      '%00%zz%',
      encodeURIComponent(`${token}\0`),
      `"${token}x"`,
    ]) {
      const reply = await call(node, cookieLogin, { as: { cookie: `steward_token=${value}` } });
      assert.equal(reply.status, 401, value.slice(0, 60));
      assert.equal(reply.body.id, 'session.required');
    }
  });

  test('the response contains no hash and no token', async () => {
    const { text } = await call(node, getMe, { as: await signedIn(node) });
    assert.doesNotMatch(text, /argon2|password|hash|token/);
  });
});

describe('logout', () => {
  test('ends only this session, clears both cookies and can be repeated', async () => {
    const who = await user(node);
    const [here, there] = [await signIn(node, who), await signIn(node, who)];
    const reply = await call(node, logout, { as: here });
    assert.deepEqual(reply.body, { status_code: 200 });
    assert.equal(reply.setCookies.length, 2);
    for (const line of reply.setCookies)
      assert.match(line, /^steward_(token|user)=; .*Path=\/; Expires=Thu, 01 Jan 1970/);
    assert.equal((await call(node, getMe, { as: here })).status, 401);
    assert.equal((await call(node, getMe, { as: there })).status, 200);
    assert.deepEqual(toComparable(await call(node, logout, { as: here })), toComparable(reply));
    assert.deepEqual(toComparable(await call(node, logout)), toComparable(reply));
    const rows = await auditRows(node, 'session.signed_out');
    assert.equal(rows.filter((row) => row.target === who.id).length, 1);
  });

  test('names the identity provider where a user of single sign-on is still signed in', async () => {
    const who = await signedIn(node, { team: teamId });
    const id = await replaceConnection(node, teamId);
    await sql`update sessions set method = 'sso', team_id = ${teamId}, connection_id = ${id}
      where person_id = ${who.id}`.execute(node.db);
    assert.deepEqual((await call(node, logout, { as: who })).body, { status_code: 200, sso_provider: 'IdP' });
    assert.deepEqual((await call(node, logout, { as: who })).body, { status_code: 200 });
  });
});
