import { join } from 'node:path';
import { countUndecryptable } from '#features/integrations/connection/reseal.actions.ts';
import { createDemo, type DemoOwner } from '#operator/demo/demo.actions.ts';
import { checkBlobs, createBlobs } from '#platform/blobs/blobs.ts';
import { openData } from '#platform/database/connect.ts';
import { createDatabase, createPool, type PoolLimits } from '#platform/database/database.ts';
import { migrate } from '#platform/database/migrate.ts';
import type { Deps } from '#platform/deps.ts';
import { supervisePostgres } from '#platform/embedded-postgres/supervise-postgres.ts';
import type { Env } from '#platform/env.ts';
import { COUNT_CONCURRENCY, createConcurrencyLimiter } from '#platform/jobs/concurrency-limiter.ts';
import { createJobs } from '#platform/jobs/jobs.ts';
import { createMailbox } from '#platform/mail/mailbox.ts';
import { createReadiness } from '#platform/observability/health.ts';
import type { Logger } from '#platform/observability/log.ts';
import { releaseMemory } from '#platform/observability/release-memory.ts';
import { createSecrets } from '#platform/security/secrets.ts';
import { createThrottle } from '#platform/security/throttle.ts';
import { buildApp } from './app.ts';
import { createWorkers } from './rooms.ts';
import { createStopDeadline, drain, stopInTime, type TimeLeft, watchCalls } from './stop.ts';

export interface StartOptions {
  env: Env;
  log: Logger;
  repository: string;
  portalDirectory?: string;
  /** Time for a request to arrive completely, in milliseconds, in place of the usual one. */
  requestMs?: number | undefined;
  /** In place of the usual limits of the database. */
  limits?: PoolLimits | undefined;
}

/** A server that listens. */
export interface RunningServer {
  deps: Deps;
  url: string;
  /** Who may sign in, when this start made the demo workspace; the only time that the password is known. */
  demo: DemoOwner | undefined;
  /** Finishes what runs, then closes everything in reverse order, PostgreSQL last; gives up after 15 s (trust G20). */
  stop(): Promise<void>;
}

/** Longest statement that counts, in milliseconds. */
const SLOW_QUERY_MS = 60_000;

type Closers = ((left: TimeLeft) => Promise<unknown>)[];

/** Database, jobs, then listening; what was opened is closed again when a later step fails. */
export async function startServer(options: StartOptions): Promise<RunningServer> {
  const { env, log, portalDirectory, requestMs } = options;
  const closers: Closers = [];
  const closeAll = async (left: TimeLeft) => {
    for (const close of closers.splice(0).reverse())
      await close(left).catch((error) => log.warn({ err: error }, 'while stopping'));
  };
  try {
    const deps = await openDeps(options, closers);
    const readiness = createReadiness(false);
    const app = await buildApp(deps, { readiness, requestMs, ...(portalDirectory ? { portalDirectory } : {}) });
    const calls = watchCalls(app);
    closers.push((left) => calls.finish(left.forCalls()));
    await app.listen({ port: env.PORT, host: env.host });
    // After the port is ours: a start that fails must not have spent the demo's password.
    const demo = env.DEMO ? await createDemo(deps) : undefined;
    releaseMemory();
    readiness.isReady = true;
    const stopOnce = () =>
      stopInTime(async () => {
        const left = createStopDeadline();
        await Promise.all([deps.jobs.rest(), drain(readiness, env.DRAIN_SECONDS)]);
        await closeAll(left);
      });
    let stopping: Promise<void> | undefined;
    // A signal and an error that nobody caught may come together: whoever is second waits for the same end.
    const stop = () => {
      stopping ??= stopOnce();
      return stopping;
    };
    const { port } = app.server.address() as { port: number };
    return { deps, url: `http://${env.host === '0.0.0.0' ? 'localhost' : env.host}:${port}`, demo, stop };
  } catch (error) {
    await closeAll(createStopDeadline());
    throw error;
  }
}

async function openDeps({ env, log, repository, limits }: StartOptions, closers: Closers): Promise<Deps> {
  const place = await openData(env, repository, (line) => log.info(line));
  const blobs = createBlobs(env.FILES_URL, place.dataDir);
  if (place.embedded) {
    const { embedded } = place;
    const kept = await supervisePostgres(embedded, embedded.options);
    closers.push(() => embedded.stop());
    closers.push(() => kept.release());
  }
  await checkBlobs(blobs);
  const migrationPool = createPool(place.connection, { max: 1, name: 'steward migrate', unlimited: true });
  const applied = await migrate(createDatabase(migrationPool)).finally(() => migrationPool.end());
  if (applied.length > 0) log.info({ applied }, 'migrated');
  const pool = createPool(place.connection, { max: env.DATABASE_POOL, name: 'steward', ...limits });
  closers.push(() => pool.end());
  const slowQueryPgPool = createPool(place.connection, {
    max: COUNT_CONCURRENCY.atOnce,
    name: 'steward counting',
    statementMs: SLOW_QUERY_MS,
  });
  closers.push(() => slowQueryPgPool.end());
  const deps: Deps = {
    env,
    log,
    pool,
    db: createDatabase(pool),
    slowQueryPool: createDatabase(slowQueryPgPool),
    slowQueryLimiter: createConcurrencyLimiter(COUNT_CONCURRENCY),
    jobs: createJobs(place.connection, log),
    secrets: createSecrets(place.secretKey, env.SECRET_KEY_PREVIOUS),
    throttle: createThrottle(pool),
    mailbox: createMailbox(join(place.dataDir, 'mail')),
    blobs,
  };
  const unreadable = await countUndecryptable(deps.db, deps.secrets);
  if (unreadable > 0)
    log.error(
      { integrations: unreadable },
      'SECRET_KEY does not open stored credentials: set the key of before as SECRET_KEY_PREVIOUS, or have them entered again',
    );
  closers.push((left) => deps.jobs.stop(left.forJobs()));
  await deps.jobs.start(createWorkers(deps), { work: env.ROLES.includes('worker') });
  return deps;
}
