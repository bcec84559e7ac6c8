import type { TakeRow } from '#platform/database/wire/taken-rows.ts';
import { type Column, GROWTH, type RowFormat, toStart } from './records.ts';
import { type Output, reserve } from './spare-buffers.ts';

// The message DataRow: the number of columns, and for each the length of its text, or -1 for null, and the text.

const NUMBER_SIZE = 2;
const LENGTH_SIZE = 4;
const [QUOTE, COMMA, BACKSLASH, CLOSING] = [34, 44, 92, 125];
const HEX = Buffer.from('0123456789abcdef');
const NULL = Buffer.from('null');
const UNICODE = Buffer.from('\\u00');

/** Whether a byte of a text can't be copied to a JSON string as it is. */
const IS_SPECIAL = Uint8Array.from({ length: 256 }, (_, byte) =>
  Number(byte < 32 || byte === QUOTE || byte === BACKSLASH),
);

const KINDS = { unsent: 0, text: 1, json: 2 } satisfies Record<Column['as'], number>;

/**
 * The format of rows that a statement returns as text, as the connection has them. `keys` are names of columns, in this order, that tell
 * where the next page starts.
 */
export function createRowFormat(columns: readonly Column[], keys: readonly string[]): RowFormat {
  const layout = createLayout(columns);
  const places = keys.map((key) => columns.findIndex(({ name }) => name === key));
  return {
    isFixed: true,
    createWriter: (out) => createWriter(out, layout),
    read: (row) => places.map((place) => readValue(row, place)),
  };
}

/** What is written around values, as arrays of numbers: going through objects takes twice as long. */
interface Layout {
  kinds: Uint8Array;
  /** What precedes the values that are sent, one after another. */
  starts: Buffer;
  /** Where that of each column ends. */
  ends: Uint16Array;
}

function createLayout(columns: readonly Column[]): Layout {
  const starts = columns.map((column) => (column.as === 'unsent' ? Buffer.alloc(0) : toStart(columns, column)));
  let end = 0;
  const ends = starts.map(({ length }) => {
    end += length;
    return end;
  });
  const kinds = Uint8Array.from(columns, ({ as }) => KINDS[as]);
  return { kinds, starts: Buffer.concat(starts), ends: Uint16Array.from(ends) };
}

function createWriter(out: Output, { kinds, starts, ends }: Layout): TakeRow {
  const fixed = starts.length + kinds.length * NULL.length + 2;
  return (row, from, to) => {
    reserve(out, (to - from) * GROWTH + fixed);
    const { bytes } = out;
    let { end } = out;
    let at = from + NUMBER_SIZE;
    let written = 0;
    for (let column = 0; column < kinds.length; column += 1) {
      const length = readLength(row, at);
      at += LENGTH_SIZE;
      const next = length < 0 ? at : at + length;
      const kind = kinds[column];
      if (kind !== KINDS.unsent) {
        const stop = ends[column] as number;
        for (; written < stop; written += 1) bytes[end++] = starts[written] as number;
        if (length < 0) end += NULL.copy(bytes, end);
        else if (kind === KINDS.json) for (; at < next; at += 1) bytes[end++] = row[at] as number;
        else {
          bytes[end++] = QUOTE;
          for (; at < next; at += 1) {
            const byte = row[at] as number;
            if (IS_SPECIAL[byte] === 0) bytes[end++] = byte;
            else end = writeEscaped(bytes, end, byte);
          }
          bytes[end++] = QUOTE;
        }
      }
      at = next;
    }
    bytes[end++] = CLOSING;
    bytes[end++] = COMMA;
    out.end = end;
  };
}

function readLength(row: Buffer, at: number): number {
  return (
    ((row[at] as number) << 24) |
    ((row[at + 1] as number) << 16) |
    ((row[at + 2] as number) << 8) |
    (row[at + 3] as number)
  );
}

function writeEscaped(bytes: Buffer, from: number, byte: number): number {
  if (byte === QUOTE || byte === BACKSLASH) {
    bytes[from] = BACKSLASH;
    bytes[from + 1] = byte;
    return from + 2;
  }
  UNICODE.copy(bytes, from);
  bytes[from + 4] = HEX[byte >> 4] as number;
  bytes[from + 5] = HEX[byte & 15] as number;
  return from + 6;
}

/** The value of a column; null is ''. */
function readValue(row: Buffer, column: number): string {
  let at = NUMBER_SIZE;
  for (let before = 0; before < column; before += 1) at += LENGTH_SIZE + Math.max(0, readLength(row, at));
  const from = at + LENGTH_SIZE;
  return row.toString('utf8', from, from + Math.max(0, readLength(row, at)));
}
