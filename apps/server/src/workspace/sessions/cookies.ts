import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Env } from '#platform/env.ts';

/** Session token (not readable by scripts) and user id (tells the page that there may be a session). */
function namesFor(env: Env): { token: string; user: string; secure: boolean } {
  const secure = env.publicUrl.startsWith('https:');
  // The prefix binds a cookie to this host alone, and browsers only keep it over TLS.
  const prefix = secure ? '__Host-' : '';
  return { token: `${prefix}steward_token`, user: `${prefix}steward_user`, secure };
}

/** The session token of a request; undefined if there is none or it isn't well-formed. */
export function readSessionCookie(env: Env, request: FastifyRequest): string | undefined {
  const value = request.cookies[namesFor(env).token];
  return value !== undefined && /^[A-Za-z0-9_-]{43}$/.test(value) ? value : undefined;
}

/** Sets both cookies for a new session. */
export function setSessionCookies(env: Env, reply: FastifyReply, session: { token: string; personId: string }): void {
  const { token, user, secure } = namesFor(env);
  const shared = { path: '/', sameSite: 'strict' as const, secure, maxAge: env.SESSION_HOURS * 3600 };
  reply.setCookie(token, session.token, { ...shared, httpOnly: true });
  reply.setCookie(user, session.personId, shared);
}

/** Removes both cookies. */
export function clearSessionCookies(env: Env, reply: FastifyReply): void {
  const { token, user, secure } = namesFor(env);
  reply.clearCookie(token, { path: '/', sameSite: 'strict', secure, httpOnly: true });
  reply.clearCookie(user, { path: '/', sameSite: 'strict', secure });
}
