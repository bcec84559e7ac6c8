import { sql } from 'kysely';
import { type ConstructorOptions, fromKysely, type JobResult, PgBoss } from 'pg-boss';
import type { z } from 'zod';
import type { Connection, Trx } from '#platform/database/database.ts';
import type { Logger } from '#platform/observability/log.ts';

/** A kind of background work: its name (`room.reason`), what it carries, and how often it is tried. */
export interface Job<Payload extends z.ZodType = z.ZodType> {
  name: string;
  payload: Payload;
  /** Tries after the first one; the wait doubles from `retrySeconds` up to `retryMaxSeconds`. */
  retries: number;
  retrySeconds: number;
  retryMaxSeconds?: number;
  /** Cron line in UTC for work that starts by itself. */
  schedule?: string;
  /** Seconds between runs on each node that works, the first one at its start: for what cannot wait for a cron line. */
  everySeconds?: number;
}

/** Names a job with its exact payload type. */
export function defineJob<Payload extends z.ZodType>(job: Job<Payload>): Job<Payload> {
  return job;
}

/** Which try of a job this is. */
export interface Attempt {
  id: string;
  /** Counted from 1. */
  attempt: number;
  /** Whether there is none after it. */
  isLast: boolean;
}

/** A job with the function that does it; the function must bear being called twice for the same payload. */
export interface Worker<Payload extends z.ZodType = z.ZodType> {
  job: Job<Payload>;
  handle(payload: z.output<Payload>, meta: Attempt): Promise<void>;
}

/** Ties a handler to its job. */
export function defineWorker<Payload extends z.ZodType>(
  job: Job<Payload>,
  handle: Worker<Payload>['handle'],
): Worker<Payload> {
  return { job, handle };
}

/** Background work kept in PostgreSQL. */
export interface Jobs {
  /** Sends within the caller's transaction: the job exists exactly if the transaction commits. */
  send<Payload extends z.ZodType>(trx: Trx, job: Job<Payload>, payload: z.input<Payload>): Promise<void>;
  /** Makes the queues and, on a node that works, takes jobs from them. */
  start(workers: readonly Worker[], options: { work: boolean }): Promise<void>;
  /** Takes no more jobs; those that can go on elsewhere end their turn. Sending works still. */
  rest(): Promise<void>;
  /** Whether this node takes no more jobs. */
  isStopping(): boolean;
  /** Lets running jobs finish, for so many milliseconds at most; what is left is taken up by another node. */
  stop(milliseconds?: number): Promise<void>;
}

/** Queue for jobs that failed for good, so that they can be seen (trust §8 b). */
export const DEAD_LETTERS = 'dead_letters';

/** Drops every job that is not done, whoever works on it, and answers how many these were. */
export async function dropJobs(trx: Trx): Promise<number> {
  const { rows } = await sql<{ exists: boolean }>`select to_regclass('pgboss.job') is not null as exists`.execute(trx);
  if (!rows[0]?.exists) return 0;
  const { numAffectedRows = 0n } = await sql`delete from pgboss.job where state <= 'active'`.execute(trx);
  return Number(numAffectedRows);
}

/**
 * How jobs are taken: five at a time, and the next five at once while there are more. By default pg-boss takes one, then
 * waits for a notification or 30 seconds: of 60 mails queued together the last would leave after half an hour. The slow
 * poll remains for what no notification announces, such as second tries.
 */
const TAKING = {
  includeMetadata: true,
  perJobResults: true,
  batchSize: 5,
  burstWhenBatchFull: true,
  pollingIntervalSeconds: 1,
  notifyPollingIntervalSeconds: 5,
} as const;

/** A database that says nothing is given up after these, in milliseconds; else a queue would wait for it for ever. */
const CONNECT_MS = 3_000;
const RESPONSE_TIMEOUT_MS = 15_000;

/** A job whose node gave no sign of it for so long, in seconds, is taken up by another one within a minute. */
const SILENCE_SECONDS = 30;

/** How a queue treats its jobs. */
function toQueueOptions(job: Job) {
  return {
    retryLimit: job.retries,
    retryDelay: job.retrySeconds,
    retryBackoff: true,
    ...(job.retryMaxSeconds === undefined ? {} : { retryDelayMax: job.retryMaxSeconds }),
    expireInSeconds: 300,
    heartbeatSeconds: SILENCE_SECONDS,
    deadLetter: DEAD_LETTERS,
    notify: true,
  };
}

/** Does a job, and tells the queue what came of it. */
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
      isLast ? 'job failed for good' : 'job failed, will be tried again',
    );
    return {
      id: item.id,
      status: 'failed',
      output: { message: error instanceof Error ? error.message : String(error) },
    };
  }
}

/** Runs a job at once and then every so many seconds, never twice at a time. */
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

/** Jobs on pg-boss; its tables live in the schema `pgboss` of the same database. */
export function createJobs(connection: Connection, log: Logger, responseTimeoutMs = RESPONSE_TIMEOUT_MS): Jobs {
  const boss = new PgBoss({
    ...(connection as ConstructorOptions),
    // Both are pg's own, and handed on to its pool.
    ...{ connectionTimeoutMillis: CONNECT_MS, query_timeout: responseTimeoutMs, keepAlive: true },
    max: 3,
    application_name: 'steward jobs',
    useListenNotify: true,
  });
  let isStopping = false;
  const taking: string[] = [];
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
    async start(workers, { work }) {
      await boss.start();
      await boss.createQueue(DEAD_LETTERS);
      for (const worker of workers) {
        const { job } = worker;
        await boss.createQueue(job.name, toQueueOptions(job));
        // A queue that an earlier version made is left as it was by the line above.
        await boss.updateQueue(job.name, toQueueOptions(job));
        if (job.schedule) await boss.schedule(job.name, job.schedule, {});
        if (!work) continue;
        await boss.work(job.name, TAKING, (items) => Promise.all(items.map((item) => run(log, worker, item))));
        taking.push(job.name);
        if (job.everySeconds) intervals.push(runRepeatedly(log, worker, job.everySeconds));
      }
    },
    async rest() {
      stopIntervals();
      await Promise.all(taking.splice(0).map((name) => boss.offWork(name, { wait: false })));
    },
    isStopping: () => isStopping,
    async stop(milliseconds = 8_000) {
      stopIntervals();
      await boss.stop({ graceful: true, timeout: milliseconds });
    },
  };
}
