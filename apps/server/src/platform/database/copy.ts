import { Readable } from 'node:stream';
import { CompiledQuery, type RawBuilder } from 'kysely';
import pg from 'pg';
import { from, to } from 'pg-copy-streams';
import type { Trx } from './database.ts';

/** COPY has no parameters, so values become literals. Like a parameter, they have no type. */
function toLiteral(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return pg.escapeLiteral(`{${value.map(toElement).join(',')}}`);
  if (typeof value === 'object') throw new Error('COPY takes no objects');
  return pg.escapeLiteral(String(value));
}

function toElement(value: unknown): string {
  if (value === null) return 'null';
  return `"${String(value).replace(/[\\"]/g, '\\$&')}"`;
}

function inline({ sql, parameters }: CompiledQuery): string {
  return sql.replace(/\$(\d+)/g, (_, number) => toLiteral(parameters[Number(number) - 1]));
}

/** The rows that a statement returns (also a DELETE) in the text format of COPY. Chunks can end within a row. */
export async function* copyOut(trx: Trx, query: RawBuilder<unknown>): AsyncIterable<Buffer> {
  const copy = CompiledQuery.raw(`copy (${inline(query.compile(trx))}) to stdout`);
  for await (const { rows } of trx.getExecutor().stream<Buffer>(copy, 1)) yield* rows;
}

/** `target` names the table and its columns; `content` has rows in the text format of COPY. */
export async function copyIn(trx: Trx, target: RawBuilder<unknown>, content: Buffer): Promise<void> {
  const copy = CompiledQuery.raw(`copy ${inline(target.compile(trx))} from stdin`, [content]);
  for await (const _ of trx.getExecutor().stream(copy, 1));
}

/** Methods that pg calls and the packages' types lack. */
interface Copy {
  submit(connection: pg.Connection): void;
  handleError(error: Error): void;
  handleReadyForQuery?(): void;
  handleCommandComplete?(message: unknown): void;
  handleCopyInResponse?(connection: pg.Connection): void;
}

/** COPY as a cursor, because Kysely streams on the connection of a transaction only through a cursor. */
export class CopyCursor<Row> implements pg.Submittable {
  /** pg sets it to be notified of the end of a statement that has a time limit. */
  callback: (() => void) | undefined;
  readonly #copy: Copy;
  readonly #chunks: AsyncIterator<Buffer>;
  readonly #ready = Promise.withResolvers<void>();
  readonly #failed = Promise.withResolvers<never>();
  #connection: pg.Connection | undefined;

  /** With content, the content is written; otherwise the rows are chunks to be read. */
  constructor(text: string, [content]: unknown[]) {
    // Errors are reported by `read`; before the first one, nothing else listens.
    this.#failed.promise.catch(() => {});
    const copy = content === undefined ? to(text) : from(text);
    this.#copy = copy as typeof copy & Copy;
    this.#chunks = copy instanceof Readable ? copy[Symbol.asyncIterator]() : none();
    copy.on('error', () => {});
    if (!(copy instanceof Readable)) copy.end(content);
  }

  submit(connection: pg.Connection): void {
    this.#connection = connection;
    this.#copy.submit(connection);
  }

  /** The next chunk; empty at the end, when the connection is free again. */
  async read(): Promise<Row[]> {
    const { value, done } = await Promise.race([this.#chunks.next(), this.#failed.promise]);
    if (!done) return [value as Row];
    await Promise.race([this.#ready.promise, this.#failed.promise]);
    return [];
  }

  /** The connection is free only when the rest has been read. */
  async close(): Promise<void> {
    while ((await this.read().catch(() => [])).length > 0);
  }

  handleError(error: Error): void {
    // An error without a code doesn't come from PostgreSQL, whose statement still runs: the next one would wait for it.
    if (!('code' in error)) this.#connection?.stream.destroy();
    this.#copy.handleError(error);
    this.#failed.reject(error);
    this.callback?.();
  }

  handleReadyForQuery(): void {
    this.#copy.handleReadyForQuery?.();
    this.#ready.resolve();
    this.callback?.();
  }

  handleCommandComplete(message: unknown): void {
    this.#copy.handleCommandComplete?.(message);
  }

  handleCopyInResponse(connection: pg.Connection): void {
    this.#copy.handleCopyInResponse?.(connection);
  }
}

async function* none(): AsyncGenerator<Buffer> {
  // A statement that writes rows returns none.
}
