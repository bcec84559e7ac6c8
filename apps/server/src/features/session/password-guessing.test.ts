import assert from 'node:assert/strict';
import { login, sendPasswordReset } from '@steward/contract/session';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { call, toComparable } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { countAttempts } from '#testing/faults/count-attempts.ts';
import { PASSWORD, type TestUser, user } from '#testing/workspace/factories.ts';
import { auditRows } from '#testing/workspace/snapshot-tables.ts';

const ATTACKER = '203.0.113.9';

let node: TestApp;
let other: TestApp;

beforeAll(async () => {
  node = await startApp({ work: false, pool: 8 });
  other = await startApp({ beside: node, work: false, pool: 8 });
});

afterAll(async () => {
  await other[Symbol.asyncDispose]();
  await node[Symbol.asyncDispose]();
});

const attempt = (who: { email: string }, password: string, from = ATTACKER, on = node, headers = {}) =>
  call(on, login, { body: { login_id: who.email, password }, from, headers });

/** Each failed password check writes one row; an attempt on a locked account is refused without one. */
async function countChecks(who: TestUser): Promise<number> {
  return (await auditRows(node, 'session.sign_in_failed')).filter((row) => row.target === who.id).length;
}

/** As if so many passwords had been wrong, from unknown networks or a known one. */
const countWrong = ({ email }: { email: string }, passwords: number, known?: string) =>
  countAttempts(node, { name: 'session.login' }, known === undefined ? email : `${email}|${known}`, passwords);

const endLocks = () => sql`update throttles set expire = ${Date.now() - 1} where expire is not null`.execute(node.db);

describe('guessing a password', () => {
  test('of 40 concurrent attempts on two nodes, at most ten are checked', async () => {
    const who = await user(node);
    const replies = await Promise.all(
      // Each attempt comes from another network, because of the limit of concurrent ones per network.
      Array.from({ length: 40 }, (_, i) => attempt(who, `guess number ${i}`, `198.18.7.${i}`, i % 2 ? node : other)),
    );
    // On a busy machine some time out waiting for a connection, and are then refused without a check too.
    assert.ok(replies.every((reply) => reply.status === 401 || reply.status === 503));
    const checks = await countChecks(who);
    assert.ok(checks > 0 && checks <= 10, `${checks} checks`);

    const right = await attempt(who, PASSWORD);
    const first = replies.find((reply) => reply.status === 401);
    assert.ok(first);
    assert.deepEqual(
      toComparable(right),
      toComparable(first),
      'the right password gets the same response while the account is locked',
    );
    assert.deepEqual(right.setCookies, []);

    await endLocks();
    assert.equal((await attempt(who, PASSWORD)).status, 200, 'the lock expires');
  });

  test('case, blanks, forged proxy headers and extra fields don’t start another counter', async () => {
    const who = await user(node);
    await countWrong(who, 8);
    for (let i = 0; i < 4; i += 1) {
      await call(node, login, {
        body: {
          login_id: i % 2 ? ` ${who.email}` : who.email.toUpperCase(),
          password: 'a wrong guess',
          device_id: `d${i}`,
          extra: i,
        },
        from: `203.0.113.${i}`,
        headers: { 'x-forwarded-for': `198.51.100.${i}`, forwarded: `for=198.51.100.${i}` },
      });
    }
    assert.ok((await countChecks(who)) <= 2);
    assert.equal((await attempt(who, PASSWORD)).status, 401);
  });

  test('an address the person signed in from isn’t locked, and can’t be claimed by headers', async () => {
    const who = await user(node);
    const home = '198.51.100.77';
    assert.equal((await attempt(who, PASSWORD, home)).status, 200);
    await countWrong(who, 9);
    for (let i = 0; i < 2; i += 1) await attempt(who, 'a wrong guess');
    const claimed = await attempt(who, PASSWORD, ATTACKER, node, { 'x-forwarded-for': home, 'x-real-ip': home });
    assert.equal(claimed.status, 401);
    assert.equal((await attempt(who, PASSWORD, home)).status, 200);
  });

  test('the addresses of one IPv6 network count as one, and so do both forms of an IPv4 address', async () => {
    const who = await user(node);
    assert.equal((await attempt(who, PASSWORD, '2001:db8:77:1::1')).status, 200);
    await countWrong(who, 9);
    for (let i = 0; i < 2; i += 1) await attempt(who, 'a wrong guess', `2001:db8:66:1::${i.toString(16)}`);
    assert.equal((await attempt(who, PASSWORD, '2001:db8:66:2::1')).status, 401, 'locked for other networks');
    assert.equal((await attempt(who, PASSWORD, '2001:db8:77:1:ffff::9')).status, 200, 'known as a network');
    const limited = async (from: string) =>
      (await call(node, sendPasswordReset, { body: { email: 'nobody@example.test' }, from })).status;
    const replies: number[] = [];
    const countRequests = (network: string) => countAttempts(node, { name: 'session.reset_address' }, network, 58);
    await countRequests('2001:db8:55:1::/64');
    for (let i = 0; i < 4; i += 1) replies.push(await limited(`2001:db8:55:1:${i.toString(16)}::1`));
    assert.deepEqual([replies.filter((status) => status === 429).length, await limited('2001:db8:55:2::1')], [2, 200]);
    await countRequests('198.51.100.90');
    for (let i = 0; i < 2; i += 1) assert.equal(await limited('198.51.100.90'), 200);
    assert.equal(await limited('::ffff:198.51.100.90'), 429);
  });

  test('guessing from a known address is limited as well', async () => {
    const who = await user(node);
    const home = '198.51.100.78';
    await attempt(who, PASSWORD, home);
    await countWrong(who, 8, home);
    for (let i = 0; i < 3; i += 1) await attempt(who, 'a wrong guess', home);
    assert.equal((await attempt(who, PASSWORD, home)).status, 401);
    assert.ok((await countChecks(who)) <= 2);
  });

  test('a right password resets the count', async () => {
    const who = await user(node);
    const home = '198.51.100.79';
    assert.equal((await attempt(who, PASSWORD, home)).status, 200);
    await countWrong(who, 8, home);
    for (let round = 0; round < 2; round += 1) {
      await attempt(who, 'a wrong guess', home);
      assert.equal((await attempt(who, PASSWORD, home)).status, 200);
    }
  });

  test('an unknown address is locked like a known one, so the lock reveals nothing', async () => {
    const start = (await auditRows(node, 'session.sign_in_failed')).length;
    const unknown = { email: 'never-seen@example.test' };
    await countWrong(unknown, 8);
    for (let i = 0; i < 3; i += 1) await attempt(unknown, 'a wrong guess');
    assert.equal((await auditRows(node, 'session.sign_in_failed')).length - start, 2);
  });
});
