import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Env } from '#platform/env.ts';

const SECONDS = 600;

function describe({ publicUrl }: Env) {
  const secure = publicUrl.startsWith('https:');
  // Must be Lax, because the provider's response comes from another site.
  const options = { path: '/', sameSite: 'lax' as const, secure, httpOnly: true };
  return { name: secure ? '__Host-steward_sso' : 'steward_sso', options };
}

/** The cookie binds a sign-in to its browser. */
export function setTransactionCookie(env: Env, reply: FastifyReply, token: string): void {
  const { name, options } = describe(env);
  reply.setCookie(name, token, { ...options, maxAge: SECONDS });
}

/** Returns undefined if the cookie is absent or malformed. */
export function readTransactionCookie(env: Env, request: FastifyRequest): string | undefined {
  const token = request.cookies[describe(env).name];
  return token !== undefined && /^[A-Za-z0-9_-]{43}$/.test(token) ? token : undefined;
}

export function clearTransactionCookie(env: Env, reply: FastifyReply): void {
  const { name, options } = describe(env);
  reply.clearCookie(name, options);
}
