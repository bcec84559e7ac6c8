import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely';
import pg from 'pg';
import type { Tables } from '#migrations/tables.gen.ts';
import type { Secrets } from '#platform/security/secrets.ts';
import { getStatementName } from './prepared.ts';

export type Database = Kysely<Tables>;
export type Trx = Transaction<Tables>;

export function isUniqueViolation(error: unknown): boolean {
  return (error as { code?: string } | null)?.code === '23505';
}

export type Connection = { connectionString: string } | pg.PoolConfig;

// bigint columns hold milliseconds and counts, which fit a double exactly.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/**
 * Limits of every statement, in milliseconds. PostgreSQL cancels a statement that takes too long, and its connection stays usable.
 * If PostgreSQL doesn't cancel it within UNRESPONSIVE_AFTER_MS, the connection is dropped; the caller still gets a response within
 * five seconds.
 */
const STATEMENT_MS = 4_300;
const UNRESPONSIVE_AFTER_MS = 300;
const LOCK_MS = 2_000;
const IDLE_IN_TRANSACTION_MS = 10_000;
/** These limits as settings of a session. A pooler has to set them, because it accepts none from its clients. */
export const SESSION_LIMITS: Readonly<Record<string, number>> = {
  statement_timeout: STATEMENT_MS,
  lock_timeout: LOCK_MS,
  idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
};
/** Longest wait for a connection, in milliseconds, and the number of callers that may wait; more callers would only time out. */
const WAIT_MS = 3_000;
const WAITING = 1_000;

/** SQLSTATE of a write on a replica. */
const READ_ONLY = '25006';
/** pg's message for a statement that took longer than `query_timeout`; the connection may still wait for the response. */
const TIMED_OUT = 'Query read timeout';

/** Later statements on the connection would fail too. */
function isUseless({ message, code }: Error & { code?: string }): boolean {
  return message === TIMED_OUT || code === READ_ONLY;
}

type Done = (error: Error | undefined, result?: pg.QueryResult) => void;
type Query = (sent: unknown, values?: unknown, done?: Done) => unknown;

/** Names statements of `runPrepared`, unless a pooler would lose the names, and reports a connection that became useless. */
function watchQueries(client: pg.PoolClient, hasNames: boolean, onUseless: (error: Error) => void): void {
  const query = client.query.bind(client) as Query;
  const report = (error: Error | undefined) => {
    if (error && isUseless(error)) onUseless(error);
  };
  const watched: Query = (sent, values, done) => {
    const name = hasNames && typeof sent === 'string' ? getStatementName(sent) : undefined;
    const named = name === undefined ? sent : { name, text: sent };
    const answered: Done | undefined =
      done &&
      ((error, result) => {
        report(error);
        done(error, result);
      });
    const result = query(named, values, answered);
    if (result instanceof Promise) result.catch(report);
    return result;
  };
  client.query = watched as typeof client.query;
}

/**
 * Drops a useless connection and all idle ones, since the same outage or failover affects them. Each of them would make another
 * call fail, until the network itself reports the loss after 15 minutes.
 */
function dropUseless(pool: pg.Pool, hasNames: boolean): void {
  const open = new Set<pg.PoolClient>();
  pool.on('remove', (client) => open.delete(client));
  pool.on('connect', (client) => {
    open.add(client);
    // The loss of a connection between two statements of a transaction must not end the process; the next statement fails.
    client.on('error', () => {});
    watchQueries(client, hasNames, (error) => {
      // Later statements on it, such as a rollback, fail immediately.
      void (client as unknown as pg.Client).end().catch(() => {});
      // The pool drops an idle connection that reports an error; a busy one ignores the event.
      for (const other of open) other.emit('error', error);
    });
  });
}

function limitPoolQueue(pool: pg.Pool, waiting: number): void {
  const connect = pool.connect.bind(pool) as (done?: (error: Error) => void) => Promise<pg.PoolClient>;
  const bounded = (done?: (error: Error) => void) => {
    if (pool.waitingCount < waiting) return connect(done);
    const error = Object.assign(new Error('too many callers are waiting for a connection'), { code: '53300' });
    return done ? done(error) : Promise.reject(error);
  };
  pool.connect = bounded as typeof pool.connect;
}

/** Overrides of the limits above; `waiting` is a number of callers. */
export interface PoolLimits {
  statementMs?: number;
  lockMs?: number;
  waitMs?: number;
  waiting?: number;
}

export interface PoolOptions extends PoolLimits {
  max: number;
  name: string;
  /** No time limits, for work such as migrations. */
  unlimited?: boolean;
  /** Connects to a pooler in transaction mode, which has the limits (`checkPooler`) and loses prepared statements. */
  pooled?: boolean;
}

/** Every step has a timeout, so that calls fail with 503 within five seconds when the database is unresponsive. */
export function createPool(connection: Connection, options: PoolOptions): pg.Pool {
  const { statementMs = STATEMENT_MS, lockMs = LOCK_MS, waitMs = WAIT_MS, waiting = WAITING } = options;
  const limits = {
    statement_timeout: statementMs,
    lock_timeout: lockMs,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    // PostgreSQL would compile plans with a high estimate, which takes longer than executing most of them.
    options: '-c jit=off',
  };
  const pool = new pg.Pool({
    ...connection,
    ...(options.unlimited || options.pooled ? {} : limits),
    ...(options.unlimited ? {} : { query_timeout: statementMs + UNRESPONSIVE_AFTER_MS }),
    max: options.max,
    application_name: options.name,
    connectionTimeoutMillis: waitMs,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
  });
  // An idle connection closed by PostgreSQL must not end the process; the next query opens another.
  pool.on('error', () => {});
  dropUseless(pool, !options.pooled);
  limitPoolQueue(pool, waiting);
  return pool;
}

/** Secrets by the adapter of a database, because its transactions share the adapter. */
const secretsByAdapter = new WeakMap<object, Secrets>();

/**
 * Statements are unnamed unless `runPrepared` runs them. Only with secrets can rows of the audit log be written, because each is
 * signed.
 */
export function createDatabase(pool: pg.Pool, secrets?: Secrets): Database {
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  if (secrets !== undefined) secretsByAdapter.set(db.getExecutor().adapter, secrets);
  return db;
}

/** Works for transactions too. */
export function getSecrets(db: Database): Secrets {
  const secrets = secretsByAdapter.get(db.getExecutor().adapter);
  if (secrets === undefined) throw new Error('this database was opened without SECRET_KEY');
  return secrets;
}

/** A deadlock or serialization failure: the same transaction may succeed the next time. */
export function isAborted(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: string };
  return code === '40P01' || code === '40001';
}

/** Runs `work` up to three times if `isAborted`. */
export async function inTransaction<T>(db: Database, work: (trx: Trx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction().execute(work);
    } catch (error) {
      if (attempt === 3 || !isAborted(error)) throw error;
    }
  }
}

/**
 * Commits the transaction without waiting for the disk, for work that hasn't been acknowledged and is repeated if it is lost. The
 * next synchronous commit writes it to the disk too.
 */
export async function commitAsynchronously(trx: Trx): Promise<void> {
  await sql`set local synchronous_commit = off`.execute(trx);
}

/** The same for a single statement without a transaction, as a subquery of one row that the statement must read. */
export const asynchronous = sql`(select set_config('synchronous_commit', 'off', true) as mode offset 0)`;
