import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely';
import pg from 'pg';
import type { Tables } from '#migrations/tables.gen.ts';
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

/**
 * Takes the rows out of pg's result. Under load, V8 frees most of pg's query objects in a full collection only, and with the rows
 * that they still reach, a server took 100 MiB more.
 */
function takeRows(result: pg.QueryResult): pg.QueryResult {
  const { rows } = result;
  result.rows = [];
  return { ...result, rows };
}

/** A connection of the pool, as Kysely and the check of a replica use it. */
export type Connected = Pick<pg.PoolClient, 'query' | 'release'>;

/**
 * The pool as Kysely uses it. An outage or failover affects all connections, so after a useless one, every connection that was
 * opened before it is closed instead of being used. Each of them would make another call fail, until the network itself reports
 * the loss after 15 minutes.
 */
function connectWith(pool: pg.Pool, { pooled = false, waiting = WAITING }: DatabaseOptions): () => Promise<Connected> {
  let outages = 0;
  const openedAfter = new WeakMap<pg.PoolClient, number>();
  const isOutdated = (client: pg.PoolClient) => (openedAfter.get(client) ?? 0) < outages;
  pool.on('connect', (client) => openedAfter.set(client, outages));
  const lend = (client: pg.PoolClient): Connected => {
    let useless: Error | undefined;
    const query = async (statement: pg.QueryConfig): Promise<pg.QueryResult> => {
      // A rollback on a useless connection must not wait for an answer.
      if (useless) throw useless;
      try {
        return takeRows(await client.query(statement));
      } catch (error) {
        if (isUseless(error as Error)) useless = error as Error;
        if (useless) outages += 1;
        throw error;
      }
    };
    const queryOrStream = (sent: string | pg.QueryConfig | pg.Submittable, values: unknown[] = []) => {
      if (typeof sent !== 'string') return 'submit' in sent ? client.query(sent) : query(sent);
      const name = pooled ? undefined : getStatementName(sent);
      return query({ text: sent, values, ...(name === undefined ? {} : { name }) });
    };
    const release = (destroy?: boolean | Error) => client.release(destroy || isOutdated(client));
    return { query: queryOrStream as pg.PoolClient['query'], release };
  };
  return async () => {
    for (;;) {
      if (pool.waitingCount >= waiting)
        throw Object.assign(new Error('too many callers are waiting for a connection'), { code: '53300' });
      const client = await pool.connect();
      if (!isOutdated(client)) return lend(client);
      client.release(true);
    }
  };
}

/** Overrides of the limits above; `waiting` is a number of callers. */
export interface PoolLimits {
  statementMs?: number;
  lockMs?: number;
  waitMs?: number;
  idleInTransactionMs?: number;
  waiting?: number;
}

export interface PoolOptions extends Omit<PoolLimits, 'waiting'> {
  max: number;
  name: string;
  /** No time limits, for work such as migrations. */
  unlimited?: boolean;
  /** Connects to a pooler in transaction mode, which has the limits (`checkPooler`). */
  pooled?: boolean;
}

export interface DatabaseOptions {
  /** Number of callers that may wait for a connection. */
  waiting?: number | undefined;
  /** The pool connects to a pooler, which loses prepared statements. */
  pooled?: boolean;
  /** Replaces the way in which a connection is taken from the pool. */
  connect?: (take: () => Promise<Connected>) => Promise<Connected>;
}

/** Every step has a timeout, so that calls fail with 503 within five seconds when the database is unresponsive. */
export function createPool(connection: Connection, options: PoolOptions): pg.Pool {
  const { statementMs = STATEMENT_MS, lockMs = LOCK_MS, waitMs = WAIT_MS } = options;
  const { idleInTransactionMs = IDLE_IN_TRANSACTION_MS } = options;
  const limits = {
    statement_timeout: statementMs,
    lock_timeout: lockMs,
    idle_in_transaction_session_timeout: idleInTransactionMs,
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
  // The loss of a connection between two statements of a transaction must not end it either; the next statement fails.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/** Statements are unnamed unless `runPrepared` runs them. */
export function createDatabase(pool: pg.Pool, options: DatabaseOptions = {}): Database {
  const { connect = (take) => take() } = options;
  const take = connectWith(pool, options);
  const lent = { options: pool.options, connect: () => connect(take), end: () => pool.end() };
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: lent }) });
}

/** Thrown by the work of a transaction that may succeed the next time. */
export class RepeatTransaction extends Error {}

/** A deadlock, a serialization failure or a `RepeatTransaction`: the same transaction may succeed the next time. */
export function isAborted(error: unknown): boolean {
  if (error instanceof RepeatTransaction) return true;
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
