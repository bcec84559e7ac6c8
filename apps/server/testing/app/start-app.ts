import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fastTmpdir } from '@steward/embedded-postgres/testing/fast-tmpdir.ts';
import type { FastifyInstance } from 'fastify';
import { buildApp } from '#app/app.ts';
import { createWorkers } from '#app/features.ts';
import { watchCalls } from '#app/stop.ts';
import { createBlobs } from '#platform/blobs/blobs.ts';
import { openPools } from '#platform/database/connect.ts';
import {
  type Connection,
  createDatabase,
  createPool,
  type Database,
  type PoolLimits,
} from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { COUNTS, createFairQueue } from '#platform/jobs/fair-queue.ts';
import { createJobs, type Worker } from '#platform/jobs/jobs.ts';
import { createLog } from '#platform/observability/log.ts';
import { createSecrets } from '#platform/security/secrets.ts';
import { createThrottle } from '#platform/security/throttle.ts';
import { testDatabase } from '#testing/database/template-database.ts';
import { sharedDns } from '#testing/peers/dns-peer.ts';
import { createInbox, type Inbox } from '#testing/peers/inbox.ts';
import { NEVER_MS, PATIENCE } from '#testing/system/time-scale.ts';
import { type Activity, createActivity } from '#workspace/users/activity.ts';
import { testEnv } from './test-env.ts';

interface AnyDatabase extends AsyncDisposable {
  url: string;
  connection: Connection;
  pooler?: { connectionString: string };
  replica?: Connection;
}

export interface TestAppOptions {
  env?: Record<string, string>;
  /** Connections of the app. One by default, so that a query outside its transaction waits forever and is noticed. */
  pool?: number;
  work?: boolean;
  listen?: boolean;
  beside?: TestApp;
  database?: AnyDatabase;
  /** By default, limits that a busy machine doesn't reach. A test of a limit has a short one, so that it need not wait. */
  limits?: PoolLimits & { jobsResponseTimeoutMs?: number };
  portalDirectory?: string;
  /** Timeout for receiving a request, in milliseconds. */
  requestMs?: number;
  secretKey?: string;
  workers?: (usual: Worker[]) => Worker[];
}

/** The whole app on its own database, with real jobs. Emails go to its inbox. */
export interface TestApp extends AsyncDisposable {
  app: FastifyInstance;
  deps: Deps;
  /** Connects as the owner of the tables, for the test's own statements. The server's connection is in `deps`. */
  db: Database;
  database: AnyDatabase;
  inbox: Inbox;
  /** Presence is written only when a test flushes it. */
  activity: Activity;
  log: string[];
  /** Empty without `listen`. */
  url: string;
}

const SECRET_KEY = '5e'.repeat(32);

type Closers = (() => Promise<unknown>)[];

/** Timeout for pending calls when a node is disposed of. */
const STOP_MS = 10_000;

/** Dispose of a second node before the first, which owns the database. */
export async function startApp(options: TestAppOptions = {}): Promise<TestApp> {
  const closers: Closers = [];
  const close = async () => {
    for (const step of closers.splice(0).reverse()) await step();
  };
  try {
    const { deps, database, inbox, activity, log } = await openDeps(options, closers);
    const db = openAsOwner(database, deps, closers);
    closers.push(() => deps.jobs.stop());
    const workers = createWorkers(deps);
    await deps.jobs.start(options.workers?.(workers) ?? workers);
    const { portalDirectory, requestMs } = options;
    const app = await buildApp(deps, { requestMs, ...(portalDirectory ? { portalDirectory } : {}) });
    const calls = watchCalls(app);
    closers.push(() => calls.finish(STOP_MS));
    const url = options.listen ? await app.listen({ port: 0, host: '127.0.0.1' }) : '';
    return { app, deps, db, database, inbox, activity, log, url, [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The server's own connection, unless its role isn't the owner. */
function openAsOwner({ connection, url }: AnyDatabase, deps: Deps, closers: Closers): Database {
  if (!('connectionString' in connection) || connection.connectionString === url) return deps.db;
  const pool = createPool({ connectionString: url }, { max: 10, name: 'steward test', unlimited: true });
  closers.push(() => pool.end());
  return createDatabase(pool);
}

async function openDeps(options: TestAppOptions, closers: Closers) {
  const database: AnyDatabase = options.beside?.database ?? options.database ?? (await testDatabase());
  if (!options.beside) closers.push(async () => database[Symbol.asyncDispose]());
  const inbox = options.beside?.inbox ?? createInbox(temporaryDir('steward-mail-', closers));
  const FILES_URL = options.beside?.deps.env.FILES_URL ?? pathToFileURL(temporaryDir('steward-files-', closers)).href;
  const log: string[] = [];
  const logger = createLog('debug', { write: (line) => void log.push(line) });
  const DNS_SERVERS = (await sharedDns()).address;
  const env = testEnv({ FILES_URL, DNS_SERVERS, DATABASE_POOL: String(options.pool ?? 1), ...options.env });
  const { jobsResponseTimeoutMs, ...limits } = { ...PATIENCE, ...options.limits };
  const { connection: direct, replica } = database;
  // The pooler of TEST_POOLER has the product's limits and accepts no others from clients.
  const pooler = options.limits === undefined || options.database ? database.pooler : undefined;
  const place = { connection: pooler ?? direct, direct, replica };
  const pools = await openPools(place, { env, log: logger, limits, name: 'steward test' }, closers);
  const activity = createActivity({ db: pools.db, log: logger, flushMs: NEVER_MS });
  const deps: Deps = {
    env,
    log: logger,
    ...pools,
    countQueue: createFairQueue(COUNTS),
    jobs: createJobs(direct, logger, { isWorker: options.work ?? true, responseTimeoutMs: jobsResponseTimeoutMs }),
    secrets: createSecrets(options.secretKey ?? SECRET_KEY),
    throttle: createThrottle(pools.db),
    mailbox: inbox.mailbox,
    blobs: createBlobs(env.FILES_URL, ''),
    activity,
  };
  return { deps, database, inbox, activity, log };
}

function temporaryDir(prefix: string, closers: Closers): string {
  const directory = mkdtempSync(join(fastTmpdir(), prefix));
  closers.push(async () => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
