import { generateKeyPairSync } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

export type ReferenceProvider = Awaited<ReturnType<typeof startReferenceProvider>>;

/**
 * Uses 127.0.0.1, which is another site than `localhost`, where the portal is. As the standard specifies, ID tokens contain no
 * address.
 */
export async function startReferenceProvider() {
  let answer: RequestListener = (_request, response) => void response.writeHead(503).end();
  const server = createServer((request, response) => answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const [clientId, secret] = ['steward', 'a secret of the provider'];
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const key = { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: 'first' };
  return {
    ...{ issuer, clientId, secret },
    /** Needs the addresses of the client. Users have the entered address as their id and email. */
    addClient({ redirectUri, logoutUri }: { redirectUri: string; logoutUri: string }) {
      const provider = new Provider(issuer, {
        clients: [
          {
            client_id: clientId,
            client_secret: secret,
            redirect_uris: [redirectUri],
            backchannel_logout_uri: logoutUri,
            backchannel_logout_session_required: true,
          },
        ],
        jwks: { keys: [key] },
        claims: { openid: ['sub', 'sid'], email: ['email', 'email_verified'], profile: ['given_name', 'family_name'] },
        pkce: { required: () => true },
        features: { devInteractions: { enabled: true }, backchannelLogout: { enabled: true } },
        cookies: { keys: ['a key of the tests'] },
        findAccount: (_context, id) => ({
          accountId: id,
          claims: () => ({ sub: id, email: id, email_verified: true, given_name: 'Ada', family_name: 'Lovelace' }),
        }),
      });
      answer = provider.callback();
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
