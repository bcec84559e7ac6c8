import assert from 'node:assert/strict';
import { reauthenticate } from '@steward/contract/factors/factors';
import { getMe, login, resetPassword } from '@steward/contract/session';
import { listSignIns } from '@steward/contract/users/sign-ins';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { inTransaction } from '#platform/database/database.ts';
import { call, type Reply } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { freshCode, type TestTotp, toCode, totpFactor } from '#testing/factors/factors.ts';
import { countAttempts } from '#testing/faults/count-attempts.ts';
import { settled } from '#testing/faults/wait-for-jobs.ts';
import { nameOwner } from '#testing/sessions/sessions.ts';
import { createTeamWithMembers, type SignedInUser, signedIn, type TestTeam } from '#testing/workspace/factories.ts';
import { auditRows } from '#testing/workspace/snapshot-tables.ts';
import { upsertKnownAddress } from '#workspace/access/sessions/known-devices.store.ts';
import { addLink } from '#workspace/access/sessions/links.store.ts';
import { saveTeamSecurity } from '#workspace/access/team-security.store.ts';

let node: TestApp;
let ours: TestTeam;

beforeAll(async () => {
  node = await startApp({ pool: 8 });
  ours = await createTeamWithMembers(node);
});

beforeEach(async () => {
  await sql`delete from throttles`.execute(node.db);
});

afterAll(() => node[Symbol.asyncDispose]());

interface Protected {
  who: SignedInUser;
  totp: TestTotp;
}

async function protectedUser(kind: 'owner' | 'member' = 'member'): Promise<Protected> {
  const who = await signedIn(node, { team: ours.id, kind });
  return { who, totp: await totpFactor(node, who.id) };
}

const signIn = ({ who }: Protected, token?: string, password = who.password) =>
  call(node, login, { body: { login_id: who.email, password, ...(token === undefined ? {} : { token }) } });
/** Networks from which the user signed in before: each has its own limit of passwords, but all share one limit of codes. */
async function knownNetworks({ who }: Protected, count: number): Promise<string[]> {
  const networks = Array.from({ length: count }, (_, nth) => `198.51.100.${nth + 1}`);
  await inTransaction(node.db, async (trx) => {
    for (const network of networks) await upsertKnownAddress(who.id, network, sql``).execute(trx);
  });
  return networks;
}

/** Sends the correct password with a code concurrently from every network. */
function sendFromAll(
  { who }: Protected,
  networks: readonly string[],
  { each, toToken }: { each: number; toToken: (nth: number) => string },
): Promise<Reply[]> {
  const tries = networks.flatMap((from, at) =>
    Array.from({ length: each }, (_, nth) => ({ from, nth: at * each + nth })),
  );
  return Promise.all(
    tries.map(({ from, nth }) =>
      call(node, login, { body: { login_id: who.email, password: who.password, token: toToken(nth) }, from }),
    ),
  );
}

const toResult = ({ status, body }: Reply) => [status, body.id ?? ''];
const session = async ({ who }: Protected) =>
  (
    await sql<{ method: string; mfa: boolean }>`select method, mfa_at is not null as mfa from sessions
      where person_id = ${who.id} order by id desc limit 1`.execute(node.db)
  ).rows[0];

const MISSING = [401, 'mfa.required'];
const WRONG = [401, 'mfa.wrong'];
const THROTTLED = [429, 'mfa.throttled'];

