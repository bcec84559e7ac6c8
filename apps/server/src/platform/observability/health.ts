import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import { refuse } from '#platform/http/errors.ts';

/** Whether this node takes calls, and when somebody last asked. */
export interface Readiness {
  /** False while it starts, and from the moment a stop is planned. */
  isReady: boolean;
  /** By `performance.now()`; long ago when nobody ever did. */
  askedAt: number;
}

/** Of a node that nobody has asked yet. */
export function createReadiness(isReady: boolean): Readiness {
  return { isReady, askedAt: Number.NEGATIVE_INFINITY };
}

/**
 * `/healthz`: the process lives. `/readyz`: it can serve, database included; red as soon as a stop is planned (trust §8 f).
 * Answers of a node that is not ready end their connection: who calls next goes elsewhere, and no call is on its way on a
 * connection that closes.
 */
export function serveHealth(app: FastifyInstance, pool: pg.Pool, readiness: Readiness): void {
  app.addHook('onSend', async (_request, reply) => {
    if (!readiness.isReady) reply.header('connection', 'close');
  });
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async () => {
    readiness.askedAt = performance.now();
    if (!readiness.isReady) refuse('server.unavailable');
    await pool.query('select 1').catch(() => refuse('server.unavailable'));
    return { status: 'ready' };
  });
}
