import assert from 'node:assert/strict';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import {
  addPasskey,
  addPasskeyOptions,
  getFactors,
  reauthenticate,
  removePasskey,
} from '@steward/contract/factors/factors';
import { getMe, login } from '@steward/contract/session';
import { getPasskeyOptions, loginWithPasskey } from '@steward/contract/session/passkey';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { inTransaction } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import { call, type Reply } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { type Authenticator, createAuthenticator } from '#testing/factors/authenticator.ts';
import { countAttempts } from '#testing/faults/count-attempts.ts';
import { authenticated, nameOwner } from '#testing/sessions/sessions.ts';
import { type SignedInUser, signedIn, signIn, team } from '#testing/workspace/factories.ts';
import { auditRows } from '#testing/workspace/snapshot-tables.ts';
import { isOwnChallenge, newChallenge } from '#workspace/access/factors/challenges.ts';
import { saveTeamSecurity } from '#workspace/access/team-security.store.ts';

const ORIGIN = 'http://steward.test';

let node: TestApp;

beforeAll(async () => {
  node = await startApp();
});

beforeEach(async () => {
  await sql`delete from throttles`.execute(node.db);
});

afterAll(() => node[Symbol.asyncDispose]());

const toResult = ({ status, body }: Reply) => [status, body.id ?? ''];
const REFUSED = [401, 'passkey.refused'];
const NOT_CREATED = [400, 'passkey.not_created'];

const creationOptions = async (as: SignedInUser) => (await call(node, addPasskeyOptions, { as })).body.options;
const options = async (as?: SignedInUser) => (await call(node, getPasskeyOptions, { as })).body.options;
const add = (as: SignedInUser, response: unknown, name = 'My laptop') =>
  call(node, addPasskey, { as, body: { name, response } });
const use = (response: unknown, as?: { cookie: string }) => call(node, loginWithPasskey, { as, body: { response } });

interface Holder {
  who: SignedInUser;
  key: Authenticator;
  codes: string[];
}

async function holder(given: { who?: SignedInUser; counts?: boolean } = {}): Promise<Holder> {
  const { who = await signedIn(node), counts = true } = given;
  const key = createAuthenticator({ origin: ORIGIN, userHandle: who.id }, { counts });
  const reply = await add(who, key.create(await creationOptions(who)));
  assert.equal(reply.status, 200, reply.text);
  return { who, key, codes: reply.body.recovery_codes };
}

