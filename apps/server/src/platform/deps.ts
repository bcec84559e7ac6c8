import type pg from 'pg';
import type { Blobs } from './blobs.ts';
import type { Database } from './database.ts';
import type { Env } from './env.ts';
import type { InTurn } from './in-turn.ts';
import type { Jobs } from './jobs.ts';
import type { Logger } from './log.ts';
import type { Mailbox } from './mailbox.ts';
import type { Secrets } from './secrets.ts';
import type { Throttle } from './throttle.ts';

/** What every room is handed: made once in main.ts, or by a test. */
export interface Deps {
  env: Env;
  log: Logger;
  pool: pg.Pool;
  db: Database;
  /** The same database with a minute for a statement: for counting millions of rows. Use it in a turn. */
  patientDb: Database;
  /** Turns for it: as many at a time as it has connections, whatever they count. */
  patientTurn: InTurn;
  jobs: Jobs;
  secrets: Secrets;
  throttle: Throttle;
  mailbox: Mailbox;
  blobs: Blobs;
}
