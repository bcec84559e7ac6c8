import assert from 'node:assert/strict';
import {
  addPasskey,
  addPasskeyOptions,
  addTotp,
  confirmTotp,
  reauthenticate,
  renewRecoveryCodes,
} from '@steward/contract/factors/factors';
import { addScimToken } from '@steward/contract/scim';
import { login } from '@steward/contract/session';
import { getPasskeyOptions, loginWithPasskey } from '@steward/contract/session/passkey';
import { saveSso, testSso } from '@steward/contract/sso/connection';
import { sql } from 'kysely';
import { afterAll, beforeAll, test } from 'vitest';
import { newId } from '#platform/database/ids.ts';
import { call, type Reply, send } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { dumpDatabase } from '#testing/database/dump-database.ts';
import { createAuthenticator } from '#testing/factors/authenticator.ts';
import { freshCode, toCode } from '#testing/factors/factors.ts';
import { type OidcPeer, startOidcPeer } from '#testing/peers/oidc-peer.ts';
import { buildUser, scim, toPatch } from '#testing/peers/scim.ts';
import { browser, getError, provedDomain, signInAtProvider } from '#testing/sso/sso.ts';
import { createTeamWithMembers, type SignedInUser, type TestTeam } from '#testing/workspace/factories.ts';

const LOGOUT = 'http://schemas.openid.net/event/backchannel-logout';

/** Secrets that must not be found, each with its name. */
type Secrets = Map<string, string>;

let node: TestApp;
let peer: OidcPeer;
let ours: TestTeam;

beforeAll(async () => {
  node = await startApp({ env: { SSO_ALLOW_LOOPBACK: '1' } });
  peer = await startOidcPeer();
  ours = await createTeamWithMembers(node);
});
afterAll(async () => {
  await peer[Symbol.asyncDispose]();
  await node[Symbol.asyncDispose]();
});

/** A secret in every spelling in which a log line or a row could have it. */
function spell(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const inBase64 = [0, 1, 2].flatMap((offset) => {
    const padded = Buffer.concat([Buffer.alloc(offset), bytes]);
    const drop = (text: string) => text.replaceAll('=', '').slice(4, -3);
    return [drop(padded.toString('base64')), drop(padded.toString('base64url'))];
  });
  // Tokens are base64url and secrets of apps are Base32: what they decode to would be a secret too.
  const raw = /^[\w-]{40,}$/.test(secret) ? Buffer.from(secret, 'base64url') : Buffer.alloc(0);
  const inHex = [bytes, raw].map((each) => each.toString('hex'));
  return [
    secret,
    secret.toLowerCase(),
    encodeURIComponent(secret),
    ...inBase64,
    ...inHex,
    raw.toString('base64'),
  ].filter(({ length }) => length > 9);
}

/** Returns the names of each secret found and its place. Codes of six digits could be part of another number. */
function findSecrets(secrets: Secrets, places: Record<string, string>): string[] {
  return Object.entries(places).flatMap(([place, text]) =>
    [...secrets].flatMap(([secret, name]) => {
      const isFound = /^\d{6}$/.test(secret)
        ? new RegExp(`(?<![\\w.:-])${secret}(?![\\w.:-])`).test(text)
        : spell(secret).some((spelling) => text.includes(spelling));
      return isFound ? [`${name} in ${place}`] : [];
    }),
  );
}

const done = (reply: Reply, status = 200): Reply => {
  assert.equal(reply.status, status, reply.text);
  return reply;
};
/** Keeps the session and device tokens that a response sets. */
const keepCookies = (secrets: Secrets, reply: Reply, what: string): Reply => {
  for (const line of reply.setCookies) {
    const [, name = '', value = ''] = /^(steward_\w+)=([^;]*)/.exec(line) ?? [];
    if (value.length >= 40) secrets.set(value, `the ${name} cookie of ${what}`);
  }
  return reply;
};
const keyed = () => ({ headers: { 'idempotency-key': newId() } });

