import assert from 'node:assert/strict';
import { login } from '@steward/contract/session';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { hashToken } from '#platform/security/secrets.ts';
import { call, type Reply, toComparable } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { countAttempts } from '#testing/faults/count-attempts.ts';
import { PASSWORD, type TestUser, user } from '#testing/workspace/factories.ts';

const OFFICE = '203.0.113.9';
const HOME = '198.51.100.7';

let node: TestApp;
let other: TestApp;

beforeAll(async () => {
  node = await startApp({ work: false, pool: 1 });
  other = await startApp({ beside: node, work: false, pool: 4 });
});

beforeEach(async () => {
  await sql`delete from throttles`.execute(node.db);
});

afterAll(async () => {
  await other[Symbol.asyncDispose]();
  await node[Symbol.asyncDispose]();
});

interface Try {
  password?: string;
  from?: string;
  device?: string;
  on?: TestApp;
}

const attempt = (who: { email: string }, { password = PASSWORD, from = OFFICE, device, on = node }: Try = {}) =>
  call(on, login, {
    body: { login_id: who.email, password },
    from,
    ...(device === undefined ? {} : { as: { cookie: `device=${device}` } }),
  });

const getDevice = (reply: Reply) => /^device=([\w-]{43});/m.exec(reply.setCookies.join('\n'))?.[1] ?? '';

const REFUSED = { name: 'session.refused' };

/** Uses up the failures that a network may have. */
async function fillUp(): Promise<void> {
  await countAttempts(node, REFUSED, OFFICE, 100);
  assert.equal((await attempt({ email: 'nobody@example.test' })).status, 429);
}

const countRows = async () =>
  (
    await sql<{
      n: number;
    }>`select (select count(*) from audit_events)::int + (select count(*) from sign_ins)::int as n`.execute(node.db)
  ).rows[0]?.n;

async function known(who: TestUser, from = HOME): Promise<string> {
  const reply = await attempt(who, { from });
  assert.equal(reply.status, 200);
  return getDevice(reply);
}

describe('many concurrent sign-ins', () => {
  test('a network with more than ten is refused before anything is looked up; others are not', async () => {
    const who = await user(node);
    // The only connection is in use, so accepted sign-ins wait for it.
    const connection = await node.deps.pool.connect();
    const replies: Reply[] = [];
    const many = Array.from({ length: 20 }, (_, i) =>
      attempt(who, { password: `guess ${i}` }).then((reply) => replies.push(reply)),
    );
    const elsewhere = attempt(await user(other), { from: HOME });
    while (replies.length < 10) await new Promise(setImmediate);
    connection.release();
    await Promise.all(many);
    const refused = replies.filter(({ status }) => status === 429);
    // Two may be hashed at once, and eight wait.
    assert.equal(refused.length, 10);
    assert.deepEqual(replies.slice(0, 10), refused);
    for (const { body, headers, setCookies } of refused) {
      assert.equal(body.id, 'rate.limited');
      assert.match(String(headers['retry-after']), /^[1-9]\d*$/);
      assert.deepEqual(setCookies, []);
    }
    assert.ok(replies.slice(10).every(({ status }) => status === 401));
    assert.equal((await elsewhere).status, 200);
  });

  test('both forms of an address and all of an IPv6 network share the places', async () => {
    const connection = await node.deps.pool.connect();
    const early: Reply[] = [];
    const at = (from: string) => attempt({ email: 'nobody@example.test' }, { from }).then((reply) => early.push(reply));
    const all = [
      ...Array.from({ length: 11 }, (_, i) => at(`2001:db8:1:2:${i}::1`)),
      ...Array.from({ length: 11 }, (_, i) => at(i % 2 ? '192.0.2.55' : '::ffff:192.0.2.55')),
    ];
    while (early.length < 2) await new Promise(setImmediate);
    connection.release();
    await Promise.all(all);
    assert.equal(early.filter(({ status }) => status === 429).length, 2);
  });
});

