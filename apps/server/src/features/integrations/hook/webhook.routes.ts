import { DELIVERY_MAX } from '@steward/contract/api/limits';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '#platform/deps.ts';
import { errorBody, Refusal, refuse, toRefusal } from '#platform/http/errors.ts';
import { createConcurrencyLimiter } from '#platform/jobs/concurrency-limiter.ts';
import { hashToken } from '#platform/security/secrets.ts';
import { type CalledIntegration, findIntegrationByKey } from '../integrations.store.ts';
import type { SignedRequest } from '../providers/zendesk/signature.ts';
import { isConnectionTest } from './chat-text.rules.ts';
import { createReceiver } from './receive.actions.ts';
import { createVerifier } from './verify.actions.ts';
import { isOpen } from './webhook.store.ts';

/** Connections that deliveries of all teams may take from people, and how many of them may wait for one. */
const CONNECTIONS = { atOnce: 3, waiting: 2_000 };
/** The vendor comes again after so many seconds; when told 60 or more it does not. */
const COME_AGAIN_S = 10;
/** The vendor may form it as it likes. */
const INVOCATION = /^[\x21-\x7e]{1,64}$/;

/**
 * Serves the address that the help desk delivers to. No session counts here: the key in the path says whose it is, and the
 * signature that the vendor sent it. The vendor repeats only what is answered with 429 or 503, so nothing that could succeed
 * later gets another answer; what is signed gets 200, whatever it says.
 */
export function hookRoutes(app: FastifyInstance, deps: Deps): void {
  const limitConcurrency = createConcurrencyLimiter(CONNECTIONS);
  const verify = createVerifier(deps);
  const receive = createReceiver(deps, limitConcurrency);
  app.register((scope, _options, done) => {
    // The signature is over the bytes as they came, of whatever type they say they are.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: FastifyRequest, body: Buffer) => body);
    scope.post('/api/v4/hooks/zendesk/:pathKey', {
      config: { endpoint: 'receiveDelivery', hidesPath: true },
      bodyLimit: DELIVERY_MAX,
      decompress: false,
      errorHandler: replyToVendor,
      onRequest: async (request) => {
        const { pathKey } = request.params as { pathKey: string };
        const integration = await limitConcurrency(() => findIntegrationByKey(deps.db, hashToken(pathKey)));
        if (!integration) refuse('request.not_found');
        request.who = integration;
      },
      handler: async (request) => {
        const integration = request.who as CalledIntegration;
        if (!isOpen(integration.state)) return { status_code: 200 };
        const { invocationId, ...signed } = getSignedParts(request);
        await verify(integration, signed);
        const received = { invocationId, headers: keptHeaders(request), body: signed.body };
        if (!isConnectionTest(signed.body)) await receive(integration, received);
        return { status_code: 200 };
      },
    });
    done();
  });
}

/** What the signature is checked with, and the id that a delivery has in all its tries; refuses what lacks any of them. */
function getSignedParts(request: FastifyRequest): SignedRequest & { invocationId: string } {
  const timestamp = getHeader(request, 'x-zendesk-webhook-signature-timestamp');
  const signature = getHeader(request, 'x-zendesk-webhook-signature');
  const invocationId = getHeader(request, 'x-zendesk-webhook-invocation-id');
  if (timestamp === '' || signature === '' || !INVOCATION.test(invocationId)) refuse('integrations.bad_signature');
  return { timestamp, signature, invocationId, body: (request.body as Buffer | undefined) ?? Buffer.alloc(0) };
}

function getHeader({ headers }: FastifyRequest, name: string): string {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
}

const KEPT = /^(?:content-type|content-length|user-agent|x-zendesk-(?!webhook-signature$).*)$/;

/** Headers for the log: what the vendor says of the request, without what proves it and whatever an admin had added. */
function keptHeaders({ headers }: FastifyRequest): Record<string, string> {
  const kept = Object.entries(headers).filter(([name]) => KEPT.test(name));
  return Object.fromEntries(kept.map(([name, value]) => [name.slice(0, 100), String(value).slice(0, 500)]));
}

/** What went wrong on our side, and what came at a bad moment, the vendor is asked to send again. */
function replyToVendor(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = toRefusal(error);
  const isOurs = known.status >= 500 || known.status === 409;
  const about = { request_id: request.id, integration: (request.who as CalledIntegration | null)?.id };
  if (isOurs) request.log.error({ ...about, err: error }, 'delivery not stored');
  else request.log.info({ ...about, refused: known.id, address: request.ip }, 'delivery refused');
  const refusal = isOurs ? new Refusal('server.unavailable') : known;
  if (isOurs || refusal.status === 429) reply.header('retry-after', String(COME_AGAIN_S));
  return reply.code(refusal.status).type('application/json; charset=utf-8').send(errorBody(refusal, request.id));
}
