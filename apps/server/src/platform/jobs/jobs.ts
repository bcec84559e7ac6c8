import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { type ConstructorOptions, fromKysely, type JobResult, PgBoss, type QueueOptions } from 'pg-boss';
import { z } from 'zod';
import type { Connection, Trx } from '#platform/database/database.ts';
import type { Logger } from '#platform/observability/log.ts';

/** A kind of background job. The name is `feature.reason`. */
export interface Job<Payload extends z.ZodType = z.ZodType> {
  name: string;
  payload: Payload;
  /**
   * Retries after the first attempt; the delay doubles from `retrySeconds` up to `retryMaxSeconds`. In total they should take longer
   * than a failover of the database, or the job fails permanently.
   */
  retries: number;
  retrySeconds: number;
  retryMaxSeconds?: number;
  /** Time limit of one attempt; five minutes when absent. */
  expireSeconds?: number;
  /** Cron expression in UTC of a scheduled job. */
  schedule?: string;
  /** Interval in seconds on each worker node from its start, for work that can't wait for the next cron minute. */
  everySeconds?: number;
}

type Defaults = 'payload' | 'retries' | 'retrySeconds';

/** Unless it says otherwise, a job has no data, and is retried after 5, 10 and 20 seconds. */
export function defineJob<Payload extends z.ZodType = z.ZodUnknown>(
  job: Omit<Job<Payload>, Defaults> & Partial<Pick<Job<Payload>, Defaults>>,
): Job<Payload> {
  return { payload: z.unknown() as z.ZodType as Payload, retries: 3, retrySeconds: 5, ...job };
}

export interface Attempt {
  id: string;
  /** Counted from 1. */
  attempt: number;
  isLast: boolean;
}

/** The handler must be idempotent. */
export interface Worker<Payload extends z.ZodType = z.ZodType> {
  job: Job<Payload>;
  handle(payload: z.output<Payload>, meta: Attempt): Promise<void>;
}

export function defineWorker<Payload extends z.ZodType>(
  job: Job<Payload>,
  handle: Worker<Payload>['handle'],
): Worker<Payload> {
  return { job, handle };
}

export interface Jobs {
  /** Sends within the caller's transaction: the job exists exactly if the transaction commits. */
  send<Payload extends z.ZodType>(trx: Trx, job: Job<Payload>, payload: z.input<Payload>): Promise<void>;
  /** Sends a job that runs before others of its kind. */
  sendUrgent<Payload extends z.ZodType>(trx: Trx, job: Job<Payload>, payload: z.input<Payload>): Promise<void>;
  /** Sends many jobs of a kind in one statement. */
  sendMany<Payload extends z.ZodType>(
    trx: Trx,
    job: Job<Payload>,
    payloads: readonly z.input<Payload>[],
  ): Promise<void>;
  /** Creates the queues and, on a worker node, the schedules, and starts processing them. */
  start(workers: readonly Worker[]): Promise<void>;
  /** Stops taking jobs; running jobs that can continue on another node stop early. Sending still works. */
  rest(): Promise<void>;
  isStopping(): boolean;
  /** Waits up to `milliseconds` for running jobs; another node continues the unfinished ones. */
  stop(milliseconds?: number): Promise<void>;
}

/** Queue of permanently failed jobs, so that they can be listed. */
export const DEAD_LETTERS = 'dead_letters';

/**
 * Scheduled jobs of earlier versions. A database that such a version used still has their schedules, which would add jobs
 * without a worker.
 */
export const RETIRED_JOBS: readonly string[] = [
  'channels.tidy_compliance',
  'content.tidy_blobs',
  'integrations.tidy_deliveries',
  'privacy.tidy_exports',
  'scim.tidy_log',
  'signup.tidy',
  'sso.clean_up',
];

/** Deletes also active jobs. Returns the number of jobs. */
export async function dropJobs(trx: Trx): Promise<number> {
  const { rows } = await sql<{ exists: boolean }>`select to_regclass('pgboss.job') is not null as exists`.execute(trx);
  if (!rows[0]?.exists) return 0;
  const { numAffectedRows = 0n } = await sql`delete from pgboss.job where state <= 'active'`.execute(trx);
  return Number(numAffectedRows);
}

