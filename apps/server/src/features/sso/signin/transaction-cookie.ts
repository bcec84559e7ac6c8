import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Env } from '#platform/env.ts';

const SECONDS = 600;

/** The cookies bind a sign-in to its browser: on its way to the provider, and once the user has arrived. */
type Stage = 'sso' | 'sso_arrived';

function describe({ publicUrl }: Env, stage: Stage) {
  const secure = publicUrl.startsWith('https:');
  // The provider's response comes from another site, so the first one must be Lax. No other site may finish a sign-in.
  const sameSite = stage === 'sso' ? ('lax' as const) : ('strict' as const);
  return {
    name: `${secure ? '__Host-' : ''}steward_${stage}`,
    options: { path: '/', sameSite, secure, httpOnly: true },
  };
}

export function setTransactionCookie(
  env: Env,
  reply: FastifyReply,
  { token, stage = 'sso' }: { token: string; stage?: Stage },
): void {
  const { name, options } = describe(env, stage);
  reply.setCookie(name, token, { ...options, maxAge: SECONDS });
}

/** Returns undefined if the cookie is absent or malformed. */
export function readTransactionCookie(env: Env, request: FastifyRequest, stage: Stage = 'sso'): string | undefined {
  const token = request.cookies[describe(env, stage).name];
  return token !== undefined && /^[A-Za-z0-9_-]{43}$/.test(token) ? token : undefined;
}

export function clearTransactionCookie(env: Env, reply: FastifyReply, stage: Stage = 'sso'): void {
  const { name, options } = describe(env, stage);
  reply.clearCookie(name, options);
}
