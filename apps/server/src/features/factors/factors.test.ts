import assert from 'node:assert/strict';
import {
  addTotp,
  confirmTotp,
  getFactors,
  reauthenticate,
  removePasskey,
  removeTotp,
  renewRecoveryCodes,
} from '@steward/contract/factors/factors';
import { login } from '@steward/contract/session';
import { listUsers } from '@steward/contract/users';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { inTransaction } from '#platform/database/database.ts';
import { resealRows } from '#platform/security/reseal.ts';
import { createSecrets, hashToken } from '#platform/security/secrets.ts';
import { call, type Reply } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { searchTables } from '#testing/database/dump-database.ts';
import { freshCode, passkey, toCode, totpFactor } from '#testing/factors/factors.ts';
import { nameOwner } from '#testing/sessions/sessions.ts';
import { deactivate, join, type SignedInUser, signedIn, signIn, team } from '#testing/workspace/factories.ts';
import { auditRows } from '#testing/workspace/snapshot-tables.ts';
import { readCode } from '#workspace/access/factors/codes.ts';
import { totpSecrets } from '#workspace/access/factors/factors.store.ts';
import { saveTeamSecurity } from '#workspace/access/team-security.store.ts';

let node: TestApp;

beforeAll(async () => {
  node = await startApp();
});

afterAll(() => node[Symbol.asyncDispose]());

const toResult = ({ status, body }: Reply) => [status, body.id ?? ''];
const NOTHING = {
  totp: false,
  passkeys: [],
  recovery_codes_left: 0,
  passkeys_supported: true,
  reauth_url: null,
  reauth_provider: null,
  covers_account: true,
};
const factors = async (as: SignedInUser) => (await call(node, getFactors, { as })).body;

/** Sets up an authenticator app through the API. */
async function setUp(as: SignedInUser): Promise<{ secret: string; codes: string[] }> {
  const started = await call(node, addTotp, { as });
  assert.equal(started.status, 200, started.text);
  const { secret } = started.body;
  const reply = await call(node, confirmTotp, { as, body: { token: toCode(secret) } });
  assert.equal(reply.status, 200, reply.text);
  return { secret, codes: reply.body.recovery_codes };
}

const personal = async (action: Parameters<typeof auditRows>[1], who: SignedInUser) =>
  (await auditRows(node, action)).filter(({ target }) => target === who.id);
const hasFactorInSession = async (who: SignedInUser) =>
  (
    await sql<{ mfa: boolean }>`select mfa_at is not null as mfa from sessions where person_id = ${who.id}`.execute(
      node.db,
    )
  ).rows.map(({ mfa }) => mfa);

