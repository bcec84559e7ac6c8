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
  /** What `RowFormat.read` reads of the last record, if another page follows. */
  last: readonly string[] | undefined;
}

/** Makes JSON of rows while they arrive, without a string or an object for each of them. */
export interface Records {
  take: TakeRow;
  finish(): RecordsPage;
}

/** How rows are written. */
export interface RowFormat {
  /** Whether all rows that it writes have the same fields: then it is used for many pages, and the first record of one is checked. */
  isFixed: boolean;
  /** Returns what writes each row as a JSON object and a comma. */
  createWriter(out: Output): TakeRow;
  /** Columns of a row that tell where the next page starts: all, or some. Null is ''. */
  read(row: Buffer): string[];
}

/** Of a control character, JSON takes six bytes. */
export const GROWTH = 6;

const NOTHING = Buffer.alloc(0);

/** Starts a page of `limit` records; a further row only tells that another page follows. `size` is that of a usual page in bytes. */
export function createRecords(format: RowFormat, { limit, size }: { limit: number; size: number }): Records {
  const out: Output = { bytes: NOTHING, end: 0 };
  const write = format.createWriter(out);
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
      if (rows === limit) last = format.read(bytes.subarray(start, end));
    },
    finish: () => ({
      records: createJsonText(out.bytes.subarray(0, Math.max(0, out.end - 1)), {
        first,
        format: format.isFixed ? format : undefined,
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
