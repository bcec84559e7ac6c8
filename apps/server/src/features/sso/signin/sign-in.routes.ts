import type { ErrorId } from '@steward/contract/api/errors';
import { getLoginOptions } from '@steward/contract/session/login-options';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { describeLimit } from '#platform/described-limits.ts';
import { refuse } from '#platform/http/errors.ts';
import { getOrigin, serve } from '#platform/http/http.ts';
import { getNetwork } from '#platform/http/network.ts';
import type { Access } from '#workspace/access/access.ts';
import { toStorableId } from '#workspace/access/access.ts';
import { toSsoPath } from '#workspace/access/enter-team.ts';
import { readDeviceCookie, setSessionCookies } from '#workspace/access/sessions/cookies.ts';
import { findProvedDomain } from '#workspace/people/identity-providers/connections.store.ts';
import { formatCauses, toErrorId } from '../provider/failure.ts';
import { begin, type SignInFeature } from './begin.actions.ts';
import { complete } from './complete.actions.ts';
import { renderGoingOn } from './continue-page.ts';
import { toReturnPath } from './return-path.ts';
import { clearTransactionCookie, readTransactionCookie, setTransactionCookie } from './transaction-cookie.ts';

/** Limits the sign-ins and address lookups of one network. */
const BEGINNINGS = describeLimit({
  name: 'sso.beginnings',
  counts: 'single sign-ons that a network begins',
  attempts: 300,
  seconds: 600,
  beyond: 'the sign-in page says so',
});
const QUESTIONS = describeLimit({
  name: 'sso.questions',
  counts: 'questions of a network about how an address signs in',
  attempts: 600,
  seconds: 600,
});

type Params = { connectionId: string };
type Query = Record<string, string | string[] | undefined>;

export function signInRoutes(app: FastifyInstance, feature: SignInFeature, access: Access): void {
  const { deps } = feature;

  serve(app, getLoginOptions, access.anyone, async ({ body, origin }) => {
    if (!(await deps.throttle.allows(QUESTIONS, getNetwork(origin.address)))) refuse('rate.limited');
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
      if (!(await deps.throttle.allows(BEGINNINGS, getNetwork(getOrigin(request).address)))) refuse('rate.limited');
      const begun = await begin(feature, {
        connectionId: toStorableId(connectionId),
        returnPath: toReturnPath(query.return),
        isReauth,
        who: await access.anyoneKnown(request),
      });
      setTransactionCookie(deps.env, reply, begun.token);
      return reply.redirect(begun.location, 303);
    } catch (error) {
      const [id, why] = [toErrorId(error), formatCauses(error)];
      deps.log.warn({ request_id: request.id, connection: connectionId, reason: id, why }, 'single sign-on failed');
      return explain(reply, { id, isReauth });
    }
  });

  app.get('/auth/oidc/:connectionId/callback', async (request, reply) => {
    const completed = await complete(feature, {
      connectionId: toStorableId((request.params as Params).connectionId),
      url: new URL(request.url, deps.env.publicUrl),
      token: readTransactionCookie(deps.env, request),
      device: readDeviceCookie(deps.env, request),
      origin: getOrigin(request),
    });
    clearTransactionCookie(deps.env, reply);
    if (completed.kind === 'failed') return explain(reply, completed);
    if (completed.kind === 'again') {
      setTransactionCookie(deps.env, reply, completed.token);
      return reply.redirect(completed.location, 303);
    }
    if (completed.session !== null) {
      setSessionCookies(deps.env, reply, completed.session);
      deps.activity.note(completed.session.personId);
    }
    return goOn(reply, completed.returnPath);
  });
}

/**
 * Sends a page of this site that continues to the path: a redirect would count as cross-site, and the browser would omit the
 * cookies that were just set.
 */
function goOn(reply: FastifyReply, path: string): FastifyReply {
  return reply.type('text/html; charset=utf-8').send(renderGoingOn(path));
}

/**
 * Redirects to a page with the error message. A session that wasn't confirmed is still valid, so that page isn't the sign-in
 * page.
 */
function explain(reply: FastifyReply, { id, isReauth }: { id: ErrorId; isReauth: boolean }): FastifyReply {
  return reply.redirect(`${isReauth ? '/identity_confirmed' : '/login'}?error=${id}`, 303);
}
