import { DELIVERY_MAX } from '@steward/contract/api/limits';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '#platform/deps.ts';
import { describeLimit } from '#platform/described-limits.ts';
import { errorBody, Refusal, refuse, toRefusal } from '#platform/http/errors.ts';
import { getNetwork, readAddress } from '#platform/http/network.ts';
import { createFairQueue } from '#platform/jobs/fair-queue.ts';
import { hashToken } from '#platform/security/secrets.ts';
import { isOpen } from './deliveries/deliveries.store.ts';
import { createDeliveryStore } from './deliveries/store-delivery.actions.ts';
import {
  type CalledIntegration,
  findIntegrationByKey,
  type IntegrationKey,
  type Refusals,
  recordRefusals,
} from './integrations.store.ts';
import { PROVIDERS } from './providers/registry.ts';
import type { Rendering } from './rendering/renderer.ts';

const CONNECTIONS = describeLimit({
  name: 'integrations.connections',
  counts: 'database connections of incoming deliveries; teams take turns',
  atOnce: 3,
  waitingPerKey: 500,
  waiting: 2_000,
});
/** Before the team is known. A service sends the deliveries of all its customers from a few networks. */
const LOOKUPS = { atOnce: 3, waitingPerKey: 1_500, waiting: 2_000 };
/** Some services don't retry if this is 60 seconds or more. */
const RETRY_AFTER_S = 10;

/**
 * Serves the URLs that services deliver to. Sessions don't apply: the key in the path identifies the integration, and the
 * provider authenticates the request. Many services retry only after 429 or 503, so anything that could succeed later gets
 * one of these; an authentic request gets 200, whatever it contains.
 */
export function hookRoutes(app: FastifyInstance, rendering: Rendering): void {
  const { deps } = rendering;
  const queue = createFairQueue(CONNECTIONS);
  const lookups = createFairQueue(LOOKUPS);
  const storeDelivery = createDeliveryStore(rendering, queue);
  const refusedCalls = createRefusedCalls(deps);
  app.addHook('onClose', () => refusedCalls.close());
  const receivers = new Map(PROVIDERS.map((provider) => [provider.code, provider.createReceiver(deps)]));
  app.register((scope, _options, done) => {
    // Signatures cover the raw bytes, whatever the content type.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: FastifyRequest, body: Buffer) => body);
    scope.post('/api/v4/hooks/:provider/:pathKey', {
      config: { endpoint: 'receiveDelivery', hidesPath: true },
      bodyLimit: DELIVERY_MAX,
      decompress: false,
      errorHandler: createErrorHandler(refusedCalls),
      onRequest: async (request) => {
        const { provider, pathKey } = request.params as { provider: string; pathKey: string };
        const find = () => findIntegrationByKey(deps.db, hashToken(pathKey));
        const integration = await lookups.run({ key: getNetwork(readAddress(request.ip) ?? '') }, find);
        if (integration?.code !== provider) refuse('request.not_found');
        request.who = integration;
      },
      handler: async (request) => {
        const integration = request.who as CalledIntegration;
        const receive = receivers.get(integration.code);
        if (!receive || !isOpen(integration.state)) return { status_code: 200 };
        const body = (request.body as Buffer | undefined) ?? Buffer.alloc(0);
        for (const delivery of await receive(integration, { headers: request.headers, body }))
          await storeDelivery(integration, delivery);
        return { status_code: 200 };
      },
    });
    done();
  });
}

/** After a server error or a conflict, the sender gets a status on which it retries. Other refused calls are counted. */
function createErrorHandler(refusedCalls: RefusedCalls) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const known = toRefusal(error);
    const integration = request.who as CalledIntegration | null;
    const isServerError = known.status >= 500 || known.status === 409;
    if (isServerError)
      request.log.error({ request_id: request.id, integration: integration?.id, err: error }, 'delivery not stored');
    else if (integration) {
      const place = { teamId: integration.team_id, integrationId: integration.id };
      void refusedCalls.add(place, known.message);
    }
    const refusal = isServerError ? new Refusal('server.unavailable') : known;
    if (isServerError || refusal.status === 429) reply.header('retry-after', String(RETRY_AFTER_S));
    return reply.code(refusal.status).type('application/json; charset=utf-8').send(errorBody(refusal, request.id));
  };
}

/** A flood of refused calls costs one write and one line of the log in this time, whatever is sent. */
const WRITES_MS = 2_000;

interface RefusedCalls {
  /** Never throws. */
  add(place: IntegrationKey, reason: string): Promise<void>;
  /** Writes what is waiting, before the process ends. */
  close(): Promise<void>;
}

/**
 * Counts refused calls of integrations, without a row for each: a caller who knows a URL, but not its secret, must not be able
 * to fill a table or the log. The first call is written at once, those after it together. A killed process loses the last of them.
 */
function createRefusedCalls({ db, log }: Pick<Deps, 'db' | 'log'>): RefusedCalls {
  /** Calls that aren't written yet, of integrations that were written in the last seconds. */
  const waiting = new Map<string, { place: IntegrationKey; timer: NodeJS.Timeout; refusals: Refusals | undefined }>();

  const write = async (place: IntegrationKey, refusals: Refusals): Promise<void> => {
    log.info({ integration: place.integrationId, ...refusals }, 'deliveries refused');
    await recordRefusals(db, place, refusals).catch((error) => log.warn({ err: error }, 'refusals were not counted'));
  };
  const pause = (place: IntegrationKey) => {
    const timer = setTimeout(() => {
      const due = waiting.get(place.integrationId);
      waiting.delete(place.integrationId);
      if (due?.refusals === undefined) return;
      pause(place);
      void write(place, due.refusals);
    }, WRITES_MS);
    timer.unref();
    waiting.set(place.integrationId, { place, timer, refusals: undefined });
  };
  return {
    async add(place, reason) {
      const paused = waiting.get(place.integrationId);
      if (paused) {
        paused.refusals = { count: (paused.refusals?.count ?? 0) + 1, reason };
        return;
      }
      pause(place);
      await write(place, { count: 1, reason });
    },
    async close() {
      for (const { place, timer, refusals } of waiting.values()) {
        clearTimeout(timer);
        if (refusals) await write(place, refusals);
      }
      waiting.clear();
    },
  };
}
