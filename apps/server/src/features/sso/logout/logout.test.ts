import assert from 'node:assert/strict';
import { getMe } from '@steward/contract/session';
import { generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, onTestFinished, test, vi } from 'vitest';
import { newId } from '#platform/database/ids.ts';
import { call, send } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { countAttempts } from '#testing/faults/count-attempts.ts';
import { type OidcPeer, startOidcPeer } from '#testing/peers/oidc-peer.ts';
import { connection, provedDomain, signInAtProvider } from '#testing/sso/sso.ts';
import { team } from '#testing/workspace/factories.ts';
import { auditRows } from '#testing/workspace/snapshot-tables.ts';

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';

let node: TestApp;
let peer: OidcPeer;
let domain: string;
let connectionId: string;

beforeAll(async () => {
  node = await startApp({ work: false, env: { SSO_ALLOW_LOOPBACK: '1' } });
  peer = await startOidcPeer();
  const teamId = await team(node);
  domain = await provedDomain(node, teamId);
  connectionId = await connection(node, teamId, peer);
});
afterAll(async () => {
  await peer[Symbol.asyncDispose]();
  await node[Symbol.asyncDispose]();
});

const signIn = async (sub: string, sid: string) => {
  const claims = { sub, sid, email: `${sub}@${domain}`, email_verified: true };
  return (await signInAtProvider({ node, peer, connectionId, claims })).browser.cookie();
};
const isIn = async (as: { cookie: string }, on = node) => (await call(on, getMe, { as })).status === 200;
const toClaims = (more: JWTPayload): JWTPayload => {
  const now = Math.floor(Date.now() / 1_000);
  const base = {
    iss: peer.issuer,
    aud: peer.clientId,
    iat: now,
    exp: now + 120,
    jti: newId(),
    events: { [EVENT]: {} },
  };
  return { ...base, ...more };
};
const signed = (more: JWTPayload, header: object = {}) => peer.sign(toClaims(more), { typ: 'logout+jwt', ...header });
const post = (
  token: string,
  { on = node, id = connectionId, headers = {}, body = new URLSearchParams({ logout_token: token }).toString() } = {},
) =>
  send(on, {
    method: 'POST',
    url: `/auth/oidc/${id}/logout`,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body,
  });

