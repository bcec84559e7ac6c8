import type { JSONWebKeySet } from 'jose';
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
import { fetchPublic, OutboundError, type OutboundRequest, requirePublic } from '#platform/outbound/public-fetch.ts';
import { createResolver, type NameResolver } from '#platform/outbound/resolver.ts';
import { PUBLISHED_BYTES_MAX, toKeySet } from './key-set.ts';

/** Timeout for all requests of one step of a sign-in, in milliseconds. */
export const STEP_MS = 10_000;
/** Cache lifetime of a provider's metadata. The library caches keys separately, for 5 minutes. */
const KEPT_MS = 10 * 60_000;
const MOST_KEPT = 1_000;

/** Algorithms with a key pair. A signature with the client's secret proves nothing to others, and `none` nothing at all. */
export const ASYMMETRIC = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];

/** The secret is in plain text. */
export interface Client {
  connectionId: string;
  issuer: string;
  clientId: string;
  secret: string;
}

/** Sends requests that share one timeout. */
type Step = (
  href: string,
  request?: OutboundRequest & { signal?: AbortSignal | null | undefined; maxBytes?: number },
) => Promise<Response>;

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
  /** Reads the keys of a provider outside of a sign-in. Rejects with `TooLargeError` if there are too many. */
  fetchKeys(href: string): Promise<JSONWebKeySet>;
  /** Rejects if the server would refuse to request the URL. */
  requirePublic(href: string): Promise<unknown>;
}

function createStep(resolver: NameResolver, allowsLoopback: boolean): Step {
  const step = AbortSignal.timeout(STEP_MS);
  return (href, { signal: own, maxBytes, ...request } = {}) => {
    const signal = AbortSignal.any(own ? [step, own] : [step]);
    const limits = { resolver, allowsLoopback, signal, ...(maxBytes !== undefined && { maxBytes }) };
    return fetchPublic(limits, href, request);
  };
}

async function readKeys(send: Step, href: string): Promise<JSONWebKeySet> {
  const response = await send(href, { maxBytes: PUBLISHED_BYTES_MAX });
  if (!response.ok) throw new OutboundError(`HTTP ${response.status}`);
  return toKeySet(await response.json());
}

/** The library gets only keys within the limits. */
function toFetch(metadata: ServerMetadata, send: Step): CustomFetch {
  const keys = toHref(metadata.jwks_uri);
  return async (href, { method, headers, body, signal }) =>
    href === keys
      ? Response.json(await readKeys(send, href))
      : send(href, { method, headers, body: toText(body), signal });
}

/** Metadata and keys are cached per process. */
export function createProviders(env: Env, resolver: NameResolver = createResolver(env)): Providers {
  const kept = new Map<string, Kept>();
  const underway = new Map<string, Promise<Configuration>>();
  const allowsLoopback = env.SSO_ALLOW_LOOPBACK;
  const startStep = () => createStep(resolver, allowsLoopback);
  const configure = (client: Client, metadata: ServerMetadata, step: Step) => {
    const send = toFetch(metadata, step);
    return toConfiguration(client, metadata, { send, isPlain: isPlain(client.issuer, allowsLoopback) });
  };

  async function openAnew(client: Client): Promise<Configuration> {
    const send = startStep();
    const discover: CustomFetch = (href, { method, headers, signal }) =>
      send(href, { method, headers, signal, maxBytes: PUBLISHED_BYTES_MAX });
    const execute = isPlain(client.issuer, allowsLoopback) ? [allowInsecureRequests] : [];
    const options = { timeout: STEP_MS / 1_000, [customFetch]: discover, execute };
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
      const config = configure(client, known.metadata, startStep());
      if (known.keys !== undefined) setJwksCache(config, known.keys);
      return config;
    },
    keepKeys(client, config) {
      const known = kept.get(client.connectionId);
      if (known !== undefined) known.keys = getJwksCache(config);
    },
    forget: (connectionId) => void kept.delete(connectionId),
    fetchKeys: (href) => readKeys(startStep(), href),
    requirePublic: (href) => requirePublic({ resolver, allowsLoopback, signal: AbortSignal.timeout(STEP_MS) }, href),
  };
}

function toConfiguration(
  client: Client,
  metadata: ServerMetadata,
  { send, isPlain }: { send: CustomFetch; isPlain: boolean },
): Configuration {
  const auth = authenticationFor(metadata)(client.secret);
  // Some providers sign UserInfo responses without publishing how, and the library then refuses them.
  const published = { userinfo_signing_alg_values_supported: ASYMMETRIC, ...metadata };
  const config = new Configuration(published, client.clientId || 'none', undefined, auth);
  config[customFetch] = send;
  config.timeout = STEP_MS / 1_000;
  // Without this, signatures of ID tokens and UserInfo responses aren't checked: the library trusts the TLS connection.
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

function toHref(url: string | undefined): string | undefined {
  return url !== undefined && URL.canParse(url) ? new URL(url).href : undefined;
}

function toText(body: unknown): string | undefined {
  if (body === undefined || body === null) return undefined;
  return typeof body === 'string' ? body : String(body);
}
