import {
  CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
} from 'kysely';
import type pg from 'pg';
import type { Database, Trx } from '../database.ts';
import { PREPARED, runMarked, type SentStatement } from './watch-queries.ts';

/** A statement with its values, to be run by `readTogether`. */
export interface BoundStatement<Row> extends SentStatement {
  /** Type of its rows; never set. */
  row?: Row;
}

/** A statement that is written once. */
export interface Statement<Values, Row> {
  /** Runs it with these values and returns its rows. */
  (db: Database | Trx, values: Values): Promise<Row[]>;
  /** The statement with these values, to be run later. */
  bindValues(values: Values): BoundStatement<Row>;
}

/** Stands for a value while a statement is written. */
class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/**
 * A statement for calls that come often: its text is written once, and each connection plans it only once. So its plan may not depend
 * on its values, as that of a search does (decision 0019), and `write` may put values into the statement but not look at them. They are
 * texts, numbers, and lists of these.
 */
export function createStatement<Values extends object, Row>(
  write: (values: Values) => RawBuilder<Row>,
): Statement<Values, Row> {
  let written: { text: string; parameters: readonly unknown[] } | undefined;
  const bindValues = (values: Values): BoundStatement<Row> => {
    written ??= compile(write);
    const given = values as Readonly<Record<string, unknown>>;
    const put = (each: unknown) => toText(each instanceof Placeholder ? given[each.name] : each);
    return { text: written.text, values: written.parameters.map(put) };
  };
  return Object.assign((db: Database | Trx, values: Values) => readBound(db, bindValues(values)), { bindValues });
}

/** Runs a statement and returns its rows. */
export async function readBound<Row>(db: Database | Trx, { text, values }: BoundStatement<Row>): Promise<Row[]> {
  return (await db.executeQuery<Row>(CompiledQuery.raw(text, [...values]))).rows;
}

/**
 * Runs a statement that is composed of parts for each call, prepared like one of `createStatement`: its text may only be one of a few,
 * and its plan may not depend on its values. These are texts, numbers, booleans and lists of texts or numbers.
 */
export function runPrepared<Row>(db: Database | Trx, statement: RawBuilder<Row>): Promise<Row[]> {
  const { sql, parameters } = statement.compile(writer);
  return readBound<Row>(db, { text: PREPARED + sql, values: parameters.map(toText) });
}

/** Only writes statements. */
const writer = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

function compile<Values extends object, Row>(write: (values: Values) => RawBuilder<Row>) {
  const placeholders = new Proxy({}, { get: (_target, name) => new Placeholder(String(name)) }) as Values;
  const { sql, parameters } = write(placeholders).compile(writer);
  return { text: PREPARED + sql, parameters };
}

/** A value as PostgreSQL reads it. */
function toText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return `{${value.map(toItem).join(',')}}`;
  if (typeof value === 'object')
    throw new TypeError('A prepared statement takes texts, numbers, booleans and lists of them.');
  return String(value);
}

function toItem(item: unknown): string {
  if (typeof item === 'number') return String(item);
  if (typeof item !== 'string') throw new TypeError('Lists of a prepared statement have texts and numbers.');
  return `"${item.replace(/["\\]/g, '\\$&')}"`;
}

/**
 * Runs two statements on one connection without waiting between them, and returns the rows of both, except those that `take` of a
 * statement took. The second one sees what was committed before it began, which may be more than the first one saw.
 */
export function readTogether<First, Second>(
  pool: pg.Pool,
  first: BoundStatement<First>,
  second: BoundStatement<Second>,
): Promise<[First[], Second[]]> {
  return new Promise<[First[], Second[]]>((resolve, reject) => {
    pool.connect((unavailable, client, release) => {
      if (unavailable || client === undefined) return reject(unavailable);
      runMarked(client, [first, second], (error, results) => {
        release();
        if (error) reject(error);
        else resolve(results as [First[], Second[]]);
      });
    });
  }).catch((error: Error) => {
    // From here the trace leads to the caller, instead of to the socket.
    Error.captureStackTrace(error);
    throw error;
  });
}
