import type { ErrorId } from '@steward/contract/api/errors';
import { getLoginOptions } from '@steward/contract/session/login-options';
import { finishSignIn, getWaitingSignIn } from '@steward/contract/sso/continue';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '#platform/deps.ts';
import { describeLimit } from '#platform/described-limits.ts';
import { refuse } from '#platform/http/errors.ts';
import { getOrigin, serve } from '#platform/http/http.ts';
import { getNetwork } from '#platform/http/network.ts';
import type { Access } from '#workspace/access/access.ts';
import { toStorableId } from '#workspace/access/access.ts';
import { type SignedIn, toSsoPath } from '#workspace/access/enter-team.ts';
import { readDeviceCookie, setSessionCookies } from '#workspace/access/sessions/cookies.ts';
import { findProvedDomain } from '#workspace/users/identity-providers/connections.store.ts';
import { formatCauses, toErrorId } from '../provider/failure.ts';
import { complete } from './complete.actions.ts';
import { describeWaiting, finishWaiting, goOn, type Visit } from './continue.actions.ts';
import type { Entered } from './enter.actions.ts';
import { type SignInFeature, startSignIn } from './start-sign-in.actions.ts';
import {
  clearTransactionCookie,
  readTransactionCookie,
  setRefusalCookie,
  setTransactionCookie,
  toCookieId,
} from './transaction-cookie.ts';

const STARTS = describeLimit({
  name: 'sso.beginnings',
  counts: 'single sign-ons that a network begins',
  attempts: 300,
  seconds: 600,
  beyond: 'the sign-in page says so',
});
const LOOKUPS = describeLimit({
  name: 'sso.questions',
  counts: 'lookups by a network of how an address signs in',
  attempts: 600,
  seconds: 600,
});

type Params = { connectionId: string };
type Query = Record<string, string | string[] | undefined>;

export function signInRoutes(app: FastifyInstance, feature: SignInFeature, access: Access): void {
  const { deps } = feature;

  serve(app, getLoginOptions, access.anyone, async ({ body, origin }) => {
    if (!(await deps.throttle.allows(LOOKUPS, getNetwork(origin.address)))) refuse('rate.limited');
    const domain = body.login_id.trim().toLowerCase().split('@').at(-1) ?? '';
    const connectionId = (await findProvedDomain(deps.db, domain))?.connection_id ?? null;
    if (connectionId === null) return { next: 'password' as const };
    return { next: 'sso' as const, sso_url: toSsoPath(connectionId) };
  });

  app.get('/auth/oidc/:connectionId/start', async (request, reply) => {
    const { connectionId } = request.params as Params;
    const query = request.query as Query;
    const isReauth = query.reauth === '1';
    try {
      if (!(await deps.throttle.allows(STARTS, getNetwork(getOrigin(request).address)))) refuse('rate.limited');
      const started = await startSignIn(feature, {
        connectionId: toStorableId(connectionId),
        returnPath: toReturnPath(query.return),
        isReauth,
        who: isOwnLink(request) ? await access.anyoneKnown(request) : null,
      });
      setTransactionCookie(deps.env, { request, reply }, { stage: 'sso', id: started.cookieId, token: started.token });
      return reply.redirect(started.location, 303);
    } catch (error) {
      const [id, why] = [toErrorId(error), formatCauses(error)];
      deps.log.warn({ request_id: request.id, connection: connectionId, reason: id, why }, 'single sign-on failed');
      return explain(deps, reply, { id, isReauth });
    }
  });

  callbackRoute(app, feature);
  continueRoutes(app, feature, access);
}

function callbackRoute(app: FastifyInstance, feature: SignInFeature): void {
  const { deps } = feature;
  app.get('/auth/oidc/:connectionId/callback', async (request, reply) => {
    const url = new URL(request.url, deps.env.publicUrl);
    const cookie = { stage: 'sso', id: toCookieId(url.searchParams.get('state') ?? '') } as const;
    const completed = await complete(feature, {
      connectionId: toStorableId((request.params as Params).connectionId),
      url,
      token: readTransactionCookie(deps.env, request, cookie),
      device: readDeviceCookie(deps.env, request),
      origin: getOrigin(request),
    });
    clearTransactionCookie(deps.env, reply, cookie);
    if (completed.kind === 'failed') return explain(deps, reply, completed);
    if (completed.kind === 'again') {
      const { cookieId: id, token } = completed;
      setTransactionCookie(deps.env, { request, reply }, { stage: 'sso', id, token });
      return reply.redirect(completed.location, 303);
    }
    if (completed.kind === 'entered') return enterPortal(deps, reply, completed);
    const id = toCookieId(completed.token);
    setTransactionCookie(deps.env, { request, reply }, { stage: 'sso_arrived', id, token: completed.token });
    return leadOn(reply, `${CONTINUE}?id=${id}`);
  });
}

