import type { Socket } from 'node:net';
import { constants } from 'node:zlib';
import fastifyCompress from '@fastify/compress';
import fastifyCookie from '@fastify/cookie';
import { PICTURE_TYPES } from '@steward/contract/api/endpoint';
import {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  LogController,
} from 'fastify';
import { newId } from '#platform/database/ids.ts';
import type { Env } from '#platform/env.ts';
import type { Logger } from '#platform/observability/log.ts';
import { createCallLimits, NO_CALL_LIMITS } from '#platform/security/call-limits.ts';
import type { TrustedProxies } from '#platform/settings/trust-proxy.ts';
import { refuseOtherMethods } from './connections/allowed-methods.ts';
import { isStreaming } from './connections/body-stream.ts';
import { closeAfterTimeout, drainRequest, isDraining } from './connections/early-responses.ts';
import { errorBody, Refusal, refuse, toRefusal } from './errors.ts';
import { rejectAmbiguousHost, rejectCrossSite } from './http.ts';
import { acceptOnlyJson } from './json.ts';
import { isInNetworks, readAddress } from './network.ts';
import { isScimPath, normalizeScimUrl, SCIM_TYPE, toScimErrorBody } from './scim-errors.ts';

/** Time for a request to arrive completely, in milliseconds. */
const REQUEST_MS = 30_000;

/** Fastify with strict JSON, our error body everywhere, security headers, and one log line per request. */
export async function createServer(env: Env, log: Logger, requestMs = REQUEST_MS): Promise<FastifyInstance> {
  const securityHeaders = { ...SECURITY_HEADERS, ...(env.publicUrl.startsWith('https:') && ONLY_HTTPS) };
  const app = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    // Log lines contain the request id themselves, so no request needs a logger of its own.
    childLoggerFactory: (logger) => logger,
    genReqId: () => newId(),
    bodyLimit: 1024 * 1024,
    requestTimeout: requestMs,
    connectionTimeout: requestMs * 2,
    // Longer than the idle timeout of proxies, usually 60 seconds, so that they never send a request on a closing connection.
    keepAliveTimeout: requestMs * 2.4,
    http: {
      // Node.js swaps the two timeouts if the one for headers, 60 seconds by default, is longer.
      headersTimeout: requestMs,
      connectionsCheckingInterval: Math.ceil(requestMs / 6),
      // Node's own response has neither a body nor security headers: `rejectAmbiguousHost` sends ours.
      requireHostHeader: false,
    },
    trustProxy: trustProxy(env.TRUST_PROXY),
    // A request on a closing connection is answered normally, and then the connection ends.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 200 },
    rewriteUrl: ({ url = '/' }) => normalizeScimUrl(url),
    // Errors before routing (such as a path /%zz) get the same body and headers as all others.
    frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
      // No hooks run for these.
      void sendError(error, request, reply.headers(securityHeaders).header('x-request-id', request.id));
    },
    clientErrorHandler(error, socket) {
      sendRawError(error, socket, { requestMs, securityHeaders });
    },
  }) as unknown as FastifyInstance;
  // Other expectations than `100-continue` are ignored; Node.js would reject them with its own response.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  app.decorateRequest('who', null);
  app.decorate('callLimits', env.LIMITS === 'off' ? NO_CALL_LIMITS : createCallLimits());
  // Registered first, so that every error has these headers.
  addHeaders(app, securityHeaders);
  acceptOnlyJson(app, ['application/json']);
  limitPipelined(app);
  // Streamed by the handler; only endpoints that accept these types get here.
  app.addContentTypeParser(['application/x-ndjson', ...PICTURE_TYPES], (_request, body, done) => done(null, body));
  logRequests(app, log);
  app.setErrorHandler(sendError);
  app.setNotFoundHandler((request, reply) => sendError(new Refusal('request.not_found'), request, reply));
  refuseBeforeRouting(app, env);
  await app.register(fastifyCookie);
  await app.register(fastifyCompress, {
    threshold: 2048,
    encodings: ['br', 'gzip'],
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } },
  });
  return app as FastifyInstance;
}

/** Hooks of every call take callbacks, because a promise for each of them is measurably slower. */
function addHeaders(app: FastifyInstance, headers: Readonly<Record<string, string>>): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers).header('x-request-id', request.id);
    done();
  });
}

function refuseBeforeRouting(app: FastifyInstance, { publicUrl }: Env): void {
  const rejectOtherSites = rejectCrossSite(publicUrl);
  app.addHook('onRequest', (request, _reply, done) => {
    rejectAmbiguousHost(request);
    rejectOtherSites(request);
    done();
  });
  refuseOtherMethods(app);
}