/** Uses an authenticator app and recovery codes, also wrongly. */
async function useApp(secrets: Secrets, who: SignedInUser): Promise<void> {
  const { body } = done(await call(node, addTotp, { as: who, ...keyed() }));
  secrets.set(body.secret, 'the secret of an authenticator app');
  const code = toCode(body.secret);
  secrets.set(code, 'a code');
  const confirmed = done(await call(node, confirmTotp, { as: who, body: { token: code }, ...keyed() }));
  const codes: string[] = confirmed.body.recovery_codes;
  const renewed = done(await call(node, renewRecoveryCodes, { as: who, ...keyed() })).body.recovery_codes as string[];
  for (const each of [...codes, ...renewed]) {
    secrets.set(each, 'a recovery code');
    secrets.set(each.replaceAll('-', ''), 'a recovery code without hyphens');
  }
  const signIn = async (token: string | undefined, status: number) => {
    const credentials = { login_id: who.email, password: who.password, ...(token !== undefined && { token }) };
    keepCookies(secrets, done(await call(node, login, { body: credentials }), status), 'a password');
    if (token !== undefined) secrets.set(token, 'a code that was sent');
  };
  await signIn(undefined, 401);
  await signIn('271828', 401);
  await signIn(codes[0] ?? '', 401);
  await signIn(renewed[0] ?? '', 200);
  await signIn(await freshCode(node, who.id, body.secret), 200);
  const again = { password: who.password, token: renewed[1] };
  done(await call(node, reauthenticate, { as: who, body: again }));
  done(await call(node, reauthenticate, { as: who, body: { ...again, password: 'a wrong canary password' } }), 400);
  secrets.set('a wrong canary password', 'a wrong password').set(who.password, 'a password');
  secrets.set(who.token, 'the session that it was set up with');
}

/** Uses a passkey, also one that belongs to no user. */
async function usePasskeys(secrets: Secrets, who: SignedInUser): Promise<void> {
  const keep = <T extends { challenge: string }>(options: T): T => {
    secrets.set(options.challenge, 'a challenge');
    return options;
  };
  const { body } = done(await call(node, addPasskeyOptions, { as: who, ...keyed() }));
  const key = createAuthenticator({ origin: 'http://steward.test', userHandle: who.id });
  const added = { name: 'A key', response: key.create(keep(body.options)) };
  const codes: string[] = done(await call(node, addPasskey, { as: who, body: added, ...keyed() })).body.recovery_codes;
  for (const each of codes) secrets.set(each, 'a recovery code of a passkey');
  const signIn = async (by: typeof key, status: number) => {
    const options = keep((await call(node, getPasskeyOptions)).body.options);
    const response = by.use(options);
    secrets.set(response.response.signature, 'a signature');
    keepCookies(secrets, done(await call(node, loginWithPasskey, { body: { response } }), status), 'a passkey');
  };
  await signIn(key, 200);
  await signIn(createAuthenticator({ origin: 'http://steward.test' }), 401);
  keep((await call(node, getPasskeyOptions)).body.options);
}

/** Signs in at a provider, also where it refuses with what it was sent; leaves a sign-in that isn't finished. */
async function useProvider(secrets: Secrets, team: TestTeam): Promise<void> {
  const params = { teamId: team.id };
  const domain = await provedDomain(node, team.id);
  const settings = { name: 'IdP', issuer: peer.issuer, client_id: peer.clientId, client_secret: peer.secret };
  secrets.set(peer.secret, 'the secret of the client');
  const saved = done(await call(node, saveSso, { as: team.owner, params, body: settings, ...keyed() }));
  done(await call(node, testSso, { as: team.owner, params }));
  const connectionId: string = saved.body.id;
  const from = browser(node, team.owner);
  const claims = { sub: 'owner', sid: 'session-of-the-owner', email: team.owner.email, email_verified: true };
  done(await signInAtProvider({ node, peer, connectionId, claims, from }));
  done(await call(node, saveSso, { as: team.owner, params, body: { ...settings, enabled: true, jit: true } }));
  const journey = { node, peer, connectionId };
  const user = { sub: 'user', sid: 'session-of-the-user', email: `user@${domain}`, email_verified: true };
  keepCookies(secrets, done(await signInAtProvider({ ...journey, claims: user })), 'single sign-on');
  await beRefused(secrets, connectionId);
  const started = await begin(secrets, connectionId);
  assert.equal(started.status, 303);
  await logOut(secrets, connectionId);
  for (const secret of peer.secrets) secrets.set(secret, 'what went between the server and the provider');
}

/** Begins a sign-in, and keeps what its row has: the proofs are sealed there. */
async function begin(secrets: Secrets, connectionId: string, from = browser(node)): Promise<Reply> {
  const started = keepCookies(secrets, await from.open(`/auth/oidc/${connectionId}/start`), 'a sign-in on its way');
  const { rows } = await sql<{ sealed: string }>`select sealed from sso_transactions`.execute(node.db);
  for (const { sealed } of rows)
    for (const [name, value] of Object.entries(JSON.parse(node.deps.secrets.open('sso-transaction', sealed))))
      secrets.set(String(value), `the ${name} of a sign-in`);
  return started;
}

