import assert from 'node:assert/strict';
import http from 'node:http';
import https from 'node:https';
import { getMe } from '@steward/contract/session';
import type { JWTPayload } from 'jose';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, test, vi } from 'vitest';
import { newId } from '#platform/database/ids.ts';
import { call, type Reply } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { sharedDns } from '#testing/peers/dns-peer.ts';
import { type OidcPeer, startOidcPeer } from '#testing/peers/oidc-peer.ts';
import { browser, connection, getError, provedDomain, type TestBrowser } from '#testing/sso/sso.ts';
import { team, user } from '#testing/workspace/factories.ts';

const GOOGLE = 'https://accounts.google.com';

let node: TestApp;
let peer: OidcPeer;
let domain: string;
let teamId: string;
let connectionId: string;

beforeAll(async () => {
  node = await startApp({ work: false });
  peer = await startOidcPeer();
  // Google's response has no `iss`.
  peer.metadata = {
    issuer: GOOGLE,
    authorization_endpoint: `${GOOGLE}/authorize`,
    token_endpoint: `${GOOGLE}/token`,
    jwks_uri: `${GOOGLE}/jwks`,
    authorization_response_iss_parameter_supported: false,
  };
  peer.spoil = (claims) => ({ ...claims, iss: GOOGLE });
  teamId = await team(node);
  domain = await provedDomain(node, teamId);
  connectionId = await connection(node, teamId, { ...peer, issuer: GOOGLE });
  (await sharedDns()).addresses.set('accounts.google.com', ['142.250.74.109']);
  // Simulates the network between the server and Google: requests to the checked address arrive at the peer.
  vi.spyOn(https, 'request').mockImplementation(((url: URL, options: http.RequestOptions) => {
    assert.equal(url.origin, GOOGLE);
    const { lookup: _, ...rest } = options;
    return http.request(new URL(url.pathname + url.search, peer.issuer), rest);
  }) as typeof https.request);
});
afterAll(async () => {
  vi.restoreAllMocks();
  await peer[Symbol.asyncDispose]();
  await node[Symbol.asyncDispose]();
});

async function signIn(claims: JWTPayload): Promise<Reply & { from: TestBrowser }> {
  const from = browser(node);
  const started = await from.open(`/auth/oidc/${connectionId}/start`);
  assert.equal(started.status, 303, started.text);
  const back = peer.approve(String(started.headers.location), claims);
  back.searchParams.delete('iss');
  return { ...(await from.open(back.pathname + back.search, { from: 'another site' })), from };
}

const listLinks = async () =>
  (await sql<{ subject: string }>`select subject from sso_identities where team_id = ${teamId}`.execute(node.db)).rows;

describe('signing in with Google', () => {
  afterEach(() => sql`delete from sso_identities`.execute(node.db));

  test('case 8: needs an account of a Workspace whose domain the team has proved, whatever the address', async () => {
    const who = await user(node, { team: teamId, email: `${newId()}@${domain}` });
    const claims = { sub: newId(), email: who.email, email_verified: true };
    for (const hd of [undefined, '', 'other.example', `${domain}.evil.example`, `x${domain}`, [domain], null, true])
      assert.equal(getError(await signIn({ ...claims, hd })), 'sso.domain', String(hd));
    assert.deepEqual(await listLinks(), []);
    const reply = await signIn({ ...claims, hd: domain });
    assert.equal(reply.status, 200, reply.text);
    assert.equal((await call(node, getMe, { as: reply.from.cookie() })).body.id, who.id);
    assert.deepEqual(await listLinks(), [{ subject: claims.sub }]);
  });

  test('case 8: is refused for a linked user whose account has left the Workspace', async () => {
    const claims = { sub: newId(), email: `${newId()}@${domain}`, email_verified: true };
    assert.equal((await signIn({ ...claims, hd: domain })).status, 200);
    const reply = await signIn(claims);
    assert.equal(getError(reply), 'sso.domain');
    assert.ok(!reply.from.cookies.has('steward_token'));
  });
});