describe('refused sign-ins of a network', () => {
  test('are limited to 100 in ten minutes on all nodes, the same for every account', async () => {
    const who = await user(node);
    const began = Date.now();
    const spray = (nth: number) => attempt({ email: `spray-${nth}@example.test` }, { on: nth % 2 ? node : other });
    assert.equal((await spray(1)).status, 401);
    await countAttempts(node, REFUSED, OFFICE, 97);
    const replies = [];
    for (const nth of [98, 99, 100, 101, 102]) replies.push(await spray(nth));
    assert.deepEqual(
      replies.map(({ status }) => status),
      [401, 401, 401, 429, 429],
    );
    const rows = await countRows();
    const unknown = await attempt({ email: 'nobody@example.test' });
    const wait = Number(unknown.headers['retry-after']);
    // Rounded up; it counts from the first attempt.
    const passed = (Date.now() - began) / 1_000;
    assert.ok(wait > 599 - passed && wait <= 600, `${wait} after ${passed}`);
    const comparable = (reply: Reply) => ({
      ...toComparable(reply),
      headers: { ...reply.headers, date: '', 'retry-after': '', 'x-request-id': '' },
    });
    for (const reply of [
      await attempt(who),
      await attempt(who, { password: 'wrong' }),
      await attempt(who, { on: other }),
    ])
      assert.deepEqual(comparable(reply), comparable(unknown));
    assert.equal(await countRows(), rows, 'and leave no rows');
    assert.equal((await attempt(who, { from: HOME })).status, 200, 'other networks go on');
    await sql`update throttles set expire = 0`.execute(node.db);
    assert.equal((await attempt(who)).status, 200, 'the limit ends');
  });

  test('don’t stop a device that the account was used with, nor count what it gets wrong', async () => {
    const who = await user(node);
    const device = await known(who);
    await fillUp();
    assert.equal((await attempt(who, { device, password: 'a slip' })).status, 401);
    assert.equal((await attempt(who)).status, 429, 'without the cookie');
    assert.equal((await attempt(await user(node), { device })).status, 429, 'of another account');
    for (const forged of ['x', `${device}x`, 'A'.repeat(43), device.toLowerCase()])
      assert.equal((await attempt(who, { device: forged })).status, 429, forged);
    assert.equal((await attempt(who, { device })).status, 200);
    await sql`delete from throttles`.execute(node.db);
    await attempt(who, { device, password: 'a slip' });
    const { rows } = await sql`select 1 from throttles where key like 'session.refused%'`.execute(node.db);
    assert.deepEqual(rows, []);
  });

  test('let users in from a network they used before, without revealing who they are', async () => {
    const who = await user(node);
    await known(who, OFFICE);
    await fillUp();
    const wrong = await attempt(who, { password: 'wrong' });
    const unknown = await attempt({ email: 'nobody@example.test' }, { password: 'wrong' });
    assert.deepEqual([wrong.status, wrong.text.length], [429, unknown.text.length]);
    assert.equal((await attempt(who)).status, 200);
    await sql`update known_addresses set seen_at = now() - interval '91 days'`.execute(node.db);
    assert.equal((await attempt(who)).status, 429, 'a use of 91 days ago no longer counts');
  });
});

describe('guesses of one account', () => {
  test('don’t lock a known device out, wherever it is, and its own guesses are limited too', async () => {
    const who = await user(node);
    const device = await known(who);
    const countWrong = (key: string) => countAttempts(node, { name: 'session.login' }, key, 9);
    await countWrong(who.email);
    for (let i = 0; i < 2; i += 1) await attempt(who, { password: 'wrong' });
    assert.equal((await attempt(who)).status, 401, 'locked');
    assert.equal((await attempt(who, { device })).status, 200);
    await countWrong(`${who.email}|device|${hashToken(device)}`);
    for (let i = 0; i < 2; i += 1) await attempt(who, { device, password: 'wrong' });
    assert.equal((await attempt(who, { device })).status, 401);
  });
});