/** Deletes also finished jobs of these emails, because they contain the address, encrypted. */
export async function dropMailJobs(trx: Trx, mailIds: readonly string[]): Promise<void> {
  const { rows } = await sql<{ exists: boolean }>`select to_regclass('pgboss.job') is not null as exists`.execute(trx);
  if (!rows[0]?.exists || mailIds.length === 0) return;
  await sql`delete from pgboss.job where data ->> 'id' = any(${mailIds})`.execute(trx);
}

/**
 * Jobs are fetched five at a time, and the next five immediately while there are more. By default, pg-boss fetches one job and
 * then waits 30 seconds or for a notification: the last of 60 emails queued together would be sent after half an hour. Polling
 * remains for jobs without a notification, such as retries.
 */
const FETCH_OPTIONS = {
  includeMetadata: true,
  perJobResults: true,
  batchSize: 5,
  burstWhenBatchFull: true,
  pollingIntervalSeconds: 1,
  notifyPollingIntervalSeconds: 5,
} as const;

/** Timeouts for the database, in milliseconds; without them, a queue would wait forever for an unresponsive one. */
const CONNECT_MS = 3_000;
const RESPONSE_TIMEOUT_MS = 15_000;

/** A job without a heartbeat for this many seconds is taken over by another node within a minute. */
const HEARTBEAT_SECONDS = 30;

function toQueueOptions(job: Job) {
  return {
    retryLimit: job.retries,
    retryDelay: job.retrySeconds,
    retryBackoff: true,
    ...(job.retryMaxSeconds === undefined ? {} : { retryDelayMax: job.retryMaxSeconds }),
    expireInSeconds: job.expireSeconds ?? 300,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    deadLetter: DEAD_LETTERS,
    notify: true,
  };
}

/** Changes only queues that differ from the jobs, so most starts only read. */
async function prepareQueues(boss: PgBoss, jobs: readonly Job[]): Promise<void> {
  const queues = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]));
  // Deleting a queue deletes its schedule and its jobs.
  for (const name of RETIRED_JOBS) if (queues.has(name)) await boss.deleteQueue(name);
  if (!queues.has(DEAD_LETTERS)) await boss.createQueue(DEAD_LETTERS);
  for (const job of jobs) {
    const options: QueueOptions = toQueueOptions(job);
    const queue = queues.get(job.name);
    if (queue === undefined) await boss.createQueue(job.name, options);
    // A node of an earlier version may have created it in the meantime.
    if (queue === undefined || isDifferent(options, queue)) await boss.updateQueue(job.name, options);
  }
}

async function prepareSchedules(boss: PgBoss, jobs: readonly Job[]): Promise<void> {
  const schedules = new Map((await boss.getSchedules()).map(({ name, cron }) => [name, cron]));
  for (const { name, schedule } of jobs)
    if (schedule && schedules.get(name) !== schedule) await boss.schedule(name, schedule, {});
}

const isDifferent = (options: object, queue: object) =>
  Object.entries(options).some(([name, value]) => (queue as Record<string, unknown>)[name] !== value);

async function run(
  log: Logger,
  worker: Worker,
  item: { id: string; data: unknown; retryCount: number },
): Promise<JobResult> {
  const isLast = item.retryCount >= worker.job.retries;
  const meta = { id: item.id, attempt: item.retryCount + 1, isLast };
  try {
    await worker.handle(worker.job.payload.parse(item.data), meta);
    return { id: item.id, status: 'completed' };
  } catch (error) {
    log[isLast ? 'error' : 'warn'](
      { err: error, job: worker.job.name, ...meta },
      isLast ? 'job failed permanently' : 'job failed, will be retried',
    );
    return {
      id: item.id,
      status: 'failed',
      output: { message: error instanceof Error ? error.message : String(error) },
    };
  }
}

