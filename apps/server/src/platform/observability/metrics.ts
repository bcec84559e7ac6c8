import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Env } from '#platform/env.ts';
import { refuse } from '#platform/http/errors.ts';
import { isLocal } from '#platform/http/local.ts';
import { countJobs } from '#platform/jobs/job-log.ts';
import { countMails } from '#platform/mail/mail-log.ts';
import { hashToken } from '#platform/security/secrets.ts';

export interface Metrics {
  /** Adds a gauge with a label `state`. */
  addCounts(name: string, counts: { help: string; of: () => Promise<{ state: string; count: number }[]> }): void;
}

/** Serves `/metrics` for Prometheus: with METRICS_TOKEN if it is set, otherwise only to this machine. */
export function serveMetrics(
  app: FastifyInstance,
  pool: pg.Pool,
  { METRICS_TOKEN: token, publicUrl }: Pick<Env, 'METRICS_TOKEN' | 'publicUrl'>,
): Metrics {
  const register = new Registry();
  collectDefaultMetrics({ register });
  const seconds = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Response time, by endpoint and status',
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
    help: 'Emails of the last 24 hours, by state',
    of: () => countMails(pool),
  });
  countStates(register, 'jobs', {
    help: 'Background jobs: waiting, and permanently failed within 24 hours',
    of: () => countJobs(pool),
  });
  app.addHook('onResponse', (request, reply, done) => {
    const endpoint = (request.routeOptions.config as { endpoint?: string }).endpoint ?? 'other';
    seconds.observe({ endpoint, status: String(reply.statusCode) }, reply.elapsedTime / 1000);
    done();
  });
  app.get('/metrics', async (request, reply) => {
    const given = request.headers.authorization?.replace(/^Bearer /, '') ?? '';
    const allowed = token === undefined ? isLocal(publicUrl, request) : hashToken(given) === hashToken(token);
    if (!allowed) refuse('request.not_found');
    return reply.type(register.contentType).send(await register.metrics());
  });
  return { addCounts: (name, counts) => countStates(register, name, counts) };
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
      // Without the database, the other metrics are still served.
      const counts = await of().catch(() => []);
      this.reset();
      for (const { state, count } of counts) this.set({ state }, count);
    },
  });
}
