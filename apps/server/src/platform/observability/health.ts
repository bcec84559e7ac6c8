import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Database } from '#platform/database/database.ts';
import { refuse } from '#platform/http/errors.ts';

export interface Readiness {
  /** False during startup and once a stop has begun. */
  isReady: boolean;
  /** Time of the last probe by `performance.now()`; minus infinity if there was none. */
  probedAt: number;
}

export function createReadiness(isReady: boolean): Readiness {
  return { isReady, probedAt: Number.NEGATIVE_INFINITY };
}

/**
 * `/healthz`: the process is alive. `/readyz`: it can serve calls, including the database; fails as soon as a stop begins.
 * A node that isn't ready closes the connection after each response, so that clients reconnect elsewhere and no request is in
 * flight on a closing connection.
 */
export function serveHealth(app: FastifyInstance, db: Database, readiness: Readiness): void {
  // biome-ignore lint/complexity/useMaxParams: a hook without a promise has these four
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (!readiness.isReady) reply.header('connection', 'close');
    done(null, payload);
  });
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async () => {
    readiness.probedAt = performance.now();
    if (!readiness.isReady) refuse('server.unavailable');
    await sql`select 1`.execute(db).catch(() => refuse('server.unavailable'));
    return { status: 'ready' };
  });
}
