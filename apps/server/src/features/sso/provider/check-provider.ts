import type { SsoCheck } from '@steward/contract/sso/connection';
import { findIssuerProblem } from '@steward/contract/sso/issuer';
import type { ServerMetadata } from 'openid-client';
import type { Logger } from '#platform/observability/log.ts';
import { TooLargeError } from '#platform/outbound/public-fetch.ts';
import { formatCauses, toErrorId } from './failure.ts';
import { KEYS_MAX, PUBLISHED_BYTES_MAX } from './key-set.ts';
import { ASYMMETRIC, type Client, type Providers, STEP_MS } from './providers.client.ts';

const check = (name: string, ok: boolean, message: string): SsoCheck => ({ name, ok, message });

/**
 * The checks are in the order in which an admin would look for a mistake. They don't say why a host isn't reachable, or they would
 * tell open ports from closed ones; the log does.
 */
export async function checkProvider(
  providers: Providers,
  client: Client,
  { allowsLoopback, log }: { allowsLoopback: boolean; log: Logger },
): Promise<SsoCheck[]> {
  const problem = findIssuerProblem(client.issuer, { allowsLoopback });
  if (problem !== undefined) return [check('Discovery', false, `The issuer ${problem}.`)];
  let metadata: ServerMetadata;
  try {
    metadata = (await providers.openAnew(client)).serverMetadata();
  } catch (error) {
    log.info({ connection: client.connectionId, why: formatCauses(error) }, 'check of an identity provider failed');
    return [check('Discovery', false, explain(client.issuer, error))];
  }
  return [
    check('Discovery', true, 'The provider publishes its configuration.'),
    checkIssuer(client.issuer, metadata),
    await checkEndpoints(providers, metadata, allowsLoopback),
    await checkKeys(providers, metadata),
    checkFlow(metadata),
    checkPkce(metadata),
    checkSignatures(metadata),
    checkUserInfo(metadata),
    checkClaims(metadata),
    checkClient(client),
  ];
}

function explain(issuer: string, error: unknown): string {
  if (/issuer/.test(formatCauses(error)))
    return 'The provider calls its issuer by another address. Copy the issuer exactly from its configuration, with or without a slash at the end.';
  if (toErrorId(error) === 'sso.unreachable')
    return `The server can't reach ${issuer}. It must have a public address, a valid certificate, and answer within ${STEP_MS / 1_000} seconds.`;
  return `${issuer}/.well-known/openid-configuration isn't an OpenID Connect configuration.`;
}

function checkIssuer(issuer: string, metadata: ServerMetadata): SsoCheck {
  const ok = metadata.issuer === issuer;
  const message = ok
    ? 'The provider calls itself by the same issuer.'
    : `The provider calls itself ${metadata.issuer}. Enter exactly that.`;
  return check('Issuer', ok, message);
}

async function checkEndpoints(
  providers: Providers,
  { authorization_endpoint, token_endpoint, jwks_uri, userinfo_endpoint }: ServerMetadata,
  allowsLoopback: boolean,
): Promise<SsoCheck> {
  // The UserInfo endpoint is needed only for providers that omit claims from ID tokens.
  const requested = { token_endpoint, jwks_uri, ...(userinfo_endpoint !== undefined && { userinfo_endpoint }) };
  const missing = Object.entries({ authorization_endpoint, ...requested }).filter(
    ([, href]) => href === undefined || !isSafe(href, allowsLoopback),
  );
  if (missing.length > 0)
    return check('Endpoints', false, `Missing or not HTTPS: ${missing.map(([name]) => name).join(', ')}.`);
  const attempts = Object.entries(requested).map(async ([name, href]) => {
    const isPublic = await providers.requirePublic(href ?? '').then(
      () => true,
      () => false,
    );
    return isPublic ? [] : [name];
  });
  const closed = (await Promise.all(attempts)).flat();
  if (closed.length > 0)
    return check('Endpoints', false, `The server needs a public address for: ${closed.join(', ')}.`);
  return check('Endpoints', true, 'The provider names all endpoints that are needed.');
}

