import assert from 'node:assert/strict';
import { changePassword, endOtherSessions, endOwnSession, listOwnSessions } from '@steward/contract/account';
import { login, logout, resetPassword } from '@steward/contract/session';
import { revokeSessions } from '@steward/contract/users';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { inTransaction } from '#platform/database/database.ts';
import { hashToken } from '#platform/security/secrets.ts';
import { call, type Reply } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { createTeamWithMembers, PASSWORD, type TestTeam, type TestUser, user } from '#testing/workspace/factories.ts';
import { findKnown } from '#workspace/access/sessions/known-devices.store.ts';
import { addLink } from '#workspace/access/sessions/links.store.ts';

let node: TestApp;
let ours: TestTeam;

beforeAll(async () => {
  node = await startApp({ work: false });
  ours = await createTeamWithMembers(node);
});

afterAll(() => node[Symbol.asyncDispose]());

const toCookie = (reply: Reply) => ({ cookie: reply.setCookies.map((line) => line.split(';')[0]).join('; ') });
const getDevice = (reply: Reply) => /(?:^|\n)(?:__Host-)?device=([\w-]+);/.exec(reply.setCookies.join('\n'))?.[1] ?? '';

async function signIn(who: TestUser, as?: { cookie: string }, on = node) {
  const reply = await call(on, login, { body: { login_id: who.email, password: who.password }, as });
  assert.equal(reply.status, 200);
  return { as: toCookie(reply), device: getDevice(reply), reply };
}

const isKnown = async (who: TestUser, device: string) =>
  (await findKnown(node.db, who.id, { address: '198.51.100.1', device })) === 'device';

describe('the device cookie', () => {
  test('is set at sign-in for a year, out of reach of scripts, and only its hash is stored', async () => {
    const who = await user(node);
    const { reply, device } = await signIn(who);
    assert.match(reply.setCookies[2] ?? '', /^device=[\w-]{43}; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/);
    assert.equal(Buffer.from(device, 'base64url').length, 32);
    const { rows } = await sql`select * from known_devices where person_id = ${who.id}`.execute(node.db);
    assert.equal(rows.length, 1);
    assert.ok(!JSON.stringify(rows).includes(device));
  });

  test('is Secure and bound to the host with https', async () => {
    await using secure = await startApp({ beside: node, work: false, env: { PUBLIC_URL: 'https://steward.test' } });
    const { reply } = await signIn(await user(node), undefined, secure);
    assert.match(reply.setCookies[2] ?? '', /^__Host-device=.*; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
  });

  test('stays the same for the account, and survives signing out', async () => {
    const who = await user(node);
    const first = await signIn(who);
    assert.equal((await signIn(who, first.as)).device, first.device);
    const out = await call(node, logout, { as: first.as });
    assert.ok(!out.setCookies.some((line) => line.includes('device')));
    assert.ok(await isKnown(who, first.device));
  });

  test('isn’t set by a refused sign-in, and does not sign in by itself', async () => {
    const who = await user(node);
    const { device } = await signIn(who);
    const as = { cookie: `device=${device}` };
    const wrong = await call(node, login, { body: { login_id: who.email, password: 'wrong' }, as });
    assert.deepEqual([wrong.status, wrong.setCookies], [401, []]);
    assert.equal((await call(node, listOwnSessions, { as })).status, 401);
  });

  test('of someone else is replaced, so that one that was planted is worth nothing', async () => {
    const [attacker, victim] = [await user(node), await user(node)];
    const planted = await signIn(attacker);
    for (const cookie of [`device=${planted.device}`, `device=${'B'.repeat(43)}`]) {
      const { device } = await signIn(victim, { cookie });
      assert.ok(!cookie.includes(device));
      assert.ok(await isKnown(victim, device));
    }
    assert.ok(!(await isKnown(victim, planted.device)) && !(await isKnown(victim, 'B'.repeat(43))));
    assert.ok(await isKnown(attacker, planted.device));
  });

  test('is known for the 20 devices used last', async () => {
    const who = await user(node);
    const devices = [(await signIn(who)).device, (await signIn(who)).device];
    await signIn(who, { cookie: `device=${devices[0]}` });
    const more = Array.from({ length: 18 }, (_, i) => `token ${i}`);
    await sql`insert into known_devices (person_id, token_hash)
      select ${who.id}, unnest(${more.map(hashToken)}::text[])`.execute(node.db);
    devices.push(...more, (await signIn(who)).device);
    const left = await Promise.all(devices.map((device) => isKnown(who, device)));
    assert.deepEqual(left, [true, false, ...Array(19).fill(true)]);
  });

  test('counts for a year after the last sign-in', async () => {
    const who = await user(node);
    const { device } = await signIn(who);
    const age = (days: number) =>
      sql`update known_devices set seen_at = now() - make_interval(days => ${days}) where person_id = ${who.id}`.execute(
        node.db,
      );
    await age(364);
    assert.ok(await isKnown(who, device));
    await age(366);
    assert.ok(!(await isKnown(who, device)));
  });
});

describe('a device is forgotten', () => {
  /** The first browser is in use. */
  async function twoBrowsers(options: Parameters<typeof user>[1] = {}) {
    const who = await user(node, options);
    return { who, here: await signIn(who), there: await signIn(who) };
  }

  test('with a new password, but for the browser in use', async () => {
    const { who, here, there } = await twoBrowsers();
    const body = { current_password: PASSWORD, new_password: 'another good password' };
    assert.equal((await call(node, changePassword, { as: here.as, body })).status, 200);
    assert.deepEqual([await isKnown(who, here.device), await isKnown(who, there.device)], [true, false]);
  });

  test('with signing out of all other devices, and of a single one', async () => {
    const { who, here, there } = await twoBrowsers();
    const third = await signIn(who);
    const { records } = (await call(node, listOwnSessions, { as: third.as })).body;
    const sessionId = records.find((row: { is_current: boolean }) => row.is_current).id;
    assert.equal((await call(node, endOwnSession, { as: here.as, params: { sessionId } })).status, 200);
    assert.deepEqual([await isKnown(who, third.device), await isKnown(who, there.device)], [false, true]);
    assert.equal((await call(node, endOtherSessions, { as: here.as })).status, 200);
    assert.deepEqual([await isKnown(who, here.device), await isKnown(who, there.device)], [true, false]);
  });

  test('with a reset of the password, and with being signed out by an admin', async () => {
    for (const end of [
      async ({ id }: TestUser) => {
        const link = { kind: 'reset' as const, userId: id, teamId: null };
        const token = await inTransaction(node.db, (trx) => addLink(trx, link));
        return call(node, resetPassword, { body: { token, new_password: 'another good password' } });
      },
      ({ id }: TestUser) => call(node, revokeSessions, { as: ours.owner, params: { teamId: ours.id, userId: id } }),
    ]) {
      const { who, here, there } = await twoBrowsers({ team: ours.id });
      assert.equal((await end(who)).status, 200);
      assert.deepEqual([await isKnown(who, here.device), await isKnown(who, there.device)], [false, false]);
    }
  });
});
