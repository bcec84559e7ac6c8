import { type Answer, type AnyEndpoint, API_BASE, type Received } from '@steward/contract/api/endpoint';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { refuse } from './errors.ts';
import { createResponseSerializer } from './response-serializer.ts';

/** Who may call: answers what the handler needs to know of the caller, or refuses. Runs before the body is read. */
export type Guard<Who> = (request: FastifyRequest) => Promise<Who>;

/** Where a request came from, for audit rows and logs. */
export interface Origin {
  requestId: string;
  address: string;
  userAgent: string;
}

/** A checked call, as its handler sees it. */
export interface Call<E extends AnyEndpoint, Who> extends Received<E> {
  who: Who;
  origin: Origin;
  request: FastifyRequest;
  reply: FastifyReply;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** What the route's guard answered. */
    who: unknown;
  }
}

/** Origin of a request; the address is the socket's unless TRUST_PROXY names the proxy. */
function getOrigin(request: FastifyRequest): Origin {
  const userAgent = request.headers['user-agent'] ?? '';
  return { requestId: request.id, address: request.ip, userAgent: userAgent.slice(0, 300) };
}

/**
 * Serves one endpoint of the contract: guard, then the schemas, then the handler, and an answer stripped to its schema.
 * The order is that of trust §6 R5: session, team role, shape, object.
 */
// biome-ignore lint/complexity/useMaxParams: a route reads as one sentence: app, call, who may, what happens
export function serve<E extends AnyEndpoint, Who>(
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
        origin: getOrigin(request),
        request,
        reply,
      } as Call<E, Who>;
      const answer = await handler(call);
      if (definition.success) reply.code(definition.success);
      return strip(answer) as Answer<E>;
    },
  });
}

const CHANGING = new Set(['POST', 'PUT', 'DELETE', 'PATCH']);

/** A form or text body can be sent by any page on the web without asking; JSON cannot (trust G10). */
function requireType(request: FastifyRequest, accepts: AnyEndpoint['accepts']): void {
  if (!CHANGING.has(request.method)) return;
  const type = request.headers['content-type'];
  if (accepts !== undefined) {
    if (!/^application\/x-ndjson(?:\s*;|$)/i.test(type ?? '')) refuse('request.not_ndjson');
    return;
  }
  if (type !== undefined && !/^application\/json(?:\s*;|$)/i.test(type)) refuse('request.not_json');
}

/** Refuses a request that names no host, or more than one: a proxy in front may have gone by another than we would. */
export async function rejectAmbiguousHost({ raw }: FastifyRequest): Promise<void> {
  const { rawHeaders, httpVersion } = raw;
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) if (/^host$/i.test(rawHeaders[at] ?? '')) hosts += 1;
  if (hosts > 1 || (hosts === 0 && httpVersion !== '1.0')) refuse('request.invalid');
}

/** Refuses changing requests that a page of another site made (trust G10). */
export function rejectCrossSite(publicUrl: string): (request: FastifyRequest) => Promise<void> {
  const own = new URL(publicUrl).origin;
  return async (request) => {
    if (!CHANGING.has(request.method)) return;
    const site = request.headers['sec-fetch-site'];
    if (site !== undefined && site !== 'same-origin' && site !== 'none') refuse('request.cross_site');
    const origin = request.headers.origin;
    if (origin === undefined || origin === own) return;
    if (!URL.canParse(origin) || new URL(origin).host !== request.headers.host) refuse('request.cross_site');
  };
}