describe('a passkey', () => {
  test('is created for the account, listed by its name, and is a second factor', async () => {
    const who = await signedIn(node);
    const request = await creationOptions(who);
    assert.partialDeepStrictEqual(request, {
      rp: { id: 'steward.test', name: 'Steward' },
      user: { id: Buffer.from(who.id).toString('base64url'), name: who.email, displayName: 'Some Body' },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      timeout: 300_000,
    });
    const key = createAuthenticator({ origin: ORIGIN });
    const { body } = await add(who, key.create(request), '  My \n laptop ');
    assert.equal(body.passkey.name, 'My laptop');
    assert.equal(body.recovery_codes.length, 10);
    const factors = (await call(node, getFactors, { as: who })).body;
    assert.deepEqual(factors.passkeys, [body.passkey]);
    assert.deepEqual([factors.totp, factors.recovery_codes_left, body.passkey.last_used_at], [false, 10, null]);
    const credentials = { login_id: who.email, password: who.password };
    assert.deepEqual(toResult(await call(node, login, { body: credentials })), [401, 'mfa.required']);
    const [code] = body.recovery_codes;
    assert.equal((await call(node, login, { body: { ...credentials, token: code } })).status, 200);
    assert.match((await node.inbox.next(who.email)).subject, /^A passkey was added/);
    const rows = (await auditRows(node, 'session.factor_added')).filter(({ target }) => target === who.id);
    assert.deepEqual(
      rows.map(({ details }) => details),
      [{ factor: 'passkey' }],
    );
    const second = await creationOptions(who);
    assert.deepEqual(
      second.excludeCredentials.map(({ id }: { id: string }) => id),
      [key.credentialId],
    );
  });

  test('signs in without an email address, with a second factor', async () => {
    const { who, key } = await holder();
    const request = await options();
    assert.partialDeepStrictEqual(request, { rpId: 'steward.test', userVerification: 'required', timeout: 300_000 });
    assert.equal(request.allowCredentials, undefined);
    const reply = await use(key.use(request), who);
    assert.equal(reply.status, 200, reply.text);
    assert.equal(reply.body.id, who.id);
    assert.equal(reply.setCookies.length, 3);
    assert.equal((await call(node, getMe, { as: who })).status, 401, 'the session that the browser had ended');
    const { rows } = await sql<{ method: string; mfa: boolean }>`select method, mfa_at is not null as mfa from sessions
      where person_id = ${who.id}`.execute(node.db);
    assert.deepEqual(rows, [{ method: 'passkey', mfa: true }]);
    const signIns = await sql`select outcome, method from sign_ins where person_id = ${who.id}`.execute(node.db);
    assert.deepEqual(signIns.rows, [{ outcome: 'ok', method: 'passkey' }]);
    const as = await signIn(node, who);
    assert.ok((await call(node, getFactors, { as })).body.passkeys[0].last_used_at > 0);
  });

  test('is removed, and no longer signs in', async () => {
    const { who, key } = await holder();
    const { passkeys } = (await call(node, getFactors, { as: who })).body;
    const remove = (as: SignedInUser, passkeyId: string) => call(node, removePasskey, { as, params: { passkeyId } });
    assert.deepEqual(toResult(await remove(who, newId())), [404, 'record.not_found']);
    assert.equal((await remove(who, 'x')).status, 400);
    assert.equal((await remove(who, passkeys[0].id)).status, 200);
    assert.deepEqual(toResult(await use(key.use(await options()))), REFUSED);
    const left = (await call(node, getFactors, { as: who })).body;
    assert.deepEqual([left.passkeys, left.recovery_codes_left], [[], 0]);
  });

  test('confirms who holds a session, if it is theirs', async () => {
    const { who, key } = await holder();
    const other = await holder();
    await authenticated(node, who, 11);
    const confirm = (response: unknown) => call(node, reauthenticate, { as: who, body: { response } });
    const request = await options(who);
    assert.deepEqual(
      request.allowCredentials.map(({ id }: { id: string }) => id),
      [key.credentialId],
    );
    assert.deepEqual(toResult(await confirm(other.key.use(await options()))), REFUSED);
    const response = key.use(request);
    assert.equal((await confirm(response)).status, 200);
    assert.deepEqual(toResult(await confirm(response)), REFUSED, 'once');
    assert.ok((await call(node, addPasskeyOptions, { as: who })).status === 200);
    const rows = (await auditRows(node, 'session.reauthenticated')).filter(({ target }) => target === who.id);
    assert.deepEqual(rows[0]?.details, { reauth_method: 'passkey' });
  });

  test('of a named owner opens a team that requires single sign-on, and its owners are informed', async () => {
    const teamId = await team(node);
    const { key, who } = await holder({ who: await signedIn(node, { team: teamId, kind: 'owner' }) });
    await nameOwner(node, teamId, who.id);
    await inTransaction(node.db, (trx) => saveTeamSecurity(trx, teamId, { required_connection_id: 'c'.repeat(26) }));
    assert.equal((await use(key.use(await options()))).status, 200);
    const rows = (await auditRows(node, 'sso.break_glass')).filter(({ team_id }) => team_id === teamId);
    assert.equal(rows.length, 1);
  });

  test('can’t be created at a server that is opened by an IP address', async () => {
    await using byAddress = await startApp({ beside: node, work: false, env: { PUBLIC_URL: 'http://192.0.2.1:8065' } });
    const who = await signedIn(byAddress);
    assert.equal((await call(byAddress, getFactors, { as: who })).body.passkeys_supported, false);
    for (const endpoint of [addPasskeyOptions, getPasskeyOptions])
      assert.deepEqual(toResult(await call(byAddress, endpoint, { as: who })), [409, 'passkey.unsupported']);
  });
});