function isSafe(href: string, allowsLoopback: boolean): boolean {
  if (!URL.canParse(href)) return false;
  const { protocol, origin } = new URL(href);
  return protocol === 'https:' || findIssuerProblem(origin, { allowsLoopback }) === undefined;
}

async function checkKeys(providers: Providers, { jwks_uri }: ServerMetadata): Promise<SsoCheck> {
  const toCheck = (ok: boolean, message: string) => check('Keys', ok, message);
  try {
    const { keys } = await providers.fetchKeys(jwks_uri ?? '');
    if (keys.length === 0) return toCheck(false, "The provider's keys (jwks_uri) can't be used to verify signatures.");
    return toCheck(true, keys.length === 1 ? '1 key found.' : `${keys.length} keys found.`);
  } catch (error) {
    if (error instanceof TooLargeError)
      return toCheck(
        false,
        `The provider's key set (jwks_uri) is too large: at most ${KEYS_MAX} keys and ${PUBLISHED_BYTES_MAX / 1_024} KiB are read.`,
      );
    return toCheck(false, "The provider's keys (jwks_uri) can't be read.");
  }
}

function checkFlow({ response_types_supported: types, scopes_supported: scopes }: ServerMetadata): SsoCheck {
  if (types !== undefined && !types.includes('code'))
    return check(
      'Sign-in flow',
      false,
      'The provider must support the authorization code flow (response type “code”).',
    );
  if (scopes !== undefined && !scopes.includes('openid'))
    return check('Sign-in flow', false, 'The provider must support the scope “openid”.');
  return check('Sign-in flow', true, 'The authorization code flow is supported.');
}

// Entra supports PKCE without publishing it.
function checkPkce({ code_challenge_methods_supported: methods }: ServerMetadata): SsoCheck {
  if (methods === undefined)
    return check('PKCE', true, "The provider doesn't say whether it supports PKCE. It is used.");
  const ok = methods.includes('S256');
  return check('PKCE', ok, ok ? 'PKCE with S256 is supported.' : 'The provider must support PKCE with S256.');
}

function checkSignatures({ id_token_signing_alg_values_supported: algorithms }: ServerMetadata): SsoCheck {
  const ok = algorithms === undefined || algorithms.some((algorithm) => ASYMMETRIC.includes(algorithm));
  return check(
    'Signatures',
    ok,
    ok ? 'ID tokens are signed with a public key.' : 'ID tokens must be signed with a key pair, such as RS256.',
  );
}

function checkUserInfo({
  userinfo_endpoint: endpoint,
  userinfo_signing_alg_values_supported: algorithms = [],
}: ServerMetadata): SsoCheck {
  if (endpoint === undefined)
    return check('UserInfo', true, 'The provider has no UserInfo endpoint, so its ID tokens must contain all claims.');
  const ok = algorithms.length === 0 || [...ASYMMETRIC, 'none'].some((algorithm) => algorithms.includes(algorithm));
  return check(
    'UserInfo',
    ok,
    ok
      ? 'Claims that ID tokens lack are read from the UserInfo endpoint, as JSON or as a signed JWT that isn’t encrypted.'
      : 'The provider must answer UserInfo requests with JSON, or with a JWT that is signed with a key pair, such as RS256.',
  );
}

const CLAIMS = ['email', 'email_verified', 'given_name', 'family_name'];

/** Providers may send claims that they don't publish, so a claim that isn't listed is no fault. */
function checkClaims({ claims_supported: claims }: ServerMetadata): SsoCheck {
  const missing = CLAIMS.filter((claim) => claims?.includes(claim) !== true);
  if (missing.length === 0) return check('Claims', true, 'The provider lists all claims that are needed.');
  const list = new Intl.ListFormat('en').format(missing);
  const advice = `The provider doesn't list ${list}. Make sure that it sends ${missing.length === 1 ? 'it' : 'them'}.`;
  return check('Claims', true, claims === undefined ? `Make sure that the provider sends ${list}.` : advice);
}

function checkClient({ clientId, secret }: Client): SsoCheck {
  const ok = clientId !== '' && secret !== '';
  return check(
    'Client',
    ok,
    ok
      ? 'A client ID and a secret are entered. A test sign-in shows whether they work.'
      : 'Enter the client ID and the client secret.',
  );
}
