import assert from 'node:assert/strict';
import { getMe } from '@steward/contract/session';
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
  email = `${newId()}@${await provedDomain(node, teamId)}`;
});
afterEach(() => {
  peer.userInfo = undefined;
  peer.requests.length = 0;
});

async function signIn(claims: Record<string, unknown>, settings: Parameters<typeof connection>[3] = {}) {
  const connectionId = await connection(node, teamId, peer, settings);
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
    assert.equal((await signIn({ sub, email, email_verified: true, name: 'Ada Lovelace' })).status, 200);
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