describe('an authenticator app', () => {
  test('is confirmed only in the session that set it up', async () => {
    const who = await signedIn(node);
    const stolen = await signIn(node, who);
    const { secret } = (await call(node, addTotp, { as: stolen })).body;
    const token = toCode(secret);
    await sql`delete from sessions where token_hash = ${hashToken(stolen.token)}`.execute(node.db);
    assert.deepEqual(toResult(await call(node, confirmTotp, { as: who, body: { token } })), [409, 'mfa.not_started']);
    assert.equal((await factors(who)).totp, false);
  });

  test('is set up with a code of it, and counts from then on', async () => {
    const who = await signedIn(node);
    assert.deepEqual(await factors(who), NOTHING);
    const { body } = await call(node, addTotp, { as: who });
    assert.match(body.secret, /^[A-Z2-7]{32}$/);
    const uri = new URL(body.uri);
    assert.equal(uri.protocol, 'otpauth:');
    assert.deepEqual([uri.searchParams.get('secret'), uri.searchParams.get('issuer')], [body.secret, 'Steward']);
    assert.ok(decodeURIComponent(uri.pathname).includes(who.email));
    assert.deepEqual(await factors(who), NOTHING, 'not yet');
    const credentials = { login_id: who.email, password: who.password };
    assert.equal((await call(node, login, { body: credentials })).status, 200, 'not needed yet');
    const reply = await call(node, confirmTotp, { as: who, body: { token: toCode(body.secret) } });
    assert.equal(reply.status, 200, reply.text);
    assert.equal(new Set(reply.body.recovery_codes).size, 10);
    assert.deepEqual(await factors(who), { ...NOTHING, totp: true, recovery_codes_left: 10 });
    assert.equal((await call(node, login, { body: credentials })).body.id, 'mfa.required');
    assert.equal((await node.inbox.next(who.email)).subject, 'An authenticator app was added to your Steward account');
    const [row] = await personal('session.factor_added', who);
    assert.deepEqual(row, { team_id: '', actor_id: who.id, target: who.id, details: { factor: 'totp' } });
  });

  test('gives the session that set it up a second factor, and no other', async () => {
    const who = await signedIn(node);
    await signIn(node, who);
    await setUp(who);
    assert.deepEqual((await hasFactorInSession(who)).sort(), [false, true]);
  });

  test('isn’t set up by a wrong code, by one of an earlier secret, or without a secret; each can be tried again', async () => {
    const who = await signedIn(node);
    const confirm = async (token: unknown) => toResult(await call(node, confirmTotp, { as: who, body: { token } }));
    assert.deepEqual(await confirm('123456'), [409, 'mfa.not_started']);
    const first = (await call(node, addTotp, { as: who })).body.secret;
    const second = (await call(node, addTotp, { as: who })).body.secret;
    assert.notEqual(first, second);
    for (const wrong of [toCode(first), toCode(second, 9), 'abcdef', '12345', `${'a'.repeat(16)}`])
      assert.deepEqual(await confirm(wrong), [401, 'mfa.wrong'], wrong);
    for (const bad of ['', 7, null, ['1'], { $ne: '' }, 'x'.repeat(201), 'x\0'])
      assert.deepEqual(await confirm(bad), [400, 'request.invalid'], JSON.stringify(bad));
    assert.deepEqual(await factors(who), NOTHING);
    assert.deepEqual(await confirm(toCode(second)), [200, '']);
    assert.deepEqual(await confirm(toCode(second)), [409, 'mfa.not_started']);
    assert.deepEqual(toResult(await call(node, addTotp, { as: who })), [409, 'mfa.already_set_up']);
  });

  test('must be confirmed within an hour', async () => {
    const who = await signedIn(node);
    const { secret } = (await call(node, addTotp, { as: who })).body;
    await sql`update totp_factors set created_at = now() - interval '61 minutes' where person_id = ${who.id}`.execute(
      node.db,
    );
    const reply = await call(node, confirmTotp, { as: who, body: { token: toCode(secret) } });
    assert.deepEqual(toResult(reply), [409, 'mfa.not_started']);
  });

  test('can’t be signed in with by the code that set it up', async () => {
    const who = await signedIn(node);
    const { secret } = await setUp(who);
    const body = { login_id: who.email, password: who.password, token: toCode(secret) };
    assert.deepEqual(toResult(await call(node, login, { body })), [401, 'mfa.wrong']);
  });

  test('is removed with its recovery codes, after which the password is enough', async () => {
    const who = await signedIn(node);
    await setUp(who);
    await node.inbox.next(who.email);
    assert.equal((await call(node, removeTotp, { as: who })).status, 200);
    assert.deepEqual(await factors(who), NOTHING);
    assert.match((await node.inbox.next(who.email)).subject, /was removed from your Steward account/);
    assert.deepEqual((await personal('session.factor_removed', who))[0]?.details, { factor: 'totp' });
    assert.deepEqual(toResult(await call(node, removeTotp, { as: who })), [404, 'record.not_found']);
    const body = { login_id: who.email, password: who.password };
    assert.equal((await call(node, login, { body })).status, 200);
  });

  test('and recovery codes leave no secret in any table', async () => {
    const who = await signedIn(node);
    const { secret, codes } = await setUp(who);
    for (const text of [secret, ...codes, ...codes.map((code) => code.replaceAll('-', ''))])
      assert.deepEqual(await searchTables(node, text), []);
  });

  test('still works after SECRET_KEY was replaced', async () => {
    const who = await signedIn(node);
    const { secret } = await totpFactor(node, who.id);
    const [oldKey, newKey] = ['5e'.repeat(32), 'c7'.repeat(32)];
    const [count = 0] = (
      await sql<{ n: number }>`select count(*)::int as n from totp_factors`.execute(node.db)
    ).rows.map(({ n }) => n);
    const wrong = await resealRows(node.db, createSecrets(newKey), totpSecrets);
    assert.deepEqual(wrong, { resealed: 0, unreadable: count });
    assert.deepEqual(await resealRows(node.db, createSecrets(newKey, oldKey), totpSecrets), {
      resealed: count,
      unreadable: 0,
    });
    await using other = await startApp({ beside: node, work: false, secretKey: newKey });
    const body = { login_id: who.email, password: who.password, token: await freshCode(node, who.id, secret) };
    assert.equal((await call(other, login, { body })).status, 200);
    const again = { ...body, token: await freshCode(node, who.id, secret) };
    assert.deepEqual(toResult(await call(node, login, { body: again })), [401, 'mfa.wrong']);
    await resealRows(node.db, createSecrets(oldKey, newKey), totpSecrets);
  });
});

