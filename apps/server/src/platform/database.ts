import { createHash } from 'node:crypto';
import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely';
import pg from 'pg';
import type { Tables } from '#migrations/tables.ts';

export type Database = Kysely<Tables>;
export type Trx = Transaction<Tables>;

/** Where PostgreSQL is: a URL, or the parts that the embedded server gives. */
export type Connection = { connectionString: string } | pg.PoolConfig;

// bigint columns hold milliseconds and counts, which fit a double exactly.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** Limits of every statement (trust §8 g), in milliseconds. */
const STATEMENT_MS = 5_000;
const LOCK_MS = 2_000;
const IDLE_IN_TRANSACTION_MS = 10_000;

const PREPARED = '/* prepared */ ';

/**
 * Begins a statement that each connection plans only once: for what comes with every call and whose plan cannot depend on
 * its values. All others are planned for the values they are given, which searches and pages need (decision 0019).
 */
export const prepared = sql.raw(PREPARED);

const names = new Map<string, string>();

function nameOf(text: string): string {
  const name = names.get(text) ?? createHash('sha256').update(text).digest('hex').slice(0, 32);
  names.set(text, name);
  return name;
}

function prepareMarked(client: pg.PoolClient): void {
  const query = client.query.bind(client) as (...sent: unknown[]) => unknown;
  const marked = (text: unknown, values: unknown, ...rest: unknown[]) => {
    if (typeof text !== 'string' || !text.startsWith(PREPARED)) return query(text, values, ...rest);
    return query({ name: nameOf(text), text, values }, ...rest);
  };
  client.query = marked as typeof client.query;
}

/**
 * A pool with time-outs at every step, so that a silent database is answered with 503 within five seconds; `statementMs` is
 * for statements that may take longer.
 */
export function createPool(
  connection: Connection,
  options: { max: number; name: string; unlimited?: boolean; statementMs?: number },
): pg.Pool {
  const { statementMs = STATEMENT_MS } = options;
  const limits = {
    statement_timeout: statementMs,
    lock_timeout: LOCK_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    query_timeout: statementMs - 500,
  };
  const pool = new pg.Pool({
    ...connection,
    ...(options.unlimited ? {} : limits),
    max: options.max,
    application_name: options.name,
    connectionTimeoutMillis: 3_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
  });
  // An idle connection that PostgreSQL closes must not end the process; the next query opens another.
  pool.on('error', () => {});
  // Nor must one that ends between two statements of a transaction: the next statement fails, and is answered with 503.
  pool.on('connect', (client) => {
    client.on('error', () => {});
    prepareMarked(client);
  });
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
export async function commitLater(trx: Trx): Promise<void> {
  await sql`set local synchronous_commit = off`.execute(trx);
}
