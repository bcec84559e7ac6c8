import { authorizationCodeGrant, type Configuration, fetchUserInfo } from 'openid-client';
import { refuse } from '#platform/http/errors.ts';
import { type Connection, listProvedDomains } from '#workspace/users/identity-providers/connections.store.ts';
import { toClient } from '../connection/client-secret.ts';
import { formatCauses } from '../provider/failure.ts';
import {
  type Claims,
  type IdToken,
  isFromFuture,
  isOutsideWorkspace,
  lacksClaims,
  readClaims,
} from '../users/claims.rules.ts';
import type { SignInFeature } from './begin.actions.ts';
import { getReauthRequest } from './reauth-request.ts';
import type { Pending } from './transactions.store.ts';

/** Checks everything that the ID token says about itself. */
export async function exchange(
  { deps, providers }: SignInFeature,
  connection: Connection,
  { url, pending }: { url: URL; pending: Pending },
): Promise<Claims> {
  const client = toClient(deps.secrets, connection);
  const config = await providers.open(client);
  if (config.serverMetadata().issuer !== connection.issuer) refuse('sso.failed');
  const { maxAge } = pending.isReauth ? getReauthRequest(connection.issuer) : {};
  const tokens = await authorizationCodeGrant(config, url, {
    expectedState: pending.proof.state,
    expectedNonce: pending.proof.nonce,
    pkceCodeVerifier: pending.proof.verifier,
    idTokenExpected: true,
    ...(maxAge !== undefined && { maxAge }),
  });
  providers.keepKeys(client, config);
  const token = tokens.claims() ?? refuse('sso.failed');
  if (isFromFuture(token, Date.now() / 1_000)) refuse('sso.failed');
  if (isOutsideWorkspace(connection.issuer, token, await listProvedDomains(deps.db, connection.team_id)))
    refuse('sso.domain');
  const isComplete = pending.isReauth || !lacksClaims(token, connection);
  const claims = readClaims(isComplete ? token : await addUserInfo(config, token, tokens.access_token), connection);
  if (claims.issuer !== connection.issuer || claims.subject === '') refuse('sso.failed');
  return claims;
}

/**
 * Adds claims of the UserInfo endpoint; the library checks that they are about the same user. Claims of the signed token take
 * precedence, but an address and its verification come from the same source.
 */
async function addUserInfo(config: Configuration, token: IdToken & { sub: string }, access: string): Promise<IdToken> {
  if (config.serverMetadata().userinfo_endpoint === undefined) return token;
  const info: IdToken = await fetchUserInfo(config, access, token.sub).catch(explainUserInfo);
  const { email, email_verified } = token.email_verified === undefined ? info : token;
  return { ...info, ...token, email, email_verified };
}

/** A response in a format that can't be read: encrypted, signed with a secret, or neither JSON nor a JWT. */
function explainUserInfo(thrown: unknown): never {
  if (/JWE|Invalid JWT|"alg"|content-type/.test(formatCauses(thrown))) refuse('sso.user_info');
  throw thrown;
}
