import { createHash } from 'node:crypto';
import type pg from 'pg';

/** Prefix of statements that get a name: see `prepared`. */
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

type Done = (error: Error | undefined, result?: unknown) => void;
type Query = (sent: unknown, values?: unknown, done?: Done) => unknown;

/** Names marked statements, limits the time of all, and reports a connection that became useless. */
export function watchQueries(client: pg.PoolClient, { hasNames, timeoutMs, onUseless }: Watch): void {
  const query = client.query.bind(client) as Query;
  const report = (error: Error) => {
    if (isUseless(error)) onUseless(error);
  };
  const ask = (text: string, values: unknown, done: Done) => {
    const isMarked = hasNames && text.startsWith(PREPARED);
    const timed = withTimeout(done, timeoutMs);
    if (isMarked) query({ name: getName(text), text, values }, undefined, timed);
    else query(text, values, timed);
  };
  const answered = (text: string, values: unknown) =>
    new Promise((resolve, reject) => {
      ask(text, values, (error, result) => (error ? reject(error) : resolve(result)));
    }).catch((error: Error) => {
      report(error);
      // From here the trace leads to the caller, instead of to the socket.
      Error.captureStackTrace(error);
      throw error;
    });
  const watched: Query = (sent, values, done) => {
    if (typeof sent === 'string') return done === undefined ? answered(sent, values) : ask(sent, values, done);
    // Cursors, and statements with options of their own: pg limits their time.
    const result = query(limitObject(sent, timeoutMs), values, done);
    if (result instanceof Promise) result.catch(report);
    return result;
  };
  client.query = watched as typeof client.query;
}

/**
 * In place of pg's `query_timeout`, and of its promises: both assign a function literal to a property of the statement. V8 allocates
 * such functions as old objects, and these kept every result until the next full collection: half of all garbage.
 */
function withTimeout(done: Done, timeoutMs: number | undefined): Done {
  if (timeoutMs === undefined) return done;
  let isDone = false;
  const finish: Done = (error, result) => {
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