describe('a logout by the provider', () => {
  test('ends the session that it names at the next request on every node, and no other', async () => {
    await using second = await startApp({ beside: node, work: false, env: { SSO_ALLOW_LOOPBACK: '1' } });
    const [one, two] = [await signIn('ann', 'sid-1'), await signIn('ann', 'sid-2')];
    assert.deepEqual([await isIn(one), await isIn(one, second)], [true, true]);
    const reply = await post(await signed({ sid: 'sid-1' }), { on: second });
    assert.deepEqual([reply.status, reply.text, reply.headers['cache-control']], [200, '', 'no-store']);
    assert.deepEqual([await isIn(one), await isIn(one, second), await isIn(two)], [false, false, true]);
    assert.equal((await auditRows(node, 'sso.logged_out')).length, 1);
  });

  test('ends all sessions of a user where it names no session', async () => {
    const sessions = [await signIn('bob', 's1'), await signIn('bob', 's2'), await signIn('eve', 's3')];
    assert.equal((await post(await signed({ sub: 'bob' }))).status, 200);
    assert.deepEqual(await Promise.all(sessions.map((as) => isIn(as))), [false, false, true]);
    assert.equal((await post(await signed({ sub: 'bob', sid: 's3' }))).status, 200);
    assert.equal(await isIn(sessions[2] ?? { cookie: '' }), true, 'the session isn’t that user’s');
  });

  test('says nothing about sessions, and works once', async () => {
    assert.equal((await post(await signed({ sid: 'unknown' }))).status, 200);
    assert.equal((await post(await signed({ sub: 'unknown' }))).status, 200);
    const token = await signed({ sid: 'x' });
    assert.deepEqual([(await post(token)).status, (await post(token)).status], [200, 400]);
  });

  test('is refused if anything about it is wrong', async () => {
    const session = await signIn('ida', 'mine');
    const { privateKey } = await generateKeyPair('RS256');
    const past = Math.floor(Date.now() / 1_000) - 1_000;
    const wrong: Record<string, string> = {
      'another key': await new SignJWT(toClaims({ sid: 'mine' }))
        .setProtectedHeader({ alg: 'RS256', typ: 'logout+jwt' })
        .sign(privateKey),
      'an unknown key': await signed({ sid: 'mine' }, { kid: 'unknown' }),
      'another issuer': await signed({ sid: 'mine', iss: 'https://evil.example' }),
      'another audience': await signed({ sid: 'mine', aud: 'another' }),
      'a nonce': await signed({ sid: 'mine', nonce: 'x' }),
      'no event': await signed({ sid: 'mine', events: {} }),
      'an event that is no object': await signed({ sid: 'mine', events: { [EVENT]: 'x' } }),
      'an ID token': await peer.sign(toClaims({ sid: 'mine' }), { typ: 'JWT' }),
      'no id': await peer.sign(withoutId(toClaims({ sid: 'mine' })), { typ: 'logout+jwt' }),
      nobody: await signed({}),
      'an old one': await signed({ sid: 'mine', iat: past, exp: past + 2_000 }),
      'one that has ended': await signed({ sid: 'mine', exp: past }),
      'no token': 'nonsense',
    };
    for (const [what, token] of Object.entries(wrong)) {
      const { status, body } = await post(token);
      assert.deepEqual([status, body], [400, { error: 'invalid_request' }], what);
    }
    const token = await signed({ sid: 'mine' });
    for (const body of ['', 'a=b', `logout_token=${token}&logout_token=${token}`])
      assert.equal((await post(token, { body })).status, 400, body.slice(0, 20));
    assert.equal((await post(token, { id: newId() })).status, 400, 'of another connection');
    const json = { 'content-type': 'application/json' };
    assert.equal((await post(token, { headers: json, body: JSON.stringify({ logout_token: token }) })).status, 400);
    assert.equal(await isIn(session), true);
    assert.equal((await post(token)).status, 200);
    assert.equal(await isIn(session), false);
  });

  test('prepares a key once, however many tokens it verifies at once', async () => {
    const id = await connection(node, await team(node), peer);
    peer.requests.length = 0;
    const importKey = vi.spyOn(crypto.subtle, 'importKey');
    onTestFinished(() => importKey.mockRestore());
    const tokens = await Promise.all(Array.from({ length: 5 }, () => signed({ sid: 'unknown' })));
    importKey.mockClear();
    const replies = await Promise.all(tokens.map((token) => post(token, { id })));
    assert.deepEqual(
      replies.map(({ status }) => status),
      [200, 200, 200, 200, 200],
    );
    assert.equal((await post(await signed({ sid: 'unknown' }), { id })).status, 200);
    const imported = importKey.mock.calls.filter(([, key]) => 'n' in (key as object) && !('d' in (key as object)));
    assert.deepEqual([imported.length, peer.requests.filter((line) => line === 'GET /jwks').length], [1, 1]);
  });

  test('isn’t verified with a key set that is too large, which is read once', async () => {
    const id = await connection(node, await team(node), peer);
    peer.publishKeys = ([key = { kty: '' }]) => [
      key,
      ...Array.from({ length: 20 }, (_, i) => ({ ...key, kid: `${i}` })),
    ];
    try {
      peer.requests.length = 0;
      for (const _ of [1, 2, 3]) assert.equal((await post(await signed({ sid: 'unknown' }), { id })).status, 500);
      assert.deepEqual(peer.requests, ['GET /.well-known/openid-configuration', 'GET /jwks']);
    } finally {
      peer.publishKeys = (keys) => keys;
    }
  });

  test('is no longer verified from a network or for a connection with too many refused tokens', async () => {
    const [teamId, from] = [await team(node), { 'x-forwarded-for': '192.0.2.7' }];
    await using behind = await startApp({
      beside: node,
      work: false,
      env: { SSO_ALLOW_LOOPBACK: '1', TRUST_PROXY: '1' },
    });
    const id = await connection(node, teamId, peer);
    await countAttempts(node, { name: 'sso.refused_logouts_network' }, '192.0.2.7', 58);
    for (let i = 0; i < 2; i += 1) assert.equal((await post('junk', { on: behind, id, headers: from })).status, 400);
    peer.requests.length = 0;
    const refused = await post(await signed({ sid: 'x' }), { on: behind, id, headers: from });
    assert.deepEqual([refused.status, Number(refused.headers['retry-after']) > 0, peer.requests], [429, true, []]);
    const other = { 'x-forwarded-for': '192.0.2.8' };
    assert.equal((await post(await signed({ sid: 'x' }), { on: behind, id, headers: other })).status, 200);
    await countAttempts(node, { name: 'sso.refused_logouts' }, id, 600);
    assert.equal((await post(await signed({ sid: 'x' }), { on: behind, id, headers: other })).status, 429);
  });

  test('is no call that a website could make a browser send', async () => {
    const token = await signed({ sid: 'x' });
    assert.equal((await post(token, { headers: { origin: 'https://evil.example' } })).status, 400);
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const login = await send(node, { method: 'POST', url: '/api/v4/users/login', headers: form, body: 'a=b' });
    assert.equal(login.status, 415, 'other calls take no forms');
  });
});

function withoutId({ jti: _, ...rest }: JWTPayload): JWTPayload {
  return rest;
}
