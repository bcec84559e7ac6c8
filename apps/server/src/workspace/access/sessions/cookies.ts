import { DEVICE_DAYS } from '@steward/contract/api/limits';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Env } from '#platform/env.ts';

/**
 * Session token (not readable by scripts), user id (tells the page that there may be a session), and the token by which the
 * browser is known at the next sign-in.
 */
function namesFor(env: Env): { token: string; user: string; device: string; secure: boolean } {
  const secure = env.publicUrl.startsWith('https:');
  // The prefix binds a cookie to this host alone, and browsers only keep it over TLS.
  const prefix = secure ? '__Host-' : '';
  return { token: `${prefix}steward_token`, user: `${prefix}steward_user`, device: `${prefix}device`, secure };
}

/** The session token of a request; undefined if there is none or it isn't well-formed. */
export function readSessionCookie(env: Env, request: FastifyRequest): string | undefined {
  return toToken(request.cookies[namesFor(env).token]);
}

export function readDeviceCookie(env: Env, request: FastifyRequest): string | undefined {
  return toToken(request.cookies[namesFor(env).device]);
}

function toToken(value: string | undefined): string | undefined {
  return value !== undefined && /^[A-Za-z0-9_-]{43}$/.test(value) ? value : undefined;
}

export function setSessionCookies(
  env: Env,
  reply: FastifyReply,
  session: { token: string; userId: string; device: string },
): void {
  const { token, user, device, secure } = namesFor(env);
  const shared = { path: '/', sameSite: 'strict' as const, secure, maxAge: env.SESSION_HOURS * 3600 };
  reply.setCookie(token, session.token, { ...shared, httpOnly: true });
  reply.setCookie(user, session.userId, shared);
  const lasting = { path: '/', sameSite: 'lax' as const, secure, httpOnly: true, maxAge: DEVICE_DAYS * 24 * 3600 };
  reply.setCookie(device, session.device, lasting);
}

/** Removes the cookies of the session. The browser is still known when the user signs in again. */
export function clearSessionCookies(env: Env, reply: FastifyReply): void {
  const { token, user, secure } = namesFor(env);
  reply.clearCookie(token, { path: '/', sameSite: 'strict', secure, httpOnly: true });
  reply.clearCookie(user, { path: '/', sameSite: 'strict', secure });
}
