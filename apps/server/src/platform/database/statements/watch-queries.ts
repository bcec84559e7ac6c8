import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { TakeRow } from '../wire/taken-rows.ts';
import { PreparedRun, type PreparedStatement, type RunDone } from './prepared-run.ts';

/** Prefix of statements that get a name: see `createStatement`. */
export const PREPARED = '/* prepared */ ';

/** SQLSTATE of a statement that writes, on a server that only reads: it is a replica. */
const READ_ONLY = '25006';

/** The message of pg for the same; the connection may still be waiting for an answer. */
const TIMED_OUT = 'Query read timeout';

interface Watch {
  /** Whether a name of a statement stays with the connection. */
  hasNames: boolean;
  /** Longest wait for the answer to a statement, in milliseconds; undefined for no limit. */
  timeoutMs: number | undefined;
  /** Called when later statements on the connection would fail too. */
  onUseless: (error: Error) => void;
}

/** A statement and its values. */
export interface SentStatement {
  text: string;
  /** As PostgreSQL reads them. */
  values: readonly (string | null)[];
  /** What may take its rows as they arrive: it does unless the connection has to prepare the statement first, or can't. */
  take?: TakeRow | undefined;
}

type Done = (error: Error | undefined, result?: pg.QueryResult) => void;
type Query = (sent: unknown, values?: unknown, done?: Done) => unknown;
type Run = (statements: readonly SentStatement[], done: RunDone) => void;

/** What runs marked statements on a connection. */
const runners = new WeakMap<pg.PoolClient, Run>();

/** Names marked statements, limits the time of all, and reports a connection that became useless. */
export function watchQueries(client: pg.PoolClient, { hasNames, timeoutMs, onUseless }: Watch): void {
  const query = client.query.bind(client) as Query;
  const report = (error: Error) => {
    if (isUseless(error)) onUseless(error);
  };
  const runPrepared = createRunner(query, hasNames);
  const run: Run = (statements, done) => runPrepared(statements, withTimeout(done, timeoutMs));
  const rethrow = (error: Error): never => {
    report(error);
    // From here the trace leads to the caller, instead of to the socket.
    Error.captureStackTrace(error);
    throw error;
  };
  const ask = (text: string, values: unknown, done: Done) => {
    if (!text.startsWith(PREPARED)) return void query(text, values, withTimeout(done, timeoutMs));
    run([{ text, values: values as (string | null)[] }], (error, [rows = []] = []) => {
      done(error, error ? undefined : ({ command: 'SELECT', rows } as unknown as pg.QueryResult));
    });
  };
  const answered = (text: string, values: unknown) =>
    new Promise((resolve, reject) => {
      ask(text, values, (error, result) => (error ? reject(error) : resolve(result)));
    }).catch(rethrow);
  const watched: Query = (sent, values, done) => {
    if (typeof sent === 'string') return done === undefined ? answered(sent, values) : ask(sent, values, done);
    // Cursors, and statements with options of their own: pg limits their time.
    const result = query(limitObject(sent, timeoutMs), values, done);
    if (result instanceof Promise) result.catch(report);
    return result;
  };
  client.query = watched as typeof client.query;
  runners.set(client, (statements, done) => {
    run(statements, (error, results) => {
      if (error) report(error);
      done(error, results);
    });
  });
}

/** Runs marked statements on a connection, in one packet once each of them is prepared there. */
export function runMarked(client: pg.PoolClient, statements: readonly SentStatement[], done: RunDone): void {
  const run = runners.get(client);
  if (run === undefined) throw new Error('The connection is not of createPool.');
  run(statements, done);
}

function createRunner(query: Query, hasNames: boolean): Run {
  /** Columns of the statements that are prepared on the connection, by name. */
  const known = new Map<string, readonly pg.FieldDef[]>();
  const findPrepared = ({ text, values, take }: SentStatement): PreparedStatement[] => {
    const name = getName(text);
    const fields = known.get(name);
    return fields === undefined ? [] : [{ name, fields, values, take }];
  };
  const prepare = ({ text, values }: SentStatement, done: RunDone) => {
    const name = hasNames ? getName(text) : undefined;
    query({ name, text, values }, undefined, (error, result) => {
      if (result && name !== undefined) known.set(name, result.fields);
      done(error, result && [result.rows]);
    });
  };
  return function run(statements, done) {
    const prepared = statements.flatMap(findPrepared);
    if (prepared.length === statements.length) return void query(new PreparedRun(prepared, done));
    const [first, ...rest] = statements as [SentStatement, ...SentStatement[]];
    const runRest: RunDone = (error, results) => {
      if (error || rest.length === 0) return done(error, results);
      run(rest, (later, more = []) => done(later, later ? undefined : [...(results ?? []), ...more]));
    };
    if (findPrepared(first).length > 0) run([first], runRest);
    else prepare(first, runRest);
  };
}

/**
 * In place of pg's `query_timeout`, and of its promises: both assign a function literal to a property of the statement. V8 allocates
 * such functions as old objects, and these kept every result until the next full collection: half of all garbage.
 */
function withTimeout<Result>(
  done: (error: Error | undefined, result?: Result) => void,
  timeoutMs: number | undefined,
): typeof done {
  if (timeoutMs === undefined) return done;
  let isDone = false;
  const finish: typeof done = (error, result) => {
    clearTimeout(timer);
    if (isDone) return;
    isDone = true;
    done(error, result);
  };
  const timer = setTimeout(() => finish(new Error(TIMED_OUT)), timeoutMs);
  return finish;
}

/** pg reads the limit from what is sent, even from a cursor. */
function limitObject(sent: unknown, timeoutMs: number | undefined): unknown {
  const limited = sent as { query_timeout?: number };
  if (timeoutMs !== undefined) limited.query_timeout ??= timeoutMs;
  return limited;
}

/** Whether later statements on the connection would fail too: it doesn't respond, or leads to a server that became a replica. */
function isUseless({ message, code }: Error & { code?: string }): boolean {
  return message === TIMED_OUT || code === READ_ONLY;
}

const names = new Map<string, string>();

function getName(text: string): string {
  const name = names.get(text) ?? createHash('sha256').update(text).digest('hex').slice(0, 32);
  names.set(text, name);
  return name;
}