describe('signing in with a second factor', () => {
  test('needs the password first, then a code, and starts a session that has both', async () => {
    const mine = await protectedUser();
    const wrong = await signIn(mine, toCode(mine.totp.secret), 'wrong');
    assert.deepEqual(
      toResult(wrong),
      [401, 'session.bad_credentials'],
      'a right code says nothing without the password',
    );
    const missing = await signIn(mine);
    assert.deepEqual([toResult(missing), missing.setCookies], [MISSING, []]);
    const reply = await signIn(mine, await freshCode(node, mine.who.id, mine.totp.secret));
    assert.equal(reply.status, 200, reply.text);
    assert.equal(reply.body.id, mine.who.id);
    assert.deepEqual(await session(mine), { method: 'password', mfa: true });
  });

  test('takes a code with blanks and hyphens, of the step before or after, and no other', async () => {
    const mine = await protectedUser();
    const reset = () => freshCode(node, mine.who.id, mine.totp.secret);
    const code = await reset();
    assert.equal((await signIn(mine, ` ${code.slice(0, 3)}-${code.slice(3)} `)).status, 200);
    for (const steps of [-1, 1]) {
      await reset();
      assert.equal((await signIn(mine, toCode(mine.totp.secret, steps))).status, 200, `${steps}`);
    }
    await reset();
    for (const bad of [toCode(mine.totp.secret, 20), '12345', '１２３４５６', "' or 1=1 --", 'x'.repeat(200)])
      assert.deepEqual(toResult(await signIn(mine, bad)), WRONG, bad);
    assert.equal((await signIn(mine, 'x'.repeat(201))).status, 400);
    assert.deepEqual(toResult(await signIn(mine, '')), MISSING);
  });

  test('accepts each code once, also an older one after a newer', async () => {
    const mine = await protectedUser();
    const code = await freshCode(node, mine.who.id, mine.totp.secret);
    assert.equal((await signIn(mine, code)).status, 200);
    assert.deepEqual(toResult(await signIn(mine, code)), WRONG);
    assert.deepEqual(toResult(await signIn(mine, toCode(mine.totp.secret, -1))), WRONG);
  });

  test('case 22: of ten concurrent uses of one code, one succeeds', async () => {
    const mine = await protectedUser();
    const networks = await knownNetworks(mine, 2);
    const send = (token: string) => sendFromAll(mine, networks, { each: 5, toToken: () => token });
    for (const token of [await freshCode(node, mine.who.id, mine.totp.secret), mine.totp.recoveryCodes[0] ?? '']) {
      const results = (await send(token)).map(toResult);
      assert.equal(results.filter(([status]) => status === 200).length, 1, results.join(' '));
      assert.ok(results.every(([status, id]) => status === 200 || id === WRONG[1] || id === THROTTLED[1]));
      await sql`delete from throttles`.execute(node.db);
    }
  });

  test('case 22: of 20 concurrent guesses, five are checked, and then the right code is refused too', async () => {
    const mine = await protectedUser();
    const networks = await knownNetworks(mine, 4);
    const guesses = await sendFromAll(mine, networks, { each: 5, toToken: (nth) => String(100_000 + nth) });
    const results = guesses.map(toResult);
    assert.equal(results.filter(([, id]) => id === WRONG[1]).length, 5);
    assert.equal(results.filter(([, id]) => id === THROTTLED[1]).length, 15);
    const right = await signIn(mine, await freshCode(node, mine.who.id, mine.totp.secret));
    assert.deepEqual(toResult(right), THROTTLED);
    const wait = Number(right.headers['retry-after']);
    assert.ok(wait > 0 && wait <= 600, `${wait}`);
    assert.deepEqual(toResult(await signIn(mine, mine.totp.recoveryCodes[0])), THROTTLED, 'recovery codes likewise');
    await sql`update throttles set expire = 0`.execute(node.db);
    assert.equal((await signIn(mine, toCode(mine.totp.secret))).status, 200, 'the limit ends');
  });

  test('starts counting again only once password and code were right', async () => {
    const mine = await protectedUser();
    const countWrong = (codes: number) => countAttempts(node, { name: 'mfa.codes' }, mine.who.id, codes);
    await countWrong(3);
    assert.deepEqual(toResult(await signIn(mine, '000000')), WRONG);
    assert.deepEqual(toResult(await signIn(mine)), MISSING);
    assert.equal((await signIn(mine, await freshCode(node, mine.who.id, mine.totp.secret))).status, 200);
    for (let i = 0; i < 2; i += 1) assert.deepEqual(toResult(await signIn(mine, '000000')), WRONG);
    await countWrong(4);
    assert.deepEqual(toResult(await signIn(mine, '000000')), WRONG);
    assert.deepEqual(toResult(await signIn(mine, '000000')), THROTTLED);
  });

  test('counts a password whose code was missing or wrong as an attempt', async () => {
    const mine = await protectedUser();
    await countAttempts(node, { name: 'session.login' }, mine.who.email, 8);
    for (const token of [undefined, '']) assert.deepEqual(toResult(await signIn(mine, token)), MISSING);
    const [status, id] = toResult(await signIn(mine, toCode(mine.totp.secret)));
    assert.deepEqual([status, id], [401, 'session.bad_credentials']);
  });

  test('takes each recovery code once, however it is typed, and says so by email', async () => {
    const mine = await protectedUser();
    const [first = '', second = ''] = mine.totp.recoveryCodes;
    assert.match(first, /^[a-z2-7]{4}(-[a-z2-7]{4}){3}$/);
    assert.equal((await signIn(mine, first.toUpperCase().replaceAll('-', ' '))).status, 200);
    assert.deepEqual(toResult(await signIn(mine, first)), WRONG);
    assert.equal((await signIn(mine, second)).status, 200);
    const mail = await node.inbox.next(mine.who.email);
    assert.match(mail.subject, /recovery code .* was used/);
    assert.match(mail.text, /9 codes are left/);
    assert.ok(!mail.text.includes(first));
    const rows = (await auditRows(node, 'session.recovery_code_used')).filter(({ target }) => target === mine.who.id);
    assert.deepEqual(
      rows.map(({ details }) => details),
      [{ codes_left: 9 }, { codes_left: 8 }],
    );
  });

  test('doesn’t take the code of another account', async () => {
    const [mine, theirs] = [await protectedUser(), await protectedUser()];
    assert.deepEqual(toResult(await signIn(mine, toCode(theirs.totp.secret))), WRONG);
    assert.deepEqual(toResult(await signIn(mine, theirs.totp.recoveryCodes[0])), WRONG);
    assert.equal((await signIn(theirs, theirs.totp.recoveryCodes[0])).status, 200);
  });

  test('that failed is in the sign-in log and in the audit log', async () => {
    const mine = await protectedUser();
    await signIn(mine);
    await signIn(mine, '000000');
    const query = { user_id: mine.who.id };
    const { body } = await call(node, listSignIns, { as: ours.admin, params: { teamId: ours.id }, query });
    assert.deepEqual(
      body.records.map(({ outcome, method }: { outcome: string; method: string }) => [outcome, method]),
      [['second_factor', 'password']],
    );
    const rows = (await auditRows(node, 'session.sign_in_failed')).filter(({ target }) => target === mine.who.id);
    assert.deepEqual(
      rows.map(({ details }) => details),
      [{ reason: 'second_factor' }],
    );
  });

  test('case 17: a password reset leaves the second factor in place', async () => {
    const mine = await protectedUser();
    const link = { kind: 'reset' as const, userId: mine.who.id, teamId: null };
    const token = await inTransaction(node.db, (trx) => addLink(trx, link));
    const reset = await call(node, resetPassword, { body: { token, new_password: 'another good password' } });
    assert.equal(reset.status, 200);
    assert.deepEqual(toResult(await signIn(mine, undefined, 'another good password')), MISSING);
    const code = await freshCode(node, mine.who.id, mine.totp.secret);
    assert.equal((await signIn(mine, code, 'another good password')).status, 200);
  });

  test('case 23: a session starts with a new token, and the one that the browser had ends', async () => {
    const mine = await protectedUser();
    const code = await freshCode(node, mine.who.id, mine.totp.secret);
    const body = { login_id: mine.who.email, password: mine.who.password, token: code };
    const reply = await call(node, login, { as: mine.who, body });
    assert.equal(reply.status, 200);
    const [token = ''] = reply.setCookies;
    assert.match(token, /^steward_token=[\w-]{43};/);
    assert.ok(!token.includes(mine.who.token));
    assert.equal((await call(node, getMe, { as: mine.who })).status, 401);
  });

  test('a named owner enters a team that requires single sign-on, which is emailed to all owners and recorded in the audit log', async () => {
    const mine = await protectedUser('owner');
    await nameOwner(node, ours.id, mine.who.id);
    const unnamed = await protectedUser('owner');
    await inTransaction(node.db, (trx) => saveTeamSecurity(trx, ours.id, { required_connection_id: 'c'.repeat(26) }));
    const member = await protectedUser();
    for (const one of [mine, member, unnamed])
      assert.equal((await signIn(one, await freshCode(node, one.who.id, one.totp.secret))).status, 200);
    assert.deepEqual(await auditRows(node, 'sso.break_glass'), [
      { team_id: ours.id, actor_id: mine.who.id, target: mine.who.id, details: {} },
    ]);
    await settled(node);
    for (const { email } of [mine.who, ours.owner])
      assert.match((await node.inbox.next(email)).subject, /an owner signed in without single sign-on/);
    assert.deepEqual(node.inbox.waiting(ours.admin.email), []);
    await inTransaction(node.db, (trx) => saveTeamSecurity(trx, ours.id, { required_connection_id: null }));
  });
});