describe('recovery codes', () => {
  test('are replaced together, shown once, and mailed about', async () => {
    const who = await signedIn(node);
    assert.deepEqual(toResult(await call(node, renewRecoveryCodes, { as: who })), [409, 'mfa.not_set_up']);
    const { codes } = await setUp(who);
    await node.inbox.next(who.email);
    const { body } = await call(node, renewRecoveryCodes, { as: who });
    assert.equal(body.recovery_codes.length, 10);
    assert.equal(new Set([...codes, ...body.recovery_codes]).size, 20);
    assert.match((await node.inbox.next(who.email)).subject, /^New recovery codes/);
    assert.equal((await personal('session.recovery_codes_renewed', who)).length, 1);
    const credentials = { login_id: who.email, password: who.password };
    const use = async (token: string) => toResult(await call(node, login, { body: { ...credentials, token } }))[1];
    assert.equal(await use(codes[0] ?? ''), 'mfa.wrong');
    assert.equal(await use(body.recovery_codes[0]), who.id);
  });

  test('are read as someone types them', () => {
    const recovery = { kind: 'recovery', code: 'abcd2345efgh67xy' };
    for (const typed of ['abcd-2345-efgh-67xy', ' ABCD 2345 EFGH 67XY ', 'abcd2345efgh67xy', 'abcd–2345–efgh–67xy'])
      assert.deepEqual(readCode(typed), recovery, typed);
    for (const typed of ['123 456', '１２３４５６', '۱۲۳-۴۵۶', '\u200f١٢٣٤٥٦\ufeff'])
      assert.deepEqual(readCode(typed), { kind: 'totp', code: '123456' }, typed);
    for (const typed of ['', '1234567', 'abcd-2345-efgh-67x', 'abcd-2345-efgh-67x1', '12345６７'])
      assert.deepEqual(readCode(typed), { kind: 'neither' }, typed);
  });
});