/** Without TRUST_PROXY, forwarded addresses are ignored. */
function trustProxy(trusted: TrustedProxies | undefined): false | ((address: string, hop: number) => boolean) {
  if (trusted === undefined || trusted === 0) return false;
  if (typeof trusted === 'number') return (_address, hop) => hop < trusted;
  return (address) => isInNetworks(readAddress(address) ?? '', trusted);
}

const NO_ADDRESS =
  'refused: X-Forwarded-For names no readable address. Check TRUST_PROXY, and that the proxy sends the address of its client';

function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = toRefusal(error);
  if (refusal.status >= 500) request.log.error({ err: error, request_id: request.id }, 'request failed');
  else if (refusal.status === 401 || refusal.status === 403) {
    request.log.info(
      { request_id: request.id, refused: refusal.id, path: getPath(request), address: readAddress(request.ip) },
      'refused',
    );
  }
  // A socket that the client has closed has no address either, which is no fault of the proxy.
  if (refusal.id === 'request.no_address' && request.ip)
    request.log.warn(
      { request_id: request.id, path: getPath(request), forwarded_for: request.ip.slice(0, 100) },
      NO_ADDRESS,
    );
  if (refusal.retryAfter !== undefined) reply.header('retry-after', String(refusal.retryAfter));
  if (!request.raw.complete) {
    // Fastify would close the connection, but discarding the rest of the body keeps it usable.
    reply.removeHeader('connection');
    drainRequest(request.raw, request.server.server.requestTimeout);
  }
  reply.code(refusal.status);
  if (isScimPath(request.url)) return reply.type(SCIM_TYPE).send(toScimErrorBody(refusal));
  return reply.type('application/json; charset=utf-8').send(errorBody(refusal, request.id));
}

/** Responds to errors of the HTTP parser, for which no request exists. */
function sendRawError(
  error: Error & { code?: string },
  socket: Socket,
  { requestMs, securityHeaders }: { requestMs: number; securityHeaders: Readonly<Record<string, string>> },
): void {
  if (error.code === 'ECONNRESET' || !socket.writable || isDraining(socket)) return void socket.destroy();
  // Node's timeout covers the whole request; streams have their own timeout per chunk.
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && isStreaming(socket)) return;
  const id =
    error.code === 'HPE_HEADER_OVERFLOW' || error.code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW'
      ? 'request.too_large'
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? 'request.timeout'
        : 'request.invalid';
  const refusal = new Refusal(id);
  const body = JSON.stringify(errorBody(refusal, newId()));
  const headers = {
    ...securityHeaders,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${refusal.status} Refused\r\n${lines.join('')}\r\n${body}`);
  // Node.js checks a late request only once: a client that keeps sending slowly would keep the connection forever.
  closeAfterTimeout(socket, { over: socket, maxMs: requestMs });
}

/** The path without its query, which may contain a one-time token; only the route if the path itself contains a secret. */
function getPath(request: FastifyRequest): string {
  const { config, url } = request.routeOptions;
  if ((config as { hidesPath?: boolean }).hidesPath) return url ?? '';
  return (request.url.split('?', 1)[0] ?? '').slice(0, 200);
}

/** One line per request. Its fields contain no secrets, and redaction would take four times as long as writing it. */
function logRequests(app: FastifyInstance, log: Logger): void {
  const lines = log.child({}, { redact: [] });
  app.addHook('onResponse', (request, reply, done) => {
    const level = reply.statusCode >= 500 ? 'error' : 'info';
    lines[level](
      {
        request_id: request.id,
        method: request.method,
        path: getPath(request),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      'request',
    );
    done();
  });
}

/** With an https PUBLIC_URL, browsers must use nothing else. */
const ONLY_HTTPS = { 'strict-transport-security': 'max-age=31536000; includeSubDomains' };

/** Headers of every response, by their names in lower case. */
const SECURITY_HEADERS = {
  'cache-control': 'no-store',
  // For API responses. The portal's page overrides this policy.
  'content-security-policy': "default-src 'none';frame-ancestors 'none';base-uri 'none';form-action 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
  // Filters of old browsers could be misused to leak a page.
  'x-xss-protection': '0',
};

/** Requests of one connection that may be in progress at once. Browsers and proxies send one; Node.js would start any number. */
export const PIPELINED_MAX = 20;

/** Closes a connection with more requests in progress, because it could occupy the whole database pool. */
function limitPipelined(app: FastifyInstance): void {
  const inProgress = new WeakMap<Socket, number>();
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    const count = (inProgress.get(raw.socket) ?? 0) + 1;
    inProgress.set(raw.socket, count);
    if (count <= PIPELINED_MAX) return done();
    raw.socket.destroy();
    refuse('request.invalid', 'More requests were sent on one connection than may wait for their answers.');
  });
  app.addHook('onResponse', ({ raw }, _reply, done) => {
    inProgress.set(raw.socket, (inProgress.get(raw.socket) ?? 1) - 1);
    done();
  });
}
