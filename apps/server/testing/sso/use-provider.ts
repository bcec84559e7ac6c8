import { afterAll, beforeAll, beforeEach } from 'vitest';
import { startApp, type TestApp, type TestAppOptions } from '#testing/app/start-app.ts';
import { type OidcPeer, startOidcPeer } from '#testing/peers/oidc-peer.ts';
import { team } from '#testing/workspace/factories.ts';
import { connection, provedDomain } from './sso.ts';

export interface ProviderTeam {
  node: TestApp;
  peer: OidcPeer;
  teamId: string;
  domain: string;
  connectionId: string;
}

/** Starts an app and a provider for the tests of a file. Each test gets a new team with a domain and a connection. */
export function useProvider(use: (given: ProviderTeam) => void, options: TestAppOptions = {}): void {
  let node: TestApp;
  let peer: OidcPeer;

  beforeAll(async () => {
    node = await startApp({ env: { SSO_ALLOW_LOOPBACK: '1' }, ...options });
    peer = await startOidcPeer();
  });
  afterAll(async () => {
    await peer[Symbol.asyncDispose]();
    await node[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    const teamId = await team(node);
    const domain = await provedDomain(node, teamId);
    use({ node, peer, teamId, domain, connectionId: await connection(node, teamId, peer) });
  });
}