describe('a change of second factors', () => {
  const CHANGES = [addTotp, confirmTotp, removeTotp, renewRecoveryCodes];

  test('needs the factor where there is one, also in a session that began before it', async () => {
    const who = await signedIn(node);
    const before = await signIn(node, who);
    const { codes } = await setUp(who);
    for (const endpoint of CHANGES)
      assert.deepEqual(toResult(await call(node, endpoint, { as: before, body: {} })), [
        403,
        'session.reauth_required',
      ]);
    const confirm = (body: object) => call(node, reauthenticate, { as: before, body });
    assert.deepEqual(toResult(await confirm({ password: who.password })), [401, 'mfa.required']);
    assert.equal((await confirm({ password: who.password, token: codes[0] })).status, 200);
    assert.equal((await call(node, removeTotp, { as: before })).status, 200);
  });

  test('isn’t open to single sign-on, which only reads whether there are factors', async () => {
    const teamId = await team(node);
    const who = await signedIn(node, { team: teamId });
    await sql`update sessions set method = 'sso', team_id = ${teamId}, connection_id = ${'c'.repeat(26)}
      where person_id = ${who.id}`.execute(node.db);
    for (const endpoint of CHANGES)
      assert.deepEqual(toResult(await call(node, endpoint, { as: who, body: {} })), [403, 'session.team_only']);
    const reauth_url = `/auth/oidc/${'c'.repeat(26)}/start?reauth=1`;
    assert.deepEqual(await factors(who), { ...NOTHING, reauth_url });
    const connection = { team_id: teamId, id: 'c'.repeat(26), name: 'Company ID', issuer: 'x', client_id: 'x' };
    await node.db.insertInto('sso_connections').values(connection).execute();
    assert.equal((await factors(who)).reauth_provider, 'Company ID');
    await passkey(node, who.id, 'http://steward.test');
    assert.deepEqual((await factors(who)).passkeys, []);
    const otherTeam = await team(node);
    await join(node, otherTeam, who.id);
    assert.equal((await factors(who)).covers_account, false);
    await deactivate(node, otherTeam, who.id);
    assert.equal((await factors(who)).covers_account, false);
    const reply = await call(node, reauthenticate, { as: who, body: { password: who.password } });
    assert.deepEqual([...toResult(reply), reply.body.sso_url], [403, 'session.reauth_sso', reauth_url]);
  });

  test('opens no team that requires single sign-on, when the session that made it could not enter (case 27)', async () => {
    const teamId = await team(node);
    const [owner, other] = [
      await signedIn(node, { team: teamId, kind: 'owner' }),
      await signedIn(node, { team: teamId, kind: 'owner' }),
    ];
    await inTransaction(node.db, (trx) => saveTeamSecurity(trx, teamId, { required_connection_id: 'c'.repeat(26) }));
    const list = async () => (await call(node, listUsers, { as: owner, params: { teamId } })).body.id;
    assert.equal(await list(), 'sso.required');
    await setUp(owner);
    assert.equal(await list(), 'sso.required');
    assert.deepEqual(
      (await auditRows(node, 'sso.break_glass')).filter(({ team_id }) => team_id === teamId),
      [],
    );
    assert.deepEqual(node.inbox.waiting(other.email), []);
    // Whoever removes the last factor is no longer named, so a new one proves nothing.
    await nameOwner(node, teamId, owner.id);
    assert.equal(await list(), undefined);
    assert.equal((await call(node, removeTotp, { as: owner })).status, 200);
    assert.equal(await list(), 'sso.required');
    await setUp(owner);
    assert.equal(await list(), 'sso.required');
  });

  test('that removes the only one ends what sessions proved with it', async () => {
    const teamId = await team(node);
    const owner = await signedIn(node, { team: teamId, kind: 'owner' });
    await inTransaction(node.db, (trx) => saveTeamSecurity(trx, teamId, { require_mfa: 'everyone' }));
    const list = async () => (await call(node, listUsers, { as: owner, params: { teamId } })).body.id;
    await setUp(owner);
    const { id } = await passkey(node, owner.id, 'http://steward.test');
    assert.equal((await call(node, removePasskey, { as: owner, params: { passkeyId: id } })).status, 200);
    assert.equal(await list(), undefined, 'another factor is left');
    assert.equal((await call(node, removeTotp, { as: owner })).status, 200);
    assert.equal(await list(), 'mfa.enroll_required');
    await setUp(owner);
    assert.equal(await list(), undefined);
  });
});
