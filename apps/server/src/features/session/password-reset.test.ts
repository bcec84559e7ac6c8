import assert from 'node:assert/strict';
import { checkResetLink, getMe, login, resetPassword, sendPasswordReset } from '@steward/contract/session';
import { listUsers, revokeSessions, saveUser } from '@steward/contract/users';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { call, type Sending, toComparable } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { countAttempts } from '#testing/faults/count-attempts.ts';
import { settled } from '#testing/faults/wait-for-jobs.ts';
import { extractMailToken } from '#testing/peers/inbox.ts';
import { connection } from '#testing/sso/sso.ts';
import { createTeamWithMembers, join, signedIn, signIn, type TestTeam, user } from '#testing/workspace/factories.ts';
import { auditRows, snapshotTables } from '#testing/workspace/snapshot-tables.ts';
import { removeExpiredLinks } from '#workspace/access/sessions/links.store.ts';

const NEW = 'a quite different password';

let node: TestApp;
let team: TestTeam;

beforeAll(async () => {
  node = await startApp({ pool: 8 });
  team = await createTeamWithMembers(node);
});

afterAll(() => node[Symbol.asyncDispose]());

const requestReset = (email: unknown, more: Sending = {}) =>
  call(node, sendPasswordReset, { body: { email }, ...more });
const resetWith = (token: string, new_password: unknown = NEW, from = '192.0.2.1') =>
  call(node, resetPassword, { body: { token, new_password }, from });

async function resetLink(email: string): Promise<string> {
  assert.equal((await requestReset(email)).status, 200);
  return extractMailToken(await node.inbox.next(email));
}

async function inviteLink(email: string): Promise<string> {
  const body = { email, account_type: 2 };
  assert.equal((await call(node, saveUser, { as: team.owner, params: { teamId: team.id }, body })).status, 200);
  return extractMailToken(await node.inbox.next(email));
}

const check = (token: string, more: Sending = {}) => call(node, checkResetLink, { body: { token }, ...more });

/** The call that sets the password and the one that only checks the link say the same about it. */
async function assertRefused(token: string, id: string) {
  for (const reply of [await check(token), await resetWith(token)])
    assert.deepEqual([reply.status, reply.body.id], [400, id]);
}

