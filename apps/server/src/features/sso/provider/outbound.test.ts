import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { saveSso, testSso } from '@steward/contract/sso/connection';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { fetchPublic } from '#platform/outbound/public-fetch.ts';
import { createResolver } from '#platform/outbound/resolver.ts';
import { call } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { type DnsPeer, startDnsPeer } from '#testing/peers/dns-peer.ts';
import { listen } from '#testing/peers/listen.ts';
import { startOidcPeer } from '#testing/peers/oidc-peer.ts';
import { browser, connection, getError } from '#testing/sso/sso.ts';
import { createTeamWithMembers, team } from '#testing/workspace/factories.ts';
import { createProviders } from './providers.client.ts';

let dns: DnsPeer;
let node: TestApp;
/** Connections that reached an internal server. */
let reached = 0;
const inside = createServer((_request, response) => response.end('{}'));

beforeAll(async () => {
  inside.on('connection', () => {
    reached += 1;
  });
  await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve));
  dns = await startDnsPeer();
  node = await startApp({ work: false, env: { DNS_SERVERS: dns.address } });
});
afterAll(async () => {
  await node[Symbol.asyncDispose]();
  await dns[Symbol.asyncDispose]();
  inside.close();
});

const port = () => (inside.address() as AddressInfo).port;

describe('an issuer', () => {
  test('case 16: inside the network of the server is never connected to', async () => {
    const owned = await createTeamWithMembers(node);
    dns.addresses.set('inside.steward.example', ['127.0.0.1']);
    dns.addresses.set('metadata.steward.example', ['169.254.169.254']);
    const hosts = [`inside.steward.example:${port()}`, 'metadata.steward.example', `127.0.0.1:${port()}`];
    for (const host of [
      ...hosts,
      `[::1]:${port()}`,
      `[::ffff:127.0.0.1]:${port()}`,
      `2130706433:${port()}`,
      'localhost',
    ]) {
      const body = { name: 'x', issuer: `https://${host}`, client_id: 'a', client_secret: 'b' };
      const params = { teamId: owned.id };
      assert.equal((await call(node, saveSso, { as: owned.owner, params, body })).status, 200, host);
      const { checks } = (await call(node, testSso, { as: owned.owner, params })).body;
      assert.deepEqual([checks.length, checks[0].ok], [1, false], host);
    }
    assert.equal(reached, 0);
  });

  test('case 16: whose name leads elsewhere at the second question is connected to where it led at first', async () => {
    dns.addresses.set('rebinding.steward.example', ['93.184.216.34', '127.0.0.1', '127.0.0.1']);
    const signal = AbortSignal.timeout(300);
    const outbound = { resolver: createResolver(node.deps.env), allowsLoopback: false, signal };
    await assert.rejects(fetchPublic(outbound, `https://rebinding.steward.example:${port()}/`));
    dns.addresses.set('both.steward.example', ['127.0.0.1']);
    await assert.rejects(fetchPublic(outbound, `https://both.steward.example:${port()}/`));
    assert.equal(reached, 0);
  });

  test('case 16: whose metadata names an internal address gets no request there', async () => {
    await using open = await startApp({ beside: node, work: false, env: { SSO_ALLOW_LOOPBACK: '1' } });
    await using peer = await startOidcPeer();
    peer.metadata = { jwks_uri: 'https://169.254.169.254/keys', token_endpoint: `https://10.0.0.1:${port()}/token` };
    const id = await connection(open, await team(open), peer);
    const from = browser(open);
    const started = await from.open(`/auth/oidc/${id}/start`);
    const back = peer.approve(String(started.headers.location), { sub: 'a' });
    assert.equal(getError(await from.open(back.pathname + back.search)), 'sso.unreachable');
  });
});

describe('a response', () => {
  const outbound = (milliseconds = 5_000) => ({
    resolver: createResolver({ DNS_SERVERS: undefined }),
    allowsLoopback: true,
    signal: AbortSignal.timeout(milliseconds),
  });
  const serve = (respond: RequestListener) => listen(createServer(respond));

  test('that is too large isn’t read to its end, and a redirect isn’t followed', async () => {
    await using large = await serve((_request, response) => response.end(Buffer.alloc(1_100_000)));
    await assert.rejects(fetchPublic(outbound(), large.url), /too large/);
    await using moved = await serve((_request, response) => response.writeHead(302, { location: large.url }).end());
    assert.equal((await fetchPublic(outbound(), moved.url)).status, 302);
  });

  test('that never ends is given up', async () => {
    await using slow = await serve((_request, response) => response.write('{'));
    await assert.rejects(fetchPublic(outbound(100), slow.url), /no response/);
  });
});

test('a provider that went away after a sign-in is noticed before the browser is sent there', async () => {
  await using open = await startApp({ beside: node, work: false, env: { SSO_ALLOW_LOOPBACK: '1' } });
  const peer = await startOidcPeer();
  const id = await connection(open, await team(open), peer);
  assert.equal((await browser(open).open(`/auth/oidc/${id}/start`)).status, 303);
  await peer[Symbol.asyncDispose]();
  assert.equal(getError(await browser(open).open(`/auth/oidc/${id}/start`)), 'sso.unreachable');
});

test('sign-ins that begin concurrently query the provider once', async () => {
  await using peer = await startOidcPeer();
  const providers = createProviders({ ...node.deps.env, SSO_ALLOW_LOOPBACK: true });
  const { issuer, clientId, secret } = peer;
  const reach = () => providers.reach({ connectionId: 'a', issuer, clientId, secret });
  await Promise.all([reach(), reach(), reach()]);
  assert.equal(peer.requests.length, 1);
  await reach();
  assert.equal(peer.requests.length, 2);
});