/** Runs a job immediately and then every `seconds` seconds, never twice at the same time. */
function runRepeatedly(log: Logger, { job, handle }: Worker, seconds: number): NodeJS.Timeout {
  let isRunning = false;
  const runOnce = async () => {
    if (isRunning) return;
    isRunning = true;
    try {
      await handle({}, { id: job.name, attempt: 1, isLast: true });
    } catch (error) {
      log.warn({ err: error, job: job.name }, 'job failed, will run again');
    } finally {
      isRunning = false;
    }
  };
  void runOnce();
  return setInterval(runOnce, seconds * 1_000).unref();
}

/** Creates or updates the tables of the queue, as every start does. */
export async function migrateQueue(connection: Connection): Promise<void> {
  const boss = new PgBoss({ ...(connection as ConstructorOptions), max: 1, supervise: false, schedule: false });
  boss.on('error', () => undefined);
  await boss.start();
  await boss.stop({ graceful: false });
}

/** Waits up to this time for running jobs. A graceful stop of pg-boss would check only every half second whether they have ended. */
async function stopBoss(boss: PgBoss, working: readonly string[], milliseconds: number): Promise<void> {
  const ended = Promise.all(working.map((name) => boss.offWork(name)));
  await Promise.race([ended, setTimeout(milliseconds, undefined, { ref: false })]);
  await boss.stop({ graceful: false });
}

export interface JobsOptions {
  /** False on a node that only sends jobs: it needs a single connection, and leaves schedules and maintenance to the workers. */
  isWorker: boolean;
  responseTimeoutMs?: number | undefined;
}

function createBoss(
  connection: Connection,
  { isWorker, responseTimeoutMs = RESPONSE_TIMEOUT_MS }: JobsOptions,
): PgBoss {
  return new PgBoss({
    ...(connection as ConstructorOptions),
    // Options of pg, passed through to its pool.
    ...{ connectionTimeoutMillis: CONNECT_MS, query_timeout: responseTimeoutMs, keepAlive: true },
    max: isWorker ? 3 : 1,
    application_name: 'steward jobs',
    useListenNotify: isWorker,
    supervise: isWorker,
    schedule: isWorker,
  });
}

/** The tables of pg-boss are in the schema `pgboss` of the same database. */
export function createJobs(connection: Connection, log: Logger, options: JobsOptions): Jobs {
  const boss = createBoss(connection, options);
  let isStopping = false;
  const working: string[] = [];
  const intervals: NodeJS.Timeout[] = [];
  const stopIntervals = () => {
    isStopping = true;
    for (const interval of intervals.splice(0)) clearInterval(interval);
  };
  boss.on('error', (error) => log.error({ err: error }, 'jobs: database'));
  return {
    async send(trx, job, payload) {
      await boss.send(job.name, job.payload.parse(payload) as object, { db: fromKysely(trx) });
    },
    async sendUrgent(trx, job, payload) {
      await boss.send(job.name, job.payload.parse(payload) as object, { db: fromKysely(trx), priority: 1 });
    },
    async sendMany(trx, job, payloads) {
      const jobs = payloads.map((payload) => ({ data: job.payload.parse(payload) as object }));
      if (jobs.length > 0) await boss.insert(job.name, jobs, { db: fromKysely(trx) });
    },
    async start(workers) {
      const jobs = workers.map(({ job }) => job);
      await boss.start();
      await prepareQueues(boss, jobs);
      if (!options.isWorker) return;
      await prepareSchedules(boss, jobs);
      for (const worker of workers) {
        const { job } = worker;
        await boss.work(job.name, FETCH_OPTIONS, (items) => Promise.all(items.map((item) => run(log, worker, item))));
        working.push(job.name);
        if (job.everySeconds) intervals.push(runRepeatedly(log, worker, job.everySeconds));
      }
    },
    async rest() {
      stopIntervals();
      await Promise.all(working.map((name) => boss.offWork(name, { wait: false })));
    },
    isStopping: () => isStopping,
    async stop(milliseconds = 8_000) {
      stopIntervals();
      await stopBoss(boss, working, milliseconds);
    },
  };
}