describe('a forgotten password', () => {
  test('is replaced with an emailed link, which ends all sessions and other links', async () => {
    const who = await user(node, { team: team.id });
    const sessions = [await signIn(node, who), await signIn(node, who)];
    const token = await resetLink(who.email);
    assert.deepEqual((await resetWith(token)).body, { status_code: 200 });
    for (const as of sessions) assert.equal((await call(node, getMe, { as })).status, 401);
    const signInWith = (password: string) => call(node, login, { body: { login_id: who.email, password } });
    assert.equal((await signInWith(who.password)).status, 401);
    assert.equal((await signInWith(NEW)).status, 200);
    const notice = await node.inbox.next(who.email);
    assert.match(notice.subject, /password was changed/);
    assert.doesNotMatch(notice.text, /token=/);
    assert.deepEqual(await auditRows(node, 'session.password_reset'), [
      { team_id: '', actor_id: who.id, target: who.id, details: { sessions: 2 } },
    ]);
  });

  test('a reset also removes the lock after failed attempts', async () => {
    const who = await user(node);
    await countAttempts(node, { name: 'session.login' }, who.email, 10);
    assert.equal((await call(node, login, { body: { login_id: who.email, password: who.password } })).status, 401);
    await resetWith(await resetLink(who.email));
    assert.equal((await call(node, login, { body: { login_id: who.email, password: NEW } })).status, 200);
  });

  test('the link has the configured address, whatever Host the request has', async () => {
    const who = await user(node);
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' };
    await requestReset(who.email, { headers });
    const mail = await node.inbox.next(who.email);
    assert.match(mail.text, /http:\/\/steward\.test\/reset_password\?token=[\w-]{43}\n/);
    assert.match(mail.text, /expires in 60 minutes, on \w+ \d+, \d{4} at .* UTC, and can be used once/);
    assert.ok(mail.html.includes(`http://steward.test/reset_password?token=${extractMailToken(mail)}`));
    assert.doesNotMatch(mail.text + mail.html, /evil/);
  });

  test('known, unknown and inactive addresses get the same response, and no one without an account gets an email', async () => {
    const active = await user(node);
    const expected = toComparable(await requestReset(active.email));
    const inactive = [await user(node, { team: team.id, pending: true }), team.zendesk].map((who) => who.email);
    const deactivated = (await user(node, { team: team.id, deactivated: true })).email;
    for (const email of [...inactive, deactivated, 'unknown@example.test']) {
      assert.deepEqual(toComparable(await requestReset(email)), expected);
      assert.deepEqual(toComparable(await requestReset(email, { as: team.owner })), expected);
    }
    await settled(node);
    for (const email of [...inactive, 'unknown@example.test']) assert.deepEqual(node.inbox.waiting(email), []);
    assert.equal(node.inbox.waiting(active.email).length, 1);
  });

  test('lists, objects, header injections and look-alike characters are refused, and no email is sent', async () => {
    const who = await user(node, { email: 'kim.istanbul@example.test' });
    for (const email of [
      [who.email, 'evil@example.test'],
      { email: who.email },
      `${who.email};evil@example.test`,
      `${who.email}\r\nBcc: evil@example.test`,
      'kım.istanbul@example.test',
    ])
      assert.equal((await requestReset(email)).status, 400, JSON.stringify(email));
    await settled(node);
    assert.deepEqual(node.inbox.waiting(who.email), []);
  });

  test('case and surrounding blanks of the address are ignored; the email goes to the stored one', async () => {
    const who = await user(node);
    await requestReset(` ${who.email.toUpperCase()} `);
    assert.equal((await node.inbox.next(who.email)).to, who.email);
  });

  test('at most three emails an hour are sent to one address, without a different response', async () => {
    const who = await user(node);
    const replies = await Promise.all(Array.from({ length: 5 }, () => requestReset(who.email, { as: team.admin })));
    for (const reply of replies) assert.deepEqual(toComparable(reply), toComparable(replies[0]!));
    await settled(node);
    assert.equal(node.inbox.waiting(who.email).length, 3);
    const [first, ...rest] = node.inbox.waiting(who.email).map(extractMailToken);
    const works = [first, ...rest].map((token) => resetWith(token!));
    const statuses = (await Promise.all(works)).map((reply) => reply.status).sort();
    assert.deepEqual(statuses, [200, 400, 400], 'only the newest of three links works');
  });

  test('the audit row of an admin’s request for a member has the team, others have none', async () => {
    const who = await user(node, { team: team.id });
    await requestReset(who.email, { as: team.admin });
    await requestReset(who.email);
    const rows = (await auditRows(node, 'session.reset_requested')).slice(-2);
    assert.deepEqual(rows, [
      { team_id: team.id, actor_id: team.admin.id, target: who.id, details: { limited: false } },
      { team_id: '', actor_id: null, target: null, details: { limited: false } },
    ]);
  });

  test('callers without a session are limited to 60 requests an hour, signed-in users are not', async () => {
    const from = '203.0.113.200';
    await countAttempts(node, { name: 'session.reset_address' }, from, 59);
    const replies = [];
    for (let i = 0; i < 2; i += 1) replies.push(await requestReset(`flood${i}@example.test`, { from }));
    assert.deepEqual(
      replies.map((reply) => reply.status),
      [200, 429],
    );
    assert.equal((await requestReset('one-more@example.test', { from, as: team.admin })).status, 200);
  });
});

describe('a password that was reset', () => {
  test('case 18: doesn’t open a team that requires single sign-on, and the email is sent there too', async () => {
    const own = await createTeamWithMembers(node);
    await connection(node, own.id, { issuer: 'https://127.0.0.1', clientId: 'a', secret: 'b' }, { required: true });
    const elsewhere = await createTeamWithMembers(node);
    await join(node, elsewhere.id, own.admin.id, 'admin');
    assert.deepEqual((await resetWith(await resetLink(own.admin.email))).body, { status_code: 200 });
    const reply = await call(node, login, { body: { login_id: own.admin.email, password: NEW } });
    assert.equal(reply.status, 200);
    const cookie = reply.setCookies.map((line) => line.split(';')[0]).join('; ');
    const list = (teamId: string) => call(node, listUsers, { as: { cookie }, params: { teamId } });
    const refused = await list(own.id);
    assert.deepEqual([refused.status, refused.body.id], [403, 'sso.required']);
    assert.equal((await list(elsewhere.id)).status, 200);
  });
});

