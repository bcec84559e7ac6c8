import { isId } from '@steward/contract/api/fields';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#platform/deps.ts';
import { describeLimit } from '#platform/described-limits.ts';
import { Refusal, refuse, toRefusal } from '#platform/http/errors.ts';
import { getOrigin } from '#platform/http/http.ts';
import { getNetwork } from '#platform/http/network.ts';
import type { Throttle } from '#platform/security/throttle.ts';
import type { Providers } from '../provider/providers.client.ts';
import { createBackChannel } from './logout.actions.ts';

const FORM = 'application/x-www-form-urlencoded';
const BODY_MAX = 64 * 1024;
/** Limits the logouts of one connection, because each verifies a signature. */
const LOGOUTS = describeLimit({
  name: 'sso.logouts',
  counts: 'logouts by the identity provider of a team',
  attempts: 3_000,
  seconds: 60,
});

/** Anyone can send tokens that are refused. Many networks together can use up the limit of a connection. */
const REFUSED = describeLimit({
  name: 'sso.refused_logouts',
  counts: 'refused logout tokens of a connection',
  attempts: 600,
  seconds: 60,
});
const REFUSED_FROM = describeLimit({
  name: 'sso.refused_logouts_network',
  counts: 'refused logout tokens from a network',
  attempts: 60,
  seconds: 60,
});

/** The response reveals nothing about sessions. */
export function logoutRoutes(app: FastifyInstance, deps: Deps, providers: Providers): void {
  const channel = createBackChannel(deps, providers);
  // In its own scope, because any website could send a form: no other call accepts one.
  app.register((scope, _options, ready) => {
    scope.addContentTypeParser(FORM, { parseAs: 'string', bodyLimit: BODY_MAX }, (_request, body, done) => {
      done(null, new URLSearchParams(body as string));
    });
    scope.setErrorHandler((error, request, reply) => {
      const { status, retryAfter } = toRefusal(error);
      request.log.info({ request_id: request.id, err: error }, 'logout refused');
      // A provider retries after a temporary error of this server.
      const isOurs = status === 429 || status >= 500;
      if (isOurs && retryAfter !== undefined) reply.header('retry-after', String(retryAfter));
      return reply.code(isOurs ? status : 400).send({ error: 'invalid_request' });
    });
    scope.post('/auth/oidc/:connectionId/logout', { bodyLimit: BODY_MAX }, async (request, reply) => {
      const { connectionId } = request.params as { connectionId: string };
      const tokens = request.body instanceof URLSearchParams ? request.body.getAll('logout_token') : [];
      const [token] = tokens;
      if (token === undefined || tokens.length > 1 || !isId(connectionId)) throw new Refusal('request.invalid');
      const origin = getOrigin(request);
      await limitRefused(deps.throttle, { connectionId, network: getNetwork(origin.address) }, async () => {
        if (!(await deps.throttle.allows(LOGOUTS, connectionId))) refuse('rate.limited');
        if (!(await channel.logOut(connectionId, token, origin))) refuse('request.invalid');
      });
      return reply.code(200).header('cache-control', 'no-store').send('');
    });
    ready();
  });
}

/** Does no work while a limit of refused tokens is reached; counts the token if the work fails. */
async function limitRefused(
  throttle: Throttle,
  { connectionId, network }: { connectionId: string; network: string },
  work: () => Promise<void>,
): Promise<void> {
  const limits = [[REFUSED_FROM, network] as const, [REFUSED, connectionId] as const];
  for (const [limit, key] of limits) {
    const seconds = await throttle.secondsLeft(limit, key);
    if (seconds > 0) refuse('rate.limited', undefined, seconds);
  }
  try {
    await work();
  } catch (error) {
    for (const [limit, key] of limits) await throttle.allows(limit, key);
    throw error;
  }
}
