import { createHash } from 'node:crypto';
import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely';
import pg from 'pg';
import type { Tables } from '#migrations/tables.gen.ts';

export type Database = Kysely<Tables>;
export type Trx = Transaction<Tables>;

/** Where PostgreSQL is: a URL, or the parts that the embedded server gives. */
export type Connection = { connectionString: string } | pg.PoolConfig;

// bigint columns hold milliseconds and counts, which fit a double exactly.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/**
 * Limits of every statement (trust §8 g), in milliseconds. PostgreSQL ends one that takes too long, and its connection stays of
 * use; so long after that it counts as silent, and what it was asked is still answered within five seconds.
 */
const STATEMENT_MS = 4_300;
const UNRESPONSIVE_AFTER_MS = 300;
const LOCK_MS = 2_000;
const IDLE_IN_TRANSACTION_MS = 10_000;
/** Longest wait for a connection, in milliseconds, and how many may wait for one: more would only wait in vain. */
const WAIT_MS = 3_000;
const WAITING = 1_000;

const PREPARED = '/* prepared */ ';

/**
 * Begins a statement that each connection plans only once: for what comes with every call and whose plan cannot depend on
 * its values. All others are planned for the values they are given, which searches and pages need (decision 0019).
 */
export const prepared = sql.raw(PREPARED);

const names = new Map<string, string>();

function getName(text: string): string {
  const name = names.get(text) ?? createHash('sha256').update(text).digest('hex').slice(0, 32);
  names.set(text, name);
  return name;
}

/** Names the statements that are marked, and tells of a statement that got no answer at all. */
function watchQueries(client: pg.PoolClient, onUnresponsive: (error: Error) => void): void {
  const query = client.query.bind(client) as (...sent: unknown[]) => unknown;
  const watched = (text: unknown, values: unknown, ...rest: unknown[]) => {
    const isMarked = typeof text === 'string' && text.startsWith(PREPARED);
    const sent = isMarked ? query({ name: getName(text), text, values }, ...rest) : query(text, values, ...rest);
    if (sent instanceof Promise) {
      sent.catch((error: Error) => {
        if (error.message === 'Query read timeout') onUnresponsive(error);
      });
    }
    return sent;
  };
  client.query = watched as typeof client.query;
}

/**
 * Lets go of connections that may never answer again: of one that was silent, and of all that are idle, since what silenced it
 * will have silenced them. In the pool each would cost another call its answer, until the network itself notices after a
 * quarter of an hour.
 */
function dropUnresponsive(pool: pg.Pool): void {
  const open = new Set<pg.PoolClient>();
  pool.on('remove', (client) => open.delete(client));
  pool.on('connect', (client) => {
    open.add(client);
    // One that ends between two statements of a transaction must not end the process: the next statement is answered with 503.
    client.on('error', () => {});
    watchQueries(client, (error) => {
      // What is sent on it from now on, such as a rollback, fails at once.
      void (client as unknown as pg.Client).end().catch(() => {});
      // The pool drops an idle connection that reports an error; one that is at work pays no heed.
      for (const other of open) other.emit('error', error);
    });
  });
}

function limitPoolQueue(pool: pg.Pool, waiting: number): void {
  const connect = pool.connect.bind(pool) as (done?: (error: Error) => void) => Promise<pg.PoolClient>;
  const bounded = (done?: (error: Error) => void) => {
    if (pool.waitingCount < waiting) return connect(done);
    const error = Object.assign(new Error('too many wait for a connection'), { code: '53300' });
    return done ? done(error) : Promise.reject(error);
  };
  pool.connect = bounded as typeof pool.connect;
}

/** What may differ from the limits above, in milliseconds but for how many may wait. */
export interface PoolLimits {
  statementMs?: number;
  lockMs?: number;
  waitMs?: number;
  waiting?: number;
}

/** What a pool is made with. */
export interface PoolOptions extends PoolLimits {
  max: number;
  name: string;
  /** For work such as migrations, which takes as long as it takes. */
  unlimited?: boolean;
}

/** A pool with time-outs at every step, so that a silent database is answered with 503 within five seconds. */
export function createPool(connection: Connection, options: PoolOptions): pg.Pool {
  const { statementMs = STATEMENT_MS, lockMs = LOCK_MS, waitMs = WAIT_MS, waiting = WAITING } = options;
  const limits = {
    statement_timeout: statementMs,
    lock_timeout: lockMs,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    query_timeout: statementMs + UNRESPONSIVE_AFTER_MS,
  };
  const pool = new pg.Pool({
    ...connection,
    ...(options.unlimited ? {} : limits),
    max: options.max,
    application_name: options.name,
    connectionTimeoutMillis: waitMs,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
  });
  // An idle connection that PostgreSQL closes must not end the process; the next query opens another.
  pool.on('error', () => {});
  dropUnresponsive(pool);
  limitPoolQueue(pool, waiting);
  return pool;
}

/** Kysely over a pool. Statements stay unnamed unless they begin with `prepared`. */
export function createDatabase(pool: pg.Pool): Database {
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}

/** Runs `work` in one transaction and tries again, three times at most, when PostgreSQL ended it for a deadlock. */
export async function inTransaction<T>(db: Database, work: (trx: Trx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction().execute(work);
    } catch (error) {
      const code = (error as { code?: string }).code;
      if (attempt === 3 || (code !== '40P01' && code !== '40001')) throw error;
    }
  }
}

/**
 * Lets the transaction commit without waiting for the disk: for work that nobody was promised yet and that is done again when
 * it is lost. The next commit that waits brings it to the disk too.
 */
export async function commitAsynchronously(trx: Trx): Promise<void> {
  await sql`set local synchronous_commit = off`.execute(trx);
}
