import assert from 'node:assert/strict';
import { getMe } from '@steward/contract/session';
import { EncryptJWT, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, test } from 'vitest';
import { newId } from '#platform/database/ids.ts';
import { call } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { type OidcPeer, startOidcPeer } from '#testing/peers/oidc-peer.ts';
import { connection, getError, provedDomain, signInAtProvider } from '#testing/sso/sso.ts';
import { team } from '#testing/workspace/factories.ts';

let node: TestApp;
let peer: OidcPeer;
let teamId: string;
let email: string;
/** That of the team, from the first sign-in on. */
let connectionId: string | undefined;

beforeAll(async () => {
  node = await startApp({ work: false, env: { SSO_ALLOW_LOOPBACK: '1' } });
  peer = await startOidcPeer();
});
afterAll(async () => {
  await peer[Symbol.asyncDispose]();
  await node[Symbol.asyncDispose]();
});
beforeEach(async () => {
  teamId = await team(node);
  connectionId = undefined;
  email = `${newId()}@${await provedDomain(node, teamId)}`;
});
afterEach(() => {
  peer.userInfo = undefined;
  peer.toUserInfoJwt = undefined;
  peer.metadata = {};
  peer.requests.length = 0;
});

async function signIn(claims: Record<string, unknown>, settings: Parameters<typeof connection>[3] = {}) {
  connectionId ??= await connection(node, teamId, peer, settings);
  return signInAtProvider({ node, peer, connectionId, claims });
}
const requestedUserInfo = () => peer.requests.includes('GET /userinfo');

describe('a provider that keeps claims for its UserInfo endpoint', () => {
  test('gets a request for the address, the name and the groups that the ID token lacks', async () => {
    const sub = newId();
    const name = { given_name: 'Ada', family_name: 'Lovelace' };
    peer.userInfo = { sub, email, email_verified: true, ...name, groups: ['admins'] };
    const reply = await signIn({ sub }, { group_claim: 'groups', group_roles: { admins: 'team_admin' } });
    assert.equal(reply.status, 200, String(reply.headers.location));
    const { body } = await call(node, getMe, { as: reply.browser.cookie() });
    assert.deepEqual([body.email, body.first_name, body.last_name], [email, 'Ada', 'Lovelace']);
    const { rows } = await sql<{ roles: string }>`select roles from memberships where team_id = ${teamId}
      and person_id = ${body.id}`.execute(node.db);
    assert.match(String(rows[0]?.roles), /team_admin/);
  });

  test('gets no such request if the ID token has all claims', async () => {
    const sub = newId();
    peer.userInfo = { sub, email: `other.${email}`, email_verified: true };
    const name = { given_name: 'Ada', family_name: 'Lovelace' };
    assert.equal((await signIn({ sub, email, email_verified: true, ...name })).status, 200);
    assert.equal(requestedUserInfo(), false);
  });

  test('fails the sign-in if the response is about another user', async () => {
    peer.userInfo = { sub: newId(), email, email_verified: true };
    assert.equal(getError(await signIn({ sub: newId() })), 'sso.failed');
  });

  test('can’t verify the address of an ID token with a response about another address', async () => {
    const sub = newId();
    peer.userInfo = { sub, email: 'someone@elsewhere.example', email_verified: true };
    assert.equal(getError(await signIn({ sub, email })), 'sso.domain');
  });

  test('fails the sign-in if that endpoint fails', async () => {
    const sub = newId();
    peer.userInfo = { sub };
    peer.metadata = { userinfo_endpoint: `${peer.issuer}/nothing-here` };
    try {
      assert.equal(getError(await signIn({ sub, email })), 'sso.failed');
    } finally {
      peer.metadata = {};
    }
  });

  test('fails the sign-in if the response is larger than 1 MiB', async () => {
    const sub = newId();
    peer.userInfo = { sub, email, email_verified: true, picture: 'x'.repeat(2 ** 21) };
    assert.equal(getError(await signIn({ sub })), 'sso.unreachable');
  });
});

