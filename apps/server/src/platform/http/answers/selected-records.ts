import { writeBytes } from './copy-text.ts';
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

/** The format of rows that a statement returns as text, as the connection has them. */
export function createRowFormat(columns: readonly Column[]): RowFormat {
  const fields = columns.map((column) => ({ as: column.as, start: toStart(columns, column) }));
  const fixed = fields.reduce((sum, { start }) => sum + start.length + 'null'.length, 2);
  return {
    createWriter: (out) => (bytes, start, end) => {
      reserve(out, (end - start) * GROWTH + fixed);
      let at = start + NUMBER_SIZE;
      for (const { as, start: name } of fields) {
        const length = bytes.readInt32BE(at);
        at += LENGTH_SIZE;
        if (as !== 'unsent') {
          writeBytes(out, name);
          if (length < 0) writeBytes(out, NULL);
          else if (as === 'text') writeText(out, bytes, at, at + length);
          else writeJson(out, bytes, at, at + length);
        }
        if (length > 0) at += length;
      }
      out.bytes[out.end++] = CLOSING;
      out.bytes[out.end++] = COMMA;
    },
    read: (row) => readValues(row, columns.length),
  };
}

// biome-ignore lint/complexity/useMaxParams: called for each value, so nothing is put into an object
function writeText(out: Output, text: Buffer, from: number, to: number): void {
  const { bytes } = out;
  let { end } = out;
  bytes[end++] = QUOTE;
  for (let at = from; at < to; at += 1) {
    const byte = text[at] as number;
    if (IS_SPECIAL[byte] === 0) bytes[end++] = byte;
    else end = writeEscaped(bytes, end, byte);
  }
  bytes[end++] = QUOTE;
  out.end = end;
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

// biome-ignore lint/complexity/useMaxParams: as above
function writeJson(out: Output, text: Buffer, from: number, to: number): void {
  let { end } = out;
  for (let at = from; at < to; at += 1) out.bytes[end++] = text[at] as number;
  out.end = end;
}

/** All values of a row; null is ''. */
function readValues(row: Buffer, count: number): string[] {
  let at = NUMBER_SIZE;
  return Array.from({ length: count }, () => {
    const length = Math.max(0, row.readInt32BE(at));
    const from = at + LENGTH_SIZE;
    at = from + length;
    return row.toString('utf8', from, at);
  });
}
