import type { FastifyInstance, FastifyRequest } from 'fastify';
import type pg from 'pg';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { refuse } from '#platform/http/errors.ts';
import { countJobs } from '#platform/jobs/job-log.ts';
import { countMails } from '#platform/mail/mail-log.ts';
import { hashToken } from '#platform/security/secrets.ts';

/**
 * Whether a request comes straight from this machine: over loopback, by a loopback name and not through a proxy.
 * A page of the web cannot pass by a name of its own that points here, since the Host header would carry that name.
 */
export function isLocal(request: FastifyRequest): boolean {
  const { headers } = request;
  const proxied =
    headers.forwarded !== undefined || headers['x-forwarded-for'] !== undefined || headers.via !== undefined;
  const socket = request.socket.remoteAddress ?? '';
  const loopback = socket === '::1' || /^(?:::ffff:)?127\./.test(socket);
  return loopback && !proxied && /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i.test(headers.host ?? '');
}

/** Serves `/metrics` for Prometheus: to this machine only, or to who has METRICS_TOKEN when one is set (trust, abuse 48). */
export function serveMetrics(app: FastifyInstance, pool: pg.Pool, token: string | undefined): void {
  const register = new Registry();
  collectDefaultMetrics({ register });
  const seconds = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time to answer, by endpoint and status',
    labelNames: ['endpoint', 'status'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [register],
  });
  new Gauge({
    name: 'database_connections',
    help: 'Connections of this process, by state',
    labelNames: ['state'],
    registers: [register],
    collect() {
      this.set({ state: 'open' }, pool.totalCount);
      this.set({ state: 'idle' }, pool.idleCount);
      this.set({ state: 'waiting' }, pool.waitingCount);
    },
  });
  countStates(register, 'mails', {
    help: 'Mails of the last 24 hours, by what became of them',
    of: () => countMails(pool),
  });
  countStates(register, 'jobs', {
    help: 'Background work: waiting, and failed for good in 24 hours',
    of: () => countJobs(pool),
  });
  app.addHook('onResponse', async (request, reply) => {
    const endpoint = (request.routeOptions.config as { endpoint?: string }).endpoint ?? 'other';
    seconds.observe({ endpoint, status: String(reply.statusCode) }, reply.elapsedTime / 1000);
  });
  app.get('/metrics', async (request, reply) => {
    const given = request.headers.authorization?.replace(/^Bearer /, '') ?? '';
    const allowed = token === undefined ? isLocal(request) : hashToken(given) === hashToken(token);
    if (!allowed) refuse('request.not_found');
    return reply.type(register.contentType).send(await register.metrics());
  });
}

function countStates(
  register: Registry,
  name: string,
  { help, of }: { help: string; of: () => Promise<{ state: string; count: number }[]> },
): void {
  new Gauge({
    name,
    help,
    labelNames: ['state'],
    registers: [register],
    async collect() {
      // A database that is away must not take the other figures with it.
      const counts = await of().catch(() => []);
      this.reset();
      for (const { state, count } of counts) this.set({ state }, count);
    },
  });
}
