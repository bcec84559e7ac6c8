import { isUtf8 } from 'node:buffer';

/** A raw line or its error; `at` is its number, counted from 1. */
export type RawLine = { at: number; text: string } | { at: number; error: string };

export interface LineSplitter {
  /** Lines that end in this chunk. */
  take(piece: Buffer): RawLine[];
  /** The last line, if it has no line feed. */
  end(): RawLine[];
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BYTE_ORDER_MARK = Buffer.from('\ufeff');
/** A buffer that grew for a long line shrinks to this size after it. */
const KEPT_BYTES = 64 * 1024;

/** Splits at line feeds, with or without a carriage return. Empty lines are counted and skipped. */
export function createLineSplitter(maxBytes: number): LineSplitter {
  let at = 0;
  let held = Buffer.allocUnsafe(KEPT_BYTES);
  let length = 0;
  let isTooLong = false;

  // The chunk is copied: a line may arrive in millions of one-byte chunks, each an object of its own.
  const hold = (piece: Buffer) => {
    isTooLong ||= length + piece.length > maxBytes + 1;
    if (isTooLong) return;
    if (length + piece.length > held.length) {
      const larger = Buffer.allocUnsafe(Math.min(Math.max(held.length * 2, length + piece.length), maxBytes + 1));
      held.copy(larger, 0, 0, length);
      held = larger;
    }
    length += piece.copy(held, length);
  };

  const finish = (piece: Buffer): RawLine[] => {
    at += 1;
    if (length > 0 || isTooLong) hold(piece);
    const whole = length > 0 ? held.subarray(0, length) : piece;
    const line = isTooLong ? tooLong(at, maxBytes) : toLine(whole, at, maxBytes);
    if (held.length > KEPT_BYTES) held = Buffer.allocUnsafe(KEPT_BYTES);
    length = 0;
    isTooLong = false;
    return line === undefined ? [] : [line];
  };

  return {
    take(piece) {
      const lines: RawLine[] = [];
      let from = 0;
      for (let to = piece.indexOf(LINE_FEED); to !== -1; to = piece.indexOf(LINE_FEED, from)) {
        lines.push(...finish(piece.subarray(from, to)));
        from = to + 1;
      }
      if (from < piece.length) hold(piece.subarray(from));
      return lines;
    },
    end: () => (length > 0 || isTooLong ? finish(Buffer.alloc(0)) : []),
  };
}

function toLine(bytes: Buffer, at: number, maxBytes: number): RawLine | undefined {
  const hasMark = at === 1 && bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
  const from = hasMark ? BYTE_ORDER_MARK.length : 0;
  const to = bytes.at(-1) === CARRIAGE_RETURN ? bytes.length - 1 : bytes.length;
  const line = bytes.subarray(from, to);
  if (line.length > maxBytes) return tooLong(at, maxBytes);
  if (!isUtf8(line)) return { at, error: 'is not UTF-8' };
  const text = line.toString();
  return text.trim() === '' ? undefined : { at, text };
}

function tooLong(at: number, maxBytes: number): RawLine {
  return { at, error: `is longer than ${maxBytes} bytes` };
}
