import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import { refuse } from './errors.ts';

/** `/healthz`: the process lives. `/readyz`: it can serve, database included; red as soon as a stop is planned (trust §8 f). */
export function serveHealth(app: FastifyInstance, pool: pg.Pool, isStopping: () => boolean): void {
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async () => {
    if (isStopping()) refuse('server.unavailable');
    await pool.query('select 1').catch(() => refuse('server.unavailable'));
    return { status: 'ready' };
  });
}
