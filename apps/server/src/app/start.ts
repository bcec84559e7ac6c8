import { join } from 'node:path';
import { supervisePostgres } from '@steward/embedded-postgres';
import { countUndecryptable } from '#features/integrations/connection/reseal.actions.ts';
import { offerSetUp } from '#features/signup/set-up.actions.ts';
import { checkBlobs, createBlobs } from '#platform/blobs/blobs.ts';
import { openData, openPools } from '#platform/database/connect.ts';
import { type Connection, createDatabase, createPool, type PoolLimits } from '#platform/database/database.ts';
import { migrate } from '#platform/database/migrate.ts';
import type { Deps } from '#platform/deps.ts';
import type { Env } from '#platform/env.ts';
import { COUNTS, createFairQueue } from '#platform/jobs/fair-queue.ts';
import { createJobs } from '#platform/jobs/jobs.ts';
import { createMailbox } from '#platform/mail/mailbox.ts';
import { createReadiness } from '#platform/observability/health.ts';
import type { Logger } from '#platform/observability/log.ts';
import { createSecrets } from '#platform/security/secrets.ts';
import { createThrottle } from '#platform/security/throttle.ts';
import { createActivity } from '#workspace/users/activity.ts';
import { buildApp } from './app.ts';
import { createDemo, type DemoOwner } from './demo/demo.actions.ts';
import { createWorkers } from './features.ts';
import { createStopDeadline, drain, stopInTime, type TimeLeft, watchCalls } from './stop.ts';

export interface StartOptions {
  env: Env;
  log: Logger;
  repository: string;
  portalDirectory?: string;
  /** Overrides the time for a request to arrive completely, in milliseconds. */
  requestMs?: number | undefined;
  /** Overrides the database limits. */
  limits?: PoolLimits | undefined;
  /** Overrides the time between two writes of members' last activity, in milliseconds. */
  activityMs?: number | undefined;
}

export interface RunningServer {
  deps: Deps;
  url: string;
  /** Credentials, if this start created the demo workspace. The password is never shown again. */
  demo: DemoOwner | undefined;
  /** Path of the page that creates the first team, with its one-time token; undefined if nothing is to be set up. */
  setUpPath: string | undefined;
  /** Finishes current work, then closes everything in reverse order, PostgreSQL last. Gives up after 15 seconds. */
  stop(): Promise<void>;
}

type Closers = ((left: TimeLeft) => Promise<unknown>)[];

/** Opens the database, starts jobs, then listens. If a step fails, the earlier ones are closed again. */
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
    // In parallel, because one computes while the other waits for the database.
    const [building, starting] = await Promise.allSettled([
      buildApp(deps, { readiness, requestMs, ...(portalDirectory ? { portalDirectory } : {}) }),
      deps.jobs.start(createWorkers(deps)),
    ]);
    if (building.status === 'rejected') throw building.reason;
    const app = building.value;
    const calls = watchCalls(app);
    closers.push((left) => calls.finish(left.forCalls()));
    if (starting.status === 'rejected') throw starting.reason;
    await app.listen({ port: env.PORT, host: env.host });
    // After listening, because a failed start would lose secrets that are shown once.
    const first = await prepareWorkspace(deps);
    readiness.isReady = true;
    const stopOnce = () =>
      stopInTime(async () => {
        const left = createStopDeadline();
        await Promise.all([deps.jobs.rest(), drain(readiness, env.DRAIN_SECONDS)]);
        await closeAll(left);
      });
    let stopping: Promise<void> | undefined;
    // A signal and an uncaught error may coincide; both wait for the same stop.
    const stop = () => {
      stopping ??= stopOnce();
      return stopping;
    };
    const { port } = app.server.address() as { port: number };
    return { deps, url: `http://${env.host === '0.0.0.0' ? 'localhost' : env.host}:${port}`, ...first, stop };
  } catch (error) {
    await closeAll(createStopDeadline());
    throw error;
  }
}

async function prepareWorkspace(deps: Deps): Promise<Pick<RunningServer, 'demo' | 'setUpPath'>> {
  const { env, log } = deps;
  if (env.ALLOW_INSECURE) log.warn({ allows: env.insecure }, describeInsecure(env));
  const demo = env.DEMO ? await createDemo(deps) : undefined;
  // Only processes for the web print the link, so that a cluster with one of them prints one link.
  return { demo, setUpPath: env.ROLES.includes('web') ? await offerSetUp(deps) : undefined };
}

function describeInsecure({ insecure }: Env): string {
  if (insecure.length === 0) return 'ALLOW_INSECURE=1 is set but allows nothing here: unset it';
  return `ALLOW_INSECURE=1 lets this server run although ${insecure.join('; ')}`;
}

async function migrateAll(connection: Connection, log: Logger): Promise<void> {
  const pool = createPool(connection, { max: 1, name: 'steward migrate', unlimited: true });
  const applied = await migrate(createDatabase(pool)).finally(() => pool.end());
  if (applied.length > 0) log.info({ applied }, 'migrated');
}

async function logUndecryptable({ db, secrets, log }: Deps): Promise<void> {
  const unreadable = await countUndecryptable(db, secrets);
  if (unreadable === 0) return;
  log.error(
    { integrations: unreadable },
    "SECRET_KEY can't decrypt stored credentials: set the old key as SECRET_KEY_PREVIOUS, or enter the credentials again",
  );
}

async function openDeps({ env, log, repository, limits, activityMs }: StartOptions, closers: Closers): Promise<Deps> {
  const place = await openData(env, repository, (line) => log.info(line));
  const blobs = createBlobs(env.FILES_URL, place.dataDir);
  if (place.embedded) {
    const { embedded } = place;
    const kept = await supervisePostgres(embedded, embedded.options);
    closers.push(() => embedded.stop());
    closers.push(() => kept.release());
  }
  await checkBlobs(blobs);
  await migrateAll(place.direct, log);
  const secrets = createSecrets(place.secretKey, env.SECRET_KEY_PREVIOUS);
  const pools = await openPools(place, { env, log, limits }, closers);
  const activity = createActivity({ db: pools.db, log, flushMs: activityMs });
  closers.push(() => activity.stop());
  const deps: Deps = {
    env,
    log,
    ...pools,
    countQueue: createFairQueue(COUNTS),
    jobs: createJobs(place.direct, log, { isWorker: env.ROLES.includes('worker') }),
    secrets,
    throttle: createThrottle(pools.db),
    mailbox: createMailbox(join(place.dataDir, 'mail')),
    blobs,
    activity,
  };
  await logUndecryptable(deps);
  closers.push((left) => deps.jobs.stop(left.forJobs()));
  return deps;
}
