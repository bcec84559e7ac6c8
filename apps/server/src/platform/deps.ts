import type pg from 'pg';
import type { Blobs } from '#platform/blobs/blobs.ts';
import type { Replica } from '#platform/database/cluster/replica.ts';
import type { Database } from '#platform/database/database.ts';
import type { FairQueue } from '#platform/jobs/fair-queue.ts';
import type { Jobs } from '#platform/jobs/jobs.ts';
import type { Mailbox } from '#platform/mail/mailbox.ts';
import type { Logger } from '#platform/observability/log.ts';
import type { Secrets } from '#platform/security/secrets.ts';
import type { Throttle } from '#platform/security/throttle.ts';
import type { Env } from './env.ts';

/** Records activity without delaying the request. */
export interface ActivityLog {
  note(userId: string): void;
}

/** Dependencies of every feature, created once at startup. */
export interface Deps {
  env: Env;
  log: Logger;
  pool: pg.Pool;
  db: Database;
  /** For counting millions of rows, with a statement timeout of a minute. Use it through `countQueue`. */
  slowQueryPool: Database;
  /** Reads may be up to five seconds behind. */
  replica: Replica;
  /** Limits concurrent counts to the number of connections of that pool. */
  countQueue: FairQueue;
  jobs: Jobs;
  secrets: Secrets;
  throttle: Throttle;
  mailbox: Mailbox;
  blobs: Blobs;
  activity: ActivityLog;
}