describe('a passkey is refused', () => {
  test('that another session of the user began to create', async () => {
    const who = await signedIn(node);
    const response = createAuthenticator({ origin: ORIGIN }).create(await creationOptions(await signIn(node, who)));
    assert.deepEqual(toResult(await add(who, response)), NOT_CREATED);
  });

  test('case 9: if it was used or created at another origin, or for another host', async () => {
    const { key, who } = await holder();
    for (const ceremony of [
      { origin: 'http://steward.test.evil.test' },
      { origin: 'https://steward.test' },
      { origin: 'http://steward.test:81' },
      { rpId: 'evil.test' },
      { type: 'webauthn.create' },
    ]) {
      assert.deepEqual(toResult(await use(key.use(await options(), ceremony))), REFUSED, JSON.stringify(ceremony));
      const created = createAuthenticator({ origin: ORIGIN });
      const wrong = ceremony.type ? { type: 'webauthn.get' } : ceremony;
      assert.deepEqual(toResult(await add(who, created.create(await creationOptions(who), wrong))), NOT_CREATED);
    }
    assert.equal((await use(key.use(await options()))).status, 200);
  });

  test('if its owner didn’t unlock it', async () => {
    const { key, who } = await holder();
    assert.deepEqual(toResult(await use(key.use(await options(), { isUnlocked: false }))), REFUSED);
    const created = createAuthenticator({ origin: ORIGIN });
    const response = created.create(await creationOptions(who), { isUnlocked: false });
    assert.deepEqual(toResult(await add(who, response)), NOT_CREATED);
  });

  test('if its challenge was used, has expired, was invented, or is for something else', async () => {
    const { key, who } = await holder();
    const stranger = await signedIn(node);
    const request = await options();
    assert.equal((await use(key.use(request))).status, 200);
    assert.deepEqual(toResult(await use(key.use(request))), REFUSED, 'used');
    const as = await signIn(node, who);
    await sql`update sessions set mfa_at = now() where person_id = ${who.id}`.execute(node.db);
    const { secrets } = node.deps;
    const late = newChallenge(secrets, { kind: 'use' }, Date.now() - 301_000).toString('base64url');
    const forged = Buffer.from(request.challenge, 'base64url');
    forged[3] = (forged[3] ?? 0) ^ 1;
    for (const challenge of [late, forged.toString('base64url'), 'AAAA', (await creationOptions(as)).challenge])
      assert.deepEqual(toResult(await use(key.use({ challenge }))), REFUSED);
    for (const challenge of [late, (await options()).challenge, (await creationOptions(stranger)).challenge])
      assert.deepEqual(
        toResult(await add(as, createAuthenticator({ origin: ORIGIN }).create({ challenge }))),
        NOT_CREATED,
      );
    const once = createAuthenticator({ origin: ORIGIN });
    const creation = await creationOptions(as);
    assert.equal((await add(as, once.create(creation))).status, 200);
    assert.deepEqual(toResult(await add(as, createAuthenticator({ origin: ORIGIN }).create(creation))), NOT_CREATED);
  });

  test('if its counter doesn’t rise, unless it never counts', async () => {
    const { key } = await holder();
    assert.equal((await use(key.use(await options(), { counter: 9 }))).status, 200);
    for (const counter of [9, 8, 0])
      assert.deepEqual(toResult(await use(key.use(await options(), { counter }))), REFUSED, `${counter}`);
    assert.equal((await use(key.use(await options(), { counter: 10 }))).status, 200);
    const synced = await holder({ counts: false });
    for (let i = 0; i < 2; i += 1) assert.equal((await use(synced.key.use(await options()))).status, 200);
  });

  test('if one signature is sent many times concurrently, all times but one', async () => {
    const { key } = await holder({ counts: false });
    const response = key.use(await options());
    const replies = await Promise.all(Array.from({ length: 10 }, () => use(response)));
    assert.equal(replies.filter(({ status }) => status === 200).length, 1);
  });

  test('if it is unknown, another’s, signed by another key, or belongs to another account than it says', async () => {
    const [mine, other] = [await holder(), await holder()];
    const stranger = createAuthenticator({ origin: ORIGIN });
    assert.deepEqual(toResult(await use(stranger.use(await options()))), REFUSED);
    const request = await options();
    const { id, rawId } = mine.key.use(request);
    assert.deepEqual(toResult(await use({ ...other.key.use(request), id, rawId })), REFUSED);
    const response = mine.key.use(await options());
    const userHandle = Buffer.from(other.who.id).toString('base64url');
    assert.deepEqual(toResult(await use({ ...response, response: { ...response.response, userHandle } })), REFUSED);
    const again = await add(other.who, mine.key.create(await creationOptions(other.who)));
    assert.deepEqual(toResult(again), NOT_CREATED, 'registered by someone else');
  });

  test('if it isn’t shaped like one', async () => {
    const { key, who } = await holder();
    const response = key.use(await options());
    for (const bad of [
      null,
      {},
      [],
      { ...response, type: 'x' },
      { ...response, id: '../x' },
      { ...response, response: { ...response.response, signature: 'a b' } },
      { ...response, response: { ...response.response, clientDataJSON: 7 } },
      { ...response, id: 'a'.repeat(1_401) },
    ])
      assert.deepEqual(toResult(await use(bad)), [400, 'request.invalid'], JSON.stringify(bad).slice(0, 80));
    for (const name of ['', ' ', 'x'.repeat(101), '\u200b']) {
      const created = createAuthenticator({ origin: ORIGIN }).create(await creationOptions(who));
      assert.deepEqual(toResult(await add(who, created, name)), [400, 'request.invalid'], name);
    }
    const garbage = { ...response, response: { ...response.response, authenticatorData: 'AAAA', signature: 'AAAA' } };
    assert.deepEqual(toResult(await use(garbage)), REFUSED);
  });

  test('after a hundred refusals of its network, with a limit', async () => {
    const stranger = createAuthenticator({ origin: ORIGIN });
    const response = stranger.use(await options());
    await countAttempts(node, { name: 'session.passkey' }, '127.0.0.1', 98);
    for (let i = 0; i < 2; i += 1) assert.deepEqual(toResult(await use(response)), REFUSED);
    assert.deepEqual(toResult(await use(response)), [429, 'rate.limited']);
    const { key } = await holder();
    const elsewhere = { body: { response: key.use(await options()) }, from: '198.51.100.7' };
    assert.equal((await call(node, loginWithPasskey, elsewhere)).status, 200);
  });

  test('if its key is so long that verifying with it takes time', async () => {
    const who = await signedIn(node);
    const key = createAuthenticator({ origin: ORIGIN, userHandle: who.id });
    const toRsaKey = (bits: number) =>
      isoCBOR.encode(
        new Map<number, number | Uint8Array>([
          [1, 3],
          [3, -257],
          [-1, Buffer.alloc(bits / 8, 255)],
          [-2, Buffer.from([1, 0, 1])],
        ]),
      );
    const create = async (bits: number) => add(who, key.create(await creationOptions(who), { key: toRsaKey(bits) }));
    assert.deepEqual(toResult(await create(8192)), NOT_CREATED);
    assert.equal((await create(4096)).status, 200);
  });

  test('if the account has twenty', async () => {
    const { who } = await holder();
    await sql`insert into passkeys select 'x' || i || ${newId().slice(4)}, ${who.id}, ${who.id} || i, 'k', 0, '{}',
      'singleDevice', false, 'n' from generate_series(10, 28) i`.execute(node.db);
    const created = createAuthenticator({ origin: ORIGIN }).create(await creationOptions(who));
    assert.deepEqual(toResult(await add(who, created)), [409, 'mfa.too_many_passkeys']);
  });
});

test('a challenge is bound to what it is for', () => {
  const { secrets } = node.deps;
  const create = { kind: 'create', sessionId: 'one' } as const;
  const challenge = newChallenge(secrets, create).toString('base64url');
  assert.ok(isOwnChallenge(secrets, challenge, { purpose: create }));
  assert.ok(!isOwnChallenge(secrets, challenge, { purpose: { ...create, sessionId: 'another' } }));
  assert.ok(!isOwnChallenge(secrets, challenge, { purpose: { kind: 'use' } }));
  assert.ok(!isOwnChallenge(secrets, challenge, { purpose: create, now: Date.now() + 301_000 }));
});
