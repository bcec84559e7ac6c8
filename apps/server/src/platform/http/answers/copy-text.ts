// The text format of COPY: tabs between values, \N for null, and \b \f \n \r \t \v \\ for characters that it needs itself. JSON has the
// same escapes except \v, and needs them for quotes and all other control characters too.

import type { Output } from './spare-buffers.ts';

const [TAB, NEWLINE, QUOTE, BACKSLASH] = [9, 10, 34, 92];
const [UPPER_N, LOWER_U, LOWER_V, ZERO] = [78, 117, 118, 48];
const HEX = Buffer.from('0123456789abcdef');
const NULL = Buffer.from('null');
/** Control characters by the character that stands for them after a backslash. */
const ESCAPED = new Map(
  [...'bfnrtv'].map((letter, index) => [letter.charCodeAt(0), [8, 12, 10, 13, 9, 11][index] ?? 0]),
);

/** Whether a byte of a value can't be copied to a JSON string as it is. */
const IS_SPECIAL = Uint8Array.from({ length: 256 }, (_, byte) =>
  Number(byte < 32 || byte === QUOTE || byte === BACKSLASH),
);

/** Appends a few bytes: for these, a loop is faster than a call of `copy`. */
export function writeBytes(out: Output, from: Buffer): void {
  const { bytes } = out;
  let { end } = out;
  for (let at = 0; at < from.length; at += 1) bytes[end++] = from[at] as number;
  out.end = end;
}

/** Appends a value as a JSON string, or `null`, and returns where the next value starts. */
export function writeText(out: Output, line: Buffer, from: number): number {
  if (isNull(line, from)) return writeNull(out, from);
  const { bytes } = out;
  let { end } = out;
  let at = from;
  bytes[end++] = QUOTE;
  for (;;) {
    const byte = line[at++] as number;
    if (IS_SPECIAL[byte] === 0) bytes[end++] = byte;
    else if (byte === TAB || byte === NEWLINE) break;
    else if (byte === BACKSLASH && line[at] !== LOWER_V) {
      bytes[end++] = BACKSLASH;
      bytes[end++] = line[at++] as number;
    } else if (byte === QUOTE) {
      bytes[end++] = BACKSLASH;
      bytes[end++] = QUOTE;
    } else {
      const code = byte === BACKSLASH ? 11 : byte;
      if (byte === BACKSLASH) at += 1;
      bytes[end++] = BACKSLASH;
      bytes[end++] = LOWER_U;
      bytes[end++] = ZERO;
      bytes[end++] = ZERO;
      bytes[end++] = HEX[code >> 4] as number;
      bytes[end++] = HEX[code & 15] as number;
    }
  }
  bytes[end++] = QUOTE;
  out.end = end;
  return at;
}

/** Appends a value that is JSON already, or `null`, and returns where the next value starts. */
export function writeJson(out: Output, line: Buffer, from: number): number {
  if (isNull(line, from)) return writeNull(out, from);
  const { bytes } = out;
  let { end } = out;
  let at = from;
  for (;;) {
    const byte = line[at++] as number;
    if (byte === TAB || byte === NEWLINE) break;
    if (byte === BACKSLASH) {
      const letter = line[at++] as number;
      bytes[end++] = ESCAPED.get(letter) ?? letter;
    } else bytes[end++] = byte;
  }
  out.end = end;
  return at;
}

/** All values of a row; null is ''. */
export function readLine(line: Buffer): string[] {
  const out: Output = { bytes: Buffer.allocUnsafe(line.length + NULL.length), end: 0 };
  const values: string[] = [];
  for (let at = 0; at < line.length; ) {
    out.end = 0;
    const isAbsent = isNull(line, at);
    at = writeJson(out, line, at);
    values.push(isAbsent ? '' : out.bytes.toString('utf8', 0, out.end));
  }
  return values;
}

function isNull(line: Buffer, at: number): boolean {
  return line[at] === BACKSLASH && line[at + 1] === UPPER_N;
}

function writeNull(out: Output, at: number): number {
  writeBytes(out, NULL);
  return at + 3;
}