describe('a one-time link', () => {
  test('is consumed by one of ten concurrent requests', async () => {
    const token = await resetLink((await user(node)).email);
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, i) => resetWith(token, `${NEW} ${i}`, `203.0.113.${i}`)),
    );
    const refused = replies.filter((reply) => reply.status !== 200);
    assert.equal(refused.length, 9);
    for (const reply of refused) assert.deepEqual([reply.status, reply.body.id], [400, 'link.used']);
    await assertRefused(token, 'link.used');
  });

  test('doesn’t work after it has expired, and works one minute before', async () => {
    const link = await resetLink((await user(node)).email);
    await sql`update links set expires_at = expires_at - interval '59 minutes'`.execute(node.db);
    assert.equal((await resetWith(link, 'short')).status, 400);
    await sql`update links set expires_at = expires_at - interval '1 minute'`.execute(node.db);
    await assertRefused(link, 'link.expired');
    await removeExpiredLinks(node.db);
    await assertRefused(link, 'link.expired');
    await sql`update links set expires_at = expires_at - interval '7 days'`.execute(node.db);
    await removeExpiredLinks(node.db);
    await assertRefused(link, 'link.invalid');
    const again = await resetLink((await user(node)).email);
    await sql`update links set expires_at = expires_at - interval '59 minutes'`.execute(node.db);
    assert.equal((await resetWith(again)).status, 200);
  });

  test('doesn’t work after a newer link, a password change, deactivation or revoking all sessions', async () => {
    const [first, second] = [await user(node), await user(node, { team: team.id })];
    const [older, newer] = [await resetLink(first.email), await resetLink(first.email)];
    await assertRefused(older, 'link.replaced');
    assert.equal((await resetWith(newer)).status, 200);
    await assertRefused(newer, 'link.used');
    await assertRefused(older, 'link.replaced');

    const token = await resetLink(second.email);
    await call(node, revokeSessions, { as: team.owner, params: { teamId: team.id, userId: second.id } });
    await assertRefused(token, 'link.invalid');
  });

  test('is checked without being changed: says whose it is, and whose session this is', async () => {
    const who = await signedIn(node, { first_name: 'Ada', last_name: 'Lovelace' });
    const token = await resetLink(who.email);
    const before = await snapshotTables(node, { except: ['throttles'] });
    const { email } = who;
    assert.deepEqual((await check(token)).body, { email, signed_in_as: null });
    assert.deepEqual((await check(token, { as: who })).body, { email, signed_in_as: null });
    const reader = await signedIn(node, { first_name: 'Kim', last_name: '' });
    assert.deepEqual((await check(token, { as: reader })).body, {
      email,
      signed_in_as: { name: 'Kim', email: reader.email },
    });
    const withoutReader = await snapshotTables(node, { except: ['throttles'] });
    assert.deepEqual(withoutReader.links, before.links);
    assert.equal((await resetWith(token)).status, 200);
  });

  test('is checked 120 times in ten minutes by a network', async () => {
    const from = '203.0.113.201';
    await countAttempts(node, { name: 'session.reset_check' }, from, 119);
    const replies = [];
    for (let i = 0; i < 2; i += 1) replies.push((await check('A'.repeat(43), { from })).status);
    assert.deepEqual(replies, [400, 429]);
  });

  test('isn’t found by an object, a pattern or a part of it, and isn’t consumed by them', async () => {
    const token = await resetLink((await user(node)).email);
    for (const wrong of [{ $regex: '^.' }, { $ne: '' }, [token], `${token}\0`, 7, null])
      assert.equal((await call(node, resetPassword, { body: { token: wrong, new_password: NEW } })).status, 400);
    for (const wrong of [token.slice(0, -1), `${token}A`, token.toLowerCase(), '%', '_'.repeat(43)])
      await assertRefused(wrong, 'link.invalid');
    assert.equal((await resetWith(token)).status, 200);
  });

  test('of an invitation doesn’t set a password here', async () => {
    await assertRefused(await inviteLink('newcomer@example.test'), 'link.invalid');
    const accounts = await node.db
      .selectFrom('people')
      .select('id')
      .where('email', '=', 'newcomer@example.test')
      .execute();
    assert.deepEqual(accounts, []);
  });
});

describe('a chosen password', () => {
  test('has 8 to 128 characters and isn’t a common one; a refused password doesn’t consume the link', async () => {
    const who = await user(node);
    const token = await resetLink(who.email);
    for (const bad of ['seven77', 'x'.repeat(129), `${NEW}\0`, `${NEW}\ud800`, 12345678, '', null])
      assert.equal((await resetWith(token, bad)).body.id, 'request.invalid', String(bad).slice(0, 20));
    for (const common of ['password', 'PassWord1', '12345678', 'qwertyuiop', 'Iloveyou1'.toLowerCase()])
      assert.equal((await resetWith(token, common)).body.id, 'password.too_common', common);
    assert.equal((await resetWith(token, 'x'.repeat(20_000))).status, 413);
    const longest = 'ä€😀 '.repeat(25).slice(0, 127);
    assert.equal((await resetWith(token, longest)).status, 200);
    assert.equal((await call(node, login, { body: { login_id: who.email, password: longest } })).status, 200);
  });

  test('is stored as argon2id with 19 MiB, two passes and one lane', async () => {
    const who = await user(node);
    assert.equal((await resetWith(await resetLink(who.email))).status, 200);
    const row = await node.db.selectFrom('people').select('password_hash').where('id', '=', who.id).executeTakeFirst();
    assert.match(row?.password_hash ?? '', /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  test('the password calls accept bodies of up to 16 KB', async () => {
    const as = await signedIn(node);
    for (const endpoint of [login, checkResetLink, resetPassword, sendPasswordReset])
      assert.equal((await call(node, endpoint, { as, body: { x: 'x'.repeat(17_000) } })).status, 413);
  });
});
