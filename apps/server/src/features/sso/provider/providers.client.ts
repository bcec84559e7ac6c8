import {
  allowInsecureRequests,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  type CustomFetch,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  getJwksCache,
  type ServerMetadata,
  setJwksCache,
} from 'openid-client';
import type { Env } from '#platform/env.ts';
import { fetchPublic } from '#platform/outbound/public-fetch.ts';
import { createResolver, type NameResolver } from '#platform/outbound/resolver.ts';

/** Timeout for all requests of one step of a sign-in, in milliseconds. */
const STEP_MS = 10_000;
/** Cache lifetime of a provider's metadata. The library caches keys separately, for 5 minutes. */
const KEPT_MS = 10 * 60_000;
const MOST_KEPT = 1_000;

/** The secret is in plain text. */
export interface Client {
  connectionId: string;
  issuer: string;
  clientId: string;
  secret: string;
}

type Jwks = NonNullable<ReturnType<typeof getJwksCache>>;

interface Kept {
  issuer: string;
  metadata: ServerMetadata;
  keys: Jwks | undefined;
  until: number;
}

export interface Providers {
  resolver: NameResolver;
  /** Opens a provider for one step of a sign-in, with a timeout of ten seconds for all of its requests. */
  open(client: Client): Promise<Configuration>;
  /** Also sends a request to the provider: a browser redirected to an unreachable provider shows only its own error page. */
  reach(client: Client): Promise<Configuration>;
  /** Ignores the cache. */
  openAnew(client: Client): Promise<Configuration>;
  /** Caches the keys that a step has read. */
  keepKeys(client: Client, config: Configuration): void;
  /** Clears the cache of a provider, because a key is unknown or its connection has changed. */
  forget(connectionId: string): void;
  /** Requests a provider's URL outside of a sign-in. */
  fetch(href: string): Promise<Response>;
}

/** Metadata and keys are cached per process. */
export function createProviders(env: Env, resolver: NameResolver = createResolver(env)): Providers {
  const kept = new Map<string, Kept>();
  const underway = new Map<string, Promise<Configuration>>();
  const allowsLoopback = env.SSO_ALLOW_LOOPBACK;
  const fetchForStep = (): CustomFetch => {
    const step = AbortSignal.timeout(STEP_MS);
    return (href, { method, headers, body, signal: own }) => {
      const signal = AbortSignal.any(own ? [step, own] : [step]);
      return fetchPublic({ resolver, allowsLoopback, signal }, href, { method, headers, body: toText(body) });
    };
  };
  const configure = (client: Client, metadata: ServerMetadata, send: CustomFetch) =>
    toConfiguration(client, metadata, { send, isPlain: isPlain(client.issuer, allowsLoopback) });

  async function openAnew(client: Client): Promise<Configuration> {
    const send = fetchForStep();
    const execute = isPlain(client.issuer, allowsLoopback) ? [allowInsecureRequests] : [];
    const options = { timeout: STEP_MS / 1_000, [customFetch]: send, execute };
    const found = await discovery(new URL(client.issuer), client.clientId || 'none', undefined, undefined, options);
    const metadata = { ...found.serverMetadata() };
    keep(kept, client.connectionId, { issuer: client.issuer, metadata, keys: undefined, until: Date.now() + KEPT_MS });
    return configure(client, metadata, send);
  }

  async function reach(client: Client): Promise<Configuration> {
    const known = kept.get(client.connectionId);
    const config = await openAnew(client);
    const anew = kept.get(client.connectionId);
    // Keys have their own lifetime.
    if (anew !== undefined && known?.issuer === client.issuer && known.metadata.jwks_uri === anew.metadata.jwks_uri)
      anew.keys = known.keys;
    return config;
  }

  return {
    resolver,
    openAnew,
    // Concurrent sign-ins share one request.
    reach: (client) => joinRequests(underway, toKey(client), () => reach(client)),
    async open(client) {
      const known = kept.get(client.connectionId);
      if (known === undefined || known.issuer !== client.issuer || known.until < Date.now()) return openAnew(client);
      const config = configure(client, known.metadata, fetchForStep());
      if (known.keys !== undefined) setJwksCache(config, known.keys);
      return config;
    },
    keepKeys(client, config) {
      const known = kept.get(client.connectionId);
      if (known !== undefined) known.keys = getJwksCache(config);
    },
    forget: (connectionId) => void kept.delete(connectionId),
    fetch: (href) => fetchPublic({ resolver, allowsLoopback, signal: AbortSignal.timeout(STEP_MS) }, href),
  };
}

function toConfiguration(
  client: Client,
  metadata: ServerMetadata,
  { send, isPlain }: { send: CustomFetch; isPlain: boolean },
): Configuration {
  const auth = authenticationFor(metadata)(client.secret);
  const config = new Configuration(metadata, client.clientId || 'none', undefined, auth);
  config[customFetch] = send;
  config.timeout = STEP_MS / 1_000;
  // Without this, the signature of an ID token isn't checked: the library trusts the TLS connection.
  enableNonRepudiationChecks(config);
  if (isPlain) allowInsecureRequests(config);
  return config;
}

function keep(kept: Map<string, Kept>, connectionId: string, provider: Kept): void {
  const [oldest] = kept.keys();
  if (kept.size >= MOST_KEPT && oldest !== undefined) kept.delete(oldest);
  kept.set(connectionId, provider);
}

/** Returns the pending request with this key, or starts one. */
function joinRequests<Answer>(
  underway: Map<string, Promise<Answer>>,
  key: string,
  request: () => Promise<Answer>,
): Promise<Answer> {
  const joined = underway.get(key) ?? request().finally(() => underway.delete(key));
  underway.set(key, joined);
  return joined;
}

function toKey({ connectionId, issuer, clientId }: Client): string {
  return JSON.stringify([connectionId, issuer, clientId]);
}

/** Plain HTTP is allowed for a provider on this machine. */
function isPlain(issuer: string, allowsLoopback: boolean): boolean {
  return allowsLoopback && issuer.startsWith('http:');
}

/** Uses Basic unless the provider supports only the other method. */
function authenticationFor({ token_endpoint_auth_methods_supported: methods }: ServerMetadata) {
  return methods !== undefined && !methods.includes('client_secret_basic') && methods.includes('client_secret_post')
    ? ClientSecretPost
    : ClientSecretBasic;
}

function toText(body: unknown): string | undefined {
  if (body === undefined || body === null) return undefined;
  return typeof body === 'string' ? body : String(body);
}
