import { generateKeyPairSync } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import Provider from 'oidc-provider';
import { listen } from '#testing/peers/listen.ts';

export type ReferenceProvider = Awaited<ReturnType<typeof startReferenceProvider>>;

/**
 * Uses 127.0.0.1, which is another site than `localhost`, where the portal is. As the standard specifies, ID tokens contain no
 * address.
 */
export async function startReferenceProvider() {
  let answer: RequestListener = (_request, response) => void response.writeHead(503).end();
  const server = await listen(createServer((request, response) => answer(request, response)));
  const issuer = server.url;
  const [clientId, secret] = ['steward', 'a secret of the provider'];
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const key = { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: 'first' };
  return {
    issuer,
    clientId,
    secret,
    /** Needs the addresses of the client. Users have the entered address as their id and email. */
    addClient({ redirectUri, logoutUri }: { redirectUri: string; logoutUri: string }) {
      const client = {
        client_id: clientId,
        client_secret: secret,
        redirect_uris: [redirectUri],
        backchannel_logout_uri: logoutUri,
        backchannel_logout_session_required: true,
      };
      const provider = new Provider(issuer, {
        clients: [client],
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
    [Symbol.asyncDispose]: server[Symbol.asyncDispose],
  };
}