async function beRefused(secrets: Secrets, connectionId: string): Promise<void> {
  peer.isTalkative = true;
  const from = browser(node);
  const started = await begin(secrets, connectionId, from);
  const back = peer.approve(String(started.headers.location), { sub: 'x' });
  back.searchParams.set('code', 'a-code-that-the-provider-never-gave');
  assert.equal(getError(await from.open(back.pathname + back.search)), 'sso.failed');
  const replayed = await from.open(back.pathname + back.search);
  assert.equal(getError(replayed), 'sso.expired');
}

async function logOut(secrets: Secrets, connectionId: string): Promise<void> {
  const now = Math.floor(Date.now() / 1_000);
  const about = { iss: peer.issuer, aud: peer.clientId, iat: now, exp: now + 120, events: { [LOGOUT]: {} } };
  const url = `/auth/oidc/${connectionId}/logout`;
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  for (const [sid, status] of [
    ['session-of-the-user', 200],
    [undefined, 400],
  ] as const) {
    const token = await peer.sign({ ...about, jti: newId(), ...(sid && { sid }) }, { typ: 'logout+jwt' });
    secrets.set(token, 'a logout token').set(token.split('.')[2] ?? '', 'the signature of a logout token');
    const body = new URLSearchParams({ logout_token: token }).toString();
    done(await send(node, { method: 'POST', url, headers, body }), status);
  }
}

/** Provisions a user with a password, which is ignored. */
async function provision(secrets: Secrets, team: TestTeam): Promise<void> {
  const params = { teamId: team.id };
  const made = await call(node, addScimToken, { as: team.owner, params, body: { name: 'IdP' }, ...keyed() });
  const { token } = done(made).body;
  secrets.set(token, 'a provisioning token').set(token.slice(5), 'a provisioning token without its prefix');
  const password = 'Canary-of-the-directory-1';
  secrets.set(password, 'a provisioned password');
  const body = buildUser(`${newId()}@elsewhere.example`, { password });
  const { body: user } = done(await scim(node, { token }, 'POST /Users', { body }), 201);
  const patch = toPatch({ op: 'replace', path: 'password', value: password }, { op: 'replace', value: { password } });
  done(await scim(node, { token }, `PATCH /Users/${user.id}`, { body: patch }));
  done(await scim(node, { token }, 'POST /Users', { body }), 409);
  const wrong = `stwp_${'canary'.repeat(7)}A`;
  secrets.set(wrong, 'a wrong provisioning token');
  done(await scim(node, { token: wrong }, 'GET /Users'), 401);
}

test('no secret of a sign-in, a factor, a provider or provisioning is in a table, a job or a log line', async () => {
  const secrets: Secrets = new Map();
  await useApp(secrets, ours.member);
  await usePasskeys(secrets, ours.admin);
  await useProvider(secrets, ours);
  await provision(secrets, ours);
  const places = { 'the database': await dumpDatabase(node), 'the log': node.log.join('\n') };
  for (const known of [ours.member.id, ours.admin.email, peer.issuer, 'sso.tested', 'scim.user_added'])
    assert.ok(places['the database'].includes(known), `the dump is complete: ${known}`);
  assert.ok(places['the log'].includes('single sign-on failed') && places['the log'].includes('sign-in failed'));
  assert.ok(secrets.size > 60, `${secrets.size} secrets`);
  assert.deepEqual(findSecrets(secrets, places), []);
});

test('a secret would be found in each spelling', () => {
  const token = 'aB3_-'.repeat(9).slice(0, 43);
  const raw = Buffer.from(token, 'base64url');
  const spellings = [
    ...[token, `x${token}`, `xy${token}`].map((text) => Buffer.from(text).toString('base64')),
    ...[token, Buffer.from(token).toString('hex'), raw.toString('hex'), raw.toString('base64')],
  ];
  const secrets = new Map([
    [token, 'a token'],
    ['271828', 'a code'],
  ]);
  for (const text of spellings)
    assert.deepEqual(findSecrets(secrets, { here: `(${text})` }), ['a token in here'], text);
  assert.deepEqual(findSecrets(secrets, { here: '{"token":"271828"}' }), ['a code in here']);
  assert.deepEqual(findSecrets(secrets, { here: '12:00:00.271828+00' }), []);
});
