import type { TakeRow } from '#platform/database/wire/taken-rows.ts';
import { createJsonText, type JsonRows } from './json-rows.ts';
import { giveBack, type Output, takeBuffer } from './spare-buffers.ts';

/**
 * A column of a statement. `text` becomes a JSON string; `json` is JSON already, such as a number or jsonb; `unsent` isn't part of the
 * record.
 */
export interface Column {
  name: string;
  as: 'text' | 'json' | 'unsent';
}

/** A page that was read. */
export interface RecordsPage {
  records: JsonRows;
  count: number;
  /** All columns of the last record if another page follows; null is ''. */
  last: readonly string[] | undefined;
}

/** Makes JSON of rows while they arrive, without a string or an object for each of them. */
export interface Records {
  take: TakeRow;
  finish(): RecordsPage;
}

/** How rows are written. */
export interface RowFormat {
  /** Returns what writes each row as a JSON object and a comma. */
  createWriter(out: Output): TakeRow;
  /** All columns of a row; null is ''. */
  read(row: Buffer): string[];
}

/** Of a control character, JSON takes six bytes. */
export const GROWTH = 6;

const NOTHING = Buffer.alloc(0);

/** Starts a page of `limit` records; a further row only tells that another page follows. `size` is that of a usual page in bytes. */
export function createRecords(
  { createWriter, read }: RowFormat,
  { limit, size }: { limit: number; size: number },
): Records {
  const out: Output = { bytes: NOTHING, end: 0 };
  const write = createWriter(out);
  let rows = 0;
  let first: string | undefined;
  let last: readonly string[] | undefined;
  return {
    take(bytes, start, end) {
      rows += 1;
      if (rows > limit) return;
      if (rows === 1) out.bytes = takeBuffer(size);
      write(bytes, start, end);
      if (rows === 1) first = out.bytes.toString('utf8', 0, out.end - 1);
      if (rows === limit) last = read(bytes.subarray(start, end));
    },
    finish: () => ({
      records: createJsonText(out.bytes.subarray(0, Math.max(0, out.end - 1)), {
        first,
        release: () => out.bytes !== NOTHING && giveBack(out.bytes),
      }),
      count: Math.min(rows, limit),
      last: rows > limit ? last : undefined,
    }),
  };
}

/** What is written before the value of a column. */
export function toStart(columns: readonly Column[], { name }: Column): Buffer {
  const first = columns.find(({ as }) => as !== 'unsent');
  return Buffer.from(`${name === first?.name ? '{' : ','}${JSON.stringify(name)}:`);
}