const CONTINUE = '/auth/oidc/continue';

function continueRoutes(app: FastifyInstance, feature: SignInFeature, access: Access): void {
  const { deps } = feature;
  const toVisit = (request: FastifyRequest, id: string, who: SignedIn | null): Visit => ({
    token: readTransactionCookie(deps.env, request, { stage: 'sso_arrived', id }),
    who,
    device: readDeviceCookie(deps.env, request),
    origin: getOrigin(request),
  });

  app.get(CONTINUE, async (request, reply) => {
    const id = String((request.query as Query).id ?? '');
    const completed = await goOn(feature, toVisit(request, id, await access.anyoneKnown(request)));
    if (completed.kind === 'asks') return reply.redirect(`/continue_as?id=${id}`, 303);
    clearTransactionCookie(deps.env, reply, { stage: 'sso_arrived', id });
    if (completed.kind === 'entered') return enterPortal(deps, reply, completed);
    return explain(deps, reply, completed.kind === 'failed' ? completed : { id: 'sso.failed', isReauth: false });
  });

  serve(app, getWaitingSignIn, access.anyoneKnown, ({ request, query, who }) =>
    describeWaiting(feature, toVisit(request, query.id, who)),
  );

  serve(app, finishSignIn, access.anyoneKnown, async ({ request, reply, body, who }) => {
    const { session, returnPath: path } = await finishWaiting(feature, toVisit(request, body.id, who));
    clearTransactionCookie(deps.env, reply, { stage: 'sso_arrived', id: body.id });
    if (session !== null) startPortal(deps, reply, session);
    return { status_code: 200 as const, path };
  });
}

/** A link of another site, even of another host of the same domain, must not act with the session of this browser. */
function isOwnLink({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  return site !== 'cross-site' && site !== 'same-site';
}

function startPortal({ env, activity }: Deps, reply: FastifyReply, session: Entered): void {
  setSessionCookies(env, reply, session);
  activity.note(session.userId);
}

function enterPortal(
  deps: Deps,
  reply: FastifyReply,
  { session, returnPath }: { session: Entered | null; returnPath: string },
): FastifyReply {
  if (session !== null) startPortal(deps, reply, session);
  return leadOn(reply, returnPath);
}

/**
 * Sends a page of this site that leads on to the path: a redirect would count as cross-site, and the browser would omit the
 * cookies that were just set.
 */
function leadOn(reply: FastifyReply, path: string): FastifyReply {
  return reply.type('text/html; charset=utf-8').send(renderGoingOn(path));
}

/**
 * Redirects to a page with the error message. A session that wasn't confirmed is still valid, so that page isn't the sign-in
 * page.
 */
function explain(
  { env }: Deps,
  reply: FastifyReply,
  { id, isReauth, message }: { id: ErrorId; isReauth: boolean; message?: string | undefined },
): FastifyReply {
  if (message !== undefined) setRefusalCookie(env, reply, message);
  return reply.redirect(`${isReauth ? '/identity_confirmed' : '/login'}?error=${id}`, 303);
}

const ESCAPED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** The page between the provider and the portal. It has no script, because its policy forbids scripts. */
function renderGoingOn(path: string): string {
  const address = path.replace(/[&<>"]/g, (sign) => ESCAPED[sign] ?? sign);
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Signing in</title>' +
    `<meta name="color-scheme" content="light dark"><meta http-equiv="refresh" content="0;url=${address}"></head>` +
    `<body><p><a href="${address}">Continue</a></p></body></html>`
  );
}

/**
 * The path after a sign-in: one of this server, otherwise the home page, and never the start of another sign-in. Browsers remove tabs and line feeds from a URL and
 * read a backslash as a slash, so each of these could lead to another site.
 */
export function toReturnPath(value: unknown): string {
  if (typeof value !== 'string' || value.length > 1_000) return '/';
  if (!/^\/(?!\/)[\x21-\x7e]*$/.test(value) || value.includes('\\')) return '/';
  const address = new URL(value, 'http://own.invalid');
  return address.origin === 'http://own.invalid' && !/^\/(?:\/|auth(?:\/|$))/.test(address.pathname) ? value : '/';
}
