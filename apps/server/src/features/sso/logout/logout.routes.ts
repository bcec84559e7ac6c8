import { isId } from '@steward/contract/api/fields';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#platform/deps.ts';
import { describeLimit } from '#platform/described-limits.ts';
import { Refusal, toRefusal } from '#platform/http/errors.ts';
import { getOrigin } from '#platform/http/http.ts';
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
      if (!(await deps.throttle.allows(LOGOUTS, connectionId))) throw new Refusal('rate.limited');
      const isDone = await channel.logOut(connectionId, token, getOrigin(request));
      if (!isDone) throw new Refusal('request.invalid');
      return reply.code(200).header('cache-control', 'no-store').send('');
    });
    ready();
  });
}
