import { REFUSAL_COOKIE } from '@steward/contract/api/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Env } from '#platform/env.ts';
import { hashToken } from '#platform/security/secrets.ts';

const SECONDS = 600;
/** Sign-ins on their way in one browser. Another site can begin them, so the oldest gives way. */
const AT_ONCE = 5;

/** The cookies bind a sign-in to its browser: on its way to the provider, and once the user has arrived. */
type Stage = 'sso' | 'sso_arrived';

/** Each sign-in has a cookie of its own, so that several tabs can sign in at once. */
interface TransactionCookie {
  stage: Stage;
  id: string;
}

/** Names a cookie after the state that the provider sends back, or after the token of an arrived sign-in. */
export const toCookieId = (secret: string): string => hashToken(secret).slice(0, 22);

/** An id that is malformed, as a browser can send it, names no cookie that is ever set. */
function toName(env: Env, { stage, id }: TransactionCookie): string {
  return toPrefix(env, stage) + (/^[A-Za-z0-9_-]{22}$/.test(id) ? id : '');
}

function toPrefix({ publicUrl }: Env, stage: Stage): string {
  return `${publicUrl.startsWith('https:') ? '__Host-' : ''}steward_${stage}.`;
}

function getOptions({ publicUrl }: Env, stage: Stage) {
  // The provider's response comes from another site, so the first one must be Lax. No other site may finish a sign-in.
  const sameSite = stage === 'sso' ? ('lax' as const) : ('strict' as const);
  return { path: '/', sameSite, secure: publicUrl.startsWith('https:'), httpOnly: true };
}

export function setTransactionCookie(
  env: Env,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  { stage, id, token }: TransactionCookie & { token: string },
): void {
  const [prefix, options] = [toPrefix(env, stage), getOptions(env, stage)];
  // Browsers send the oldest first.
  const others = Object.keys(request.cookies).filter((name) => name.startsWith(prefix));
  for (const name of others.slice(0, Math.max(0, others.length + 1 - AT_ONCE))) reply.clearCookie(name, options);
  reply.setCookie(prefix + id, token, { ...options, maxAge: SECONDS });
}

/** Returns undefined if the cookie is absent or malformed. */
export function readTransactionCookie(
  env: Env,
  request: FastifyRequest,
  cookie: TransactionCookie,
): string | undefined {
  const token = request.cookies[toName(env, cookie)];
  return token !== undefined && /^[A-Za-z0-9_-]{43}$/.test(token) ? token : undefined;
}

export function clearTransactionCookie(env: Env, reply: FastifyReply, cookie: TransactionCookie): void {
  reply.clearCookie(toName(env, cookie), getOptions(env, cookie.stage));
}

/** Seconds until the page that shows the message has been opened. */
const REFUSAL_SECONDS = 60;

/**
 * Gives the sign-in page a message that names a team and an owner. In the address of the page, anyone could send such a message
 * with a link.
 */
export function setRefusalCookie({ publicUrl }: Env, reply: FastifyReply, message: string): void {
  const secure = publicUrl.startsWith('https:');
  const name = `${secure ? '__Host-' : ''}${REFUSAL_COOKIE}`;
  reply.setCookie(name, message, { path: '/', sameSite: 'strict', secure, maxAge: REFUSAL_SECONDS });
}
