import assert from 'node:assert/strict';
import { getMe } from '@steward/contract/session';
import { generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { call } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { type OidcPeer, startOidcPeer } from '#testing/peers/oidc-peer.ts';
import { browser, connection, getError, provedDomain, signInAtProvider } from '#testing/sso/sso.ts';
import { team } from '#testing/workspace/factories.ts';

let node: TestApp;
let shared: OidcPeer;
let untouched: OidcPeer;
let peer: OidcPeer;
let teamId: string;
let domain: string;
let connectionId: string;

beforeAll(async () => {
  node = await startApp({ work: false, env: { SSO_ALLOW_LOOPBACK: '1' } });
  shared = await startOidcPeer();
  untouched = { ...shared };
});
afterAll(async () => {
  await shared[Symbol.asyncDispose]();
  await node[Symbol.asyncDispose]();
});

async function use(provider: OidcPeer): Promise<void> {
  peer = provider;
  teamId = await team(node);
  domain = await provedDomain(node, teamId);
  connectionId = await connection(node, teamId, peer);
}

beforeEach(() => use(Object.assign(shared, untouched)));

let users = 0;
const user = (): JWTPayload => {
  users += 1;
  return { sub: `user-${users}`, email: `user-${users}@${domain}`, email_verified: true };
};
const signIn = (claims: JWTPayload = user()) => signInAtProvider({ node, peer, connectionId, claims });
const isSignedIn = async ({ cookies }: ReturnType<typeof browser>) =>
  [...cookies.keys()].some((name) => name === 'steward_token');

describe('a response of the provider', () => {
  test('signs in a user of a proved domain, with cookies for this site alone, and a page that leads on', async () => {
    // The server remembers the keys of each provider.
    await using own = await startOidcPeer();
    await use(own);
    const reply = await signInAtProvider({ node, peer, connectionId, claims: user(), query: '?return=/users/users' });
    assert.equal(reply.status, 200);
    assert.match(reply.text, /<meta http-equiv="refresh" content="0;url=\/users\/users">/);
    const session = reply.setCookies.find((line) => line.startsWith('steward_token='));
    assert.match(session ?? '', /HttpOnly; SameSite=Strict$/);
    assert.match(String(reply.headers['content-security-policy']), /default-src 'none'/);
    assert.equal((await call(node, getMe, { as: reply.browser.cookie() })).status, 200);
    assert.ok(peer.requests.includes('GET /jwks'), 'the signature of the ID token is checked');
    assert.deepEqual(
      [...reply.browser.cookies.keys()].filter((name) => name.startsWith('steward_sso')),
      [],
    );
  });

  test('case 1: of another issuer is refused, in the response and in the token, and so is one for another connection', async () => {
    const from = browser(node);
    const started = await from.open(`/auth/oidc/${connectionId}/start`);
    const back = peer.approve(String(started.headers.location), user());
    back.searchParams.set('iss', 'https://evil.example');
    assert.equal(getError(await from.open(back.pathname + back.search)), 'sso.failed');
    peer.spoil = (claims) => ({ ...claims, iss: 'https://evil.example' });
    assert.equal(getError(await signIn()), 'sso.failed');
    peer.spoil = (claims) => claims;
    const other = await connection(node, await team(node), peer);
    const mixed = browser(node);
    const began = await mixed.open(`/auth/oidc/${connectionId}/start`);
    const swapped = peer.approve(String(began.headers.location), user());
    const path = swapped.pathname.replace(connectionId, other) + swapped.search;
    assert.equal(getError(await mixed.open(path)), 'sso.expired');
    assert.equal(await isSignedIn(mixed), false);
  });

  test('without the issuer is refused where the provider promises it', async () => {
    const from = browser(node);
    const started = await from.open(`/auth/oidc/${connectionId}/start`);
    const back = peer.approve(String(started.headers.location), user());
    back.searchParams.delete('iss');
    assert.equal(getError(await from.open(back.pathname + back.search)), 'sso.failed');
  });

  test('case 2: with the code of another sign-in is refused', async () => {
    const [victim, attacker] = [browser(node), browser(node)];
    const stolen = peer.approve(
      String((await attacker.open(`/auth/oidc/${connectionId}/start`)).headers.location),
      user(),
    );
    const started = await victim.open(`/auth/oidc/${connectionId}/start`);
    const back = peer.approve(String(started.headers.location), user());
    back.searchParams.set('code', stolen.searchParams.get('code') ?? '');
    assert.equal(getError(await victim.open(back.pathname + back.search)), 'sso.failed');
  });

  test('case 3: works once: the same state again is refused', async () => {
    const from = browser(node);
    const started = await from.open(`/auth/oidc/${connectionId}/start`);
    const cookies = [...from.cookies];
    const back = peer.approve(String(started.headers.location), user());
    assert.equal((await from.open(back.pathname + back.search)).status, 200);
    for (const [name, cookie] of cookies) from.cookies.set(name, cookie);
    assert.equal(getError(await from.open(back.pathname + back.search)), 'sso.expired');
  });

  test('case 4: in another browser than the one that began is refused', async () => {
    const [attacker, victim] = [browser(node), browser(node)];
    const started = await attacker.open(`/auth/oidc/${connectionId}/start`);
    const back = peer.approve(String(started.headers.location), user());
    assert.equal(getError(await victim.open(back.pathname + back.search)), 'sso.expired');
    const own = await victim.open(`/auth/oidc/${connectionId}/start`);
    assert.equal(getError(await victim.open(back.pathname + back.search)), 'sso.expired', 'the state is another one');
    assert.equal(await isSignedIn(victim), false);
    const back2 = peer.approve(String(own.headers.location), user());
    assert.equal((await victim.open(back2.pathname + back2.search)).status, 200, 'their own sign-in goes on');
  });

  test('case 5: with a code that was used is refused', async () => {
    const first = browser(node);
    const back = peer.approve(String((await first.open(`/auth/oidc/${connectionId}/start`)).headers.location), user());
    assert.equal((await first.open(back.pathname + back.search)).status, 200);
    const again = browser(node);
    const started = await again.open(`/auth/oidc/${connectionId}/start`);
    const next = peer.approve(String(started.headers.location), user());
    next.searchParams.set('code', back.searchParams.get('code') ?? '');
    assert.equal(getError(await again.open(next.pathname + next.search)), 'sso.failed');
  });

  test('case 6: with another nonce, or none, is refused', async () => {
    peer.spoil = (claims) => ({ ...claims, nonce: 'another' });
    assert.equal(getError(await signIn()), 'sso.failed');
    peer.spoil = ({ nonce: _, ...claims }) => claims;
    assert.equal(getError(await signIn()), 'sso.failed');
  });

  test('case 7: with a wrong signature or audience is refused', async () => {
    const { privateKey } = await generateKeyPair('RS256');
    const { sign } = peer;
    const published = await sign({});
    const kid = JSON.parse(Buffer.from(published.split('.')[0] ?? '', 'base64url').toString()).kid;
    peer.sign = (claims) => new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid }).sign(privateKey);
    assert.equal(getError(await signIn()), 'sso.signature');
    peer.sign = sign;
    for (const aud of ['another', ['another'], []]) {
      peer.spoil = (claims) => ({ ...claims, aud });
      assert.equal(getError(await signIn()), 'sso.failed', String(aud));
    }
    const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
    peer.spoil = (claims) => claims;
    peer.sign = async (claims) => `${encode({ alg: 'none' })}.${encode(claims)}.`;
    assert.equal(getError(await signIn()), 'sso.failed');
  });

  test('case 10: never leads to another site', async () => {
    for (const path of ['//evil.example', '/%5Cevil.example', 'https://evil.example']) {
      const query = `?return=${path}`;
      const { text } = await signInAtProvider({ node, peer, connectionId, claims: user(), query });
      assert.match(text, /content="0;url=\/">/, path);
    }
  });

  test('case 23: starts a session with a new token, and the one that the browser had ends', async () => {
    const claims = user();
    const { browser: from } = await signIn(claims);
    const earlier = from.cookie();
    const reply = await signInAtProvider({ node, peer, connectionId, claims, from });
    assert.equal(reply.status, 200);
    assert.notEqual(from.cookie().cookie, earlier.cookie);
    assert.equal((await call(node, getMe, { as: earlier })).status, 401);
    assert.equal((await call(node, getMe, { as: from.cookie() })).status, 200);
  });

  test('case 25: may be 30 seconds from the future or past its end, and not 10 minutes', async () => {
    const now = Math.floor(Date.now() / 1_000);
    const tries: [number, number, string | undefined][] = [
      [20, 300, undefined],
      [600, 900, 'sso.failed'],
      [-300, -20, undefined],
      [-900, -600, 'sso.failed'],
    ];
    for (const [iat, exp, error] of tries) {
      peer.spoil = (claims) => ({ ...claims, iat: now + iat, exp: now + exp });
      assert.equal(getError(await signIn()), error, String(iat));
    }
  });

  test('signed with a new key begins again once, and then works', async () => {
    await using own = await startOidcPeer();
    await use(own);
    assert.equal((await signIn()).status, 200);
    await peer.rotateKey();
    const claims = user();
    const again = await signInAtProvider({ node, peer, connectionId, claims });
    assert.equal(again.status, 303);
    assert.ok(String(again.headers.location).startsWith(`${peer.issuer}/authorize`));
    const back = peer.approve(String(again.headers.location), claims);
    assert.equal((await again.browser.open(back.pathname + back.search, { from: 'another site' })).status, 200);
  });

  test('signed with a key that stays unknown ends in an error after one repetition', async () => {
    await using own = await startOidcPeer();
    await use(own);
    assert.equal((await signIn()).status, 200);
    peer.kid = 'nowhere';
    const again = await signIn();
    assert.equal(again.status, 303);
    const back = peer.approve(String(again.headers.location), user());
    const end = await again.browser.open(back.pathname + back.search, { from: 'another site' });
    assert.equal(getError(end), 'sso.signature');
  });

  test('that says why the provider refused ends on the sign-in page', async () => {
    const from = browser(node);
    const started = await from.open(`/auth/oidc/${connectionId}/start`);
    const back = peer.approve(String(started.headers.location), user());
    back.searchParams.delete('code');
    back.searchParams.set('error', 'access_denied');
    assert.equal(getError(await from.open(back.pathname + back.search)), 'sso.refused');
  });
});

describe('the request log', () => {
  test('has no codes, states or tokens', async () => {
    await signIn();
    const lines = node.log.filter((line) => line.includes('/auth/oidc/'));
    assert.ok(lines.length > 0);
    for (const line of node.log) assert.doesNotMatch(line, /[?&](?:code|state)=|id_token|eyJ/);
  });
});
