import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { Env } from '#platform/env.ts';
import { refuse } from '#platform/http/errors.ts';
import { isLoopbackHost } from '#platform/http/local.ts';

/** Passkeys belong to a host name, and work on pages of these origins. */
export interface RelyingParty {
  id: string;
  name: string;
  origins: string[];
}

/** Loaded by the first call about a passkey, because the library and its certificate parsers take several MiB of memory. */
export const loadWebauthn = () => import('@simplewebauthn/server');

const getHost = (env: Env) => new URL(env.publicUrl).hostname;

/** Browsers refuse passkeys for IP addresses. */
export function supportsPasskeys(env: Env): boolean {
  const host = getHost(env);
  return isIP(host.replace(/^\[|\]$/g, '')) === 0;
}

/** The relying party, by PUBLIC_URL alone. On this machine a page may have another port, as in development. */
export function getRelyingParty(env: Env, request: FastifyRequest): RelyingParty {
  if (!supportsPasskeys(env)) refuse('passkey.unsupported');
  const host = getHost(env);
  const own = new URL(env.publicUrl).origin;
  const local = isLoopbackHost(host) ? [`http://${request.headers.host}`] : [];
  return { id: host, name: env.PRODUCT_NAME, origins: [own, ...local] };
}
