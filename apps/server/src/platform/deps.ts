import type pg from 'pg';
import type { Blobs } from '#platform/blobs/blobs.ts';
import type { Replica } from '#platform/database/cluster/replica.ts';
import type { Database } from '#platform/database/database.ts';
import type { ConcurrencyLimiter } from '#platform/jobs/concurrency-limiter.ts';
import type { Jobs } from '#platform/jobs/jobs.ts';
import type { Mailbox } from '#platform/mail/mailbox.ts';
import type { Logger } from '#platform/observability/log.ts';
import type { Secrets } from '#platform/security/secrets.ts';
import type { Throttle } from '#platform/security/throttle.ts';
import type { Env } from './env.ts';

/** Remembers who is active, without making a request wait. */
export interface ActivityLog {
  note(personId: string): void;
}

/** Dependencies of every room, created once at startup. */
export interface Deps {
  env: Env;
  log: Logger;
  pool: pg.Pool;
  db: Database;
  /** The same database with a statement timeout of a minute, for counting millions of rows. Use it through `slowQueryLimiter`. */
  slowQueryPool: Database;
  /** Reads that may be up to five seconds behind, on a replica if there is one. */
  replica: Replica;
  /** Limits concurrent slow queries to the number of connections of that pool. */
  slowQueryLimiter: ConcurrencyLimiter;
  jobs: Jobs;
  secrets: Secrets;
  throttle: Throttle;
  mailbox: Mailbox;
  blobs: Blobs;
  activity: ActivityLog;
}
