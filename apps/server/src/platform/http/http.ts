import { type Answer, type AnyEndpoint, API_BASE, type Received } from '@steward/contract/api/endpoint';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Trx } from '#platform/database/database.ts';
import type { Caller, CallLimits } from '#platform/security/call-limits.ts';
import { refuse } from './errors.ts';
import { isLoopbackHost } from './local.ts';
import { readAddress } from './network.ts';
import { createResponseSerializer } from './response-serializer.ts';

/**
 * Authorizes a request and returns the caller for the handler. Runs before the body is read, and again in the transaction of
 * a change, in which it reads with `trx`.
 */
export type Guard<Who> = (request: FastifyRequest, trx?: Trx) => Promise<Who>;

/** Runs the guard of a request again, in a transaction. */
export type Authorize<Who> = (trx: Trx) => Promise<Who>;

/** The source of a request, for audit rows and logs. */
export interface Origin {
  requestId: string;
  address: string;
  userAgent: string;
}

export interface Call<E extends AnyEndpoint, Who> extends Received<E> {
  who: Who;
  authorize: Authorize<Who>;
  origin: Origin;
  request: FastifyRequest;
  reply: FastifyReply;
}

declare module 'fastify' {
  interface FastifyInstance {
    callLimits: CallLimits;
  }
  interface FastifyRequest {
    who: unknown;
  }
}

/**
 * The address is the socket's unless TRUST_PROXY names the proxy. A request through a proxy that doesn't tell a readable address is
 * refused, because limits and allowed networks depend on it.
 */
export function getAddress(request: FastifyRequest): string {
  return readAddress(request.ip) ?? refuse('request.no_address');
}

export function getOrigin(request: FastifyRequest): Origin {
  const userAgent = request.headers['user-agent'] ?? '';
  return { requestId: request.id, address: getAddress(request), userAgent: userAgent.slice(0, 300) };
}

/**
 * Serves an endpoint of the contract. The guard runs again once a body has arrived: its sender can take half a minute for it,
 * and lose the right in that time. A handler that writes does so with `inAuthorizedTransaction`.
 */
// biome-ignore lint/complexity/useMaxParams: a route reads as one sentence: app, endpoint, guard, handler
export function serve<E extends AnyEndpoint, Who>(
  app: FastifyInstance,
  definition: E,
  guard: Guard<Who>,
  handler: (call: Call<E, Who>) => Promise<Answer<E>>,
): void {
  serveGuardedOnce(app, definition, guard, async (call) => {
    if (call.request.body !== undefined) call.who = await guard(call.request);
    return handler(call);
  });
}

/**
 * Guard, request schemas, handler, and a response reduced to its schema. Checks run in the order session, team role, request,
 * object, so that an error reveals nothing that the caller may not know.
 */
// biome-ignore lint/complexity/useMaxParams: the same signature as serve()
export function serveGuardedOnce<E extends AnyEndpoint, Who>(
  app: FastifyInstance,
  definition: E,
  guard: Guard<Who>,
  handler: (call: Call<E, Who>) => Promise<Answer<E>>,
): void {
  const strip = createResponseSerializer(definition.answer);
  app.route({
    method: definition.method,
    url: API_BASE + definition.path,
    config: { endpoint: definition.name },
    ...(definition.bodyLimit === undefined ? {} : { bodyLimit: definition.bodyLimit }),
    onRequest: async (request) => {
      request.who = await guard(request);
      requireType(request, definition.accepts);
    },
    handler: async (request, reply) => {
      const call = {
        params: definition.params?.parse(request.params),
        query: definition.query?.parse(request.query),
        body: definition.body?.parse(request.body),
        who: request.who as Who,
        authorize: (trx) => guard(request, trx),
        get origin() {
          return getOrigin(request);
        },
        request,
        reply,
      } as Call<E, Who>;
      if (definition.costs) app.callLimits.count(definition, call, getCaller(request));
      const answer = await handler(call);
      if (definition.success) reply.code(definition.success);
      return strip(answer);
    },
  });
}

function getCaller(request: FastifyRequest): Caller {
  const { userId = '' } = (request.who ?? {}) as { userId?: string };
  const { teamId = '' } = request.params as { teamId?: string };
  return { userId, teamId };
}

const CHANGING = new Set(['POST', 'PUT', 'DELETE', 'PATCH']);

/** Any website can send a form or text body without a CORS preflight, but no JSON. */
function requireType(request: FastifyRequest, accepts: AnyEndpoint['accepts']): void {
  if (!CHANGING.has(request.method)) return;
  const type = request.headers['content-type'];
  const name = type?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (accepts === undefined) {
    if (type !== undefined && name !== 'application/json') refuse('request.not_json');
  } else if (accepts === 'application/x-ndjson') {
    if (name !== accepts) refuse('request.not_ndjson');
  } else if (!accepts.some((accepted) => accepted === name)) {
    refuse('request.not_image');
  }
}

/** Rejects a request without a Host header or with several, because a proxy may have used another one than we would. */
export function rejectAmbiguousHost({ raw }: FastifyRequest): void {
  const { rawHeaders, httpVersion } = raw;
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === 'host'.length && name.toLowerCase() === 'host') hosts += 1;
  }
  if (hosts > 1 || (hosts === 0 && httpVersion !== '1.0')) refuse('request.invalid');
}

/** Rejects cross-site requests that change something: their Origin must be the whole origin of `publicUrl`. */
export function rejectCrossSite(publicUrl: string): (request: FastifyRequest) => void {
  const own = new URL(publicUrl).origin;
  // A server on this machine has several names, and the portal's development server has its own port.
  const isLocal = isLoopbackHost(new URL(publicUrl).hostname);
  return (request) => {
    if (!CHANGING.has(request.method)) return;
    const site = request.headers['sec-fetch-site'];
    if (site !== undefined && site !== 'same-origin' && site !== 'none') refuse('request.cross_site');
    const origin = request.headers.origin;
    if (origin === undefined || origin === own) return;
    const isOwnHost = origin === `http://${request.headers.host}` && isLoopbackHost(new URL(origin).hostname);
    if (!isLocal || !isOwnHost) refuse('request.cross_site');
  };
}