describe('a code that was typed or pasted', () => {
  const arabic = (code: string) => code.replace(/\d/g, (digit) => '٠١٢٣٤٥٦٧٨٩'[Number(digit)] ?? '');
  const persian = (code: string) => code.replace(/\d/g, (digit) => '۰۱۲۳۴۵۶۷۸۹'[Number(digit)] ?? '');
  const wide = (code: string) => code.replace(/[!-~]/g, (sign) => String.fromCodePoint(sign.charCodeAt(0) + 0xfee0));
  const pasted = (code: string) => `\u200f${code.slice(0, 3)}\u2013${code.slice(3)}\ufeff`;

  test('is accepted in the digits of every keyboard, with blanks, hyphens and invisible marks', async () => {
    const protectedOne = await protectedUser();
    const { who, totp } = protectedOne;
    for (const type of [arabic, persian, wide, pasted]) {
      const token = type(await freshCode(node, who.id, totp.secret));
      assert.equal((await signIn(protectedOne, token)).status, 200, token);
      const body = { password: who.password, token: type(await freshCode(node, who.id, totp.secret)) };
      assert.equal((await call(node, reauthenticate, { as: who, body })).status, 200, body.token);
    }
    const [first = '', second = ''] = totp.recoveryCodes;
    assert.equal((await signIn(protectedOne, wide(first))).status, 200);
    assert.equal((await signIn(protectedOne, `\u200b${second.toUpperCase()}`)).status, 200);
  });

  test('is none if nothing visible is left of it', async () => {
    for (const token of ['', ' ', '\u200b-\ufeff'])
      assert.deepEqual(toResult(await signIn(await protectedUser(), token)), [401, 'mfa.required']);
  });
});