describe('a UserInfo response that is a JWT', () => {
  const ada = () => ({ sub: newId(), email, email_verified: true, given_name: 'Ada', family_name: 'Lovelace' });

  test('is read if the provider has signed it, whether or not it publishes how', async () => {
    const published = [undefined, ['RS256'], ['none', 'HS256', 'RS256']];
    for (const userinfo_signing_alg_values_supported of published) {
      peer.userInfo = ada();
      email = `again-${email}`;
      peer.metadata = userinfo_signing_alg_values_supported ? { userinfo_signing_alg_values_supported } : {};
      peer.toUserInfoJwt = (claims) => peer.sign({ iss: peer.issuer, aud: peer.clientId, ...claims });
      const reply = await signIn({ sub: peer.userInfo.sub });
      assert.equal(reply.status, 200, String(reply.headers.location));
      const { body } = await call(node, getMe, { as: reply.browser.cookie() });
      assert.deepEqual([body.email, body.first_name, body.last_name], [peer.userInfo.email, 'Ada', 'Lovelace']);
    }
  });

  test('is refused if it is forged, unsigned, for another client or about another user', async () => {
    const { privateKey } = await generateKeyPair('RS256');
    const forged: [string, NonNullable<OidcPeer['toUserInfoJwt']>][] = [
      ['sso.signature', (claims) => new SignJWT(claims).setProtectedHeader({ alg: 'RS256' }).sign(privateKey)],
      ['sso.user_info', async (claims) => new UnsecuredJWT(claims).encode()],
      ['sso.failed', (claims) => peer.sign({ ...claims, aud: 'another client' })],
      ['sso.failed', (claims) => peer.sign({ ...claims, iss: 'https://evil.example' })],
      ['sso.failed', (claims) => peer.sign({ ...claims, sub: newId() })],
    ];
    for (const [error, toJwt] of forged) {
      peer.userInfo = ada();
      peer.toUserInfoJwt = toJwt;
      assert.equal(getError(await signIn({ sub: peer.userInfo.sub })), error);
    }
  });

  test('says so if it is encrypted, signed with the client’s secret, or no JWT', async () => {
    const { publicKey } = await generateKeyPair('RSA-OAEP-256');
    const secret = new TextEncoder().encode(peer.secret.padEnd(32));
    const unreadable: NonNullable<OidcPeer['toUserInfoJwt']>[] = [
      (claims) => new EncryptJWT(claims).setProtectedHeader({ alg: 'RSA-OAEP-256', enc: 'A256GCM' }).encrypt(publicKey),
      (claims) => new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(secret),
      async () => 'not a token',
    ];
    for (const toJwt of unreadable) {
      peer.userInfo = ada();
      peer.toUserInfoJwt = toJwt;
      assert.equal(getError(await signIn({ sub: peer.userInfo.sub })), 'sso.user_info');
    }
  });
});

test('an address counts as verified with the text “true”, and a name in one piece gives way to its parts', async () => {
  const sub = newId();
  const text = await signIn({ sub, email, email_verified: 'true', name: 'Lee, Ann' });
  assert.equal(text.status, 200, String(text.headers.location));
  const whole = (await call(node, getMe, { as: text.browser.cookie() })).body;
  assert.deepEqual([whole.first_name, whole.last_name], ['Ann', 'Lee']);
  const [other, domain] = [newId(), email.split('@')[1]];
  peer.userInfo = { sub: other, given_name: 'Ann Marie', family_name: 'Lee' };
  const claims = { sub: other, email: `ann@${domain}`, email_verified: true, name: 'Lee, Ann M.' };
  const parts = (await call(node, getMe, { as: (await signIn(claims)).browser.cookie() })).body;
  assert.deepEqual([parts.first_name, parts.last_name], ['Ann Marie', 'Lee']);
});
