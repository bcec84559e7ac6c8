import type { FastifyReply } from 'fastify';
import { giveBack, type Output, reserve, takeBuffer } from './spare-buffers.ts';

/** A record as the text of a JSON object that PostgreSQL wrote, and the text of fields to add to it: `"a":1,"b":2`, or ''. */
export interface JsonRow {
  json: string;
  more: string;
}

/** Records of a list as JSON, so that pages of thousands aren't parsed only to be written again. */
export interface JsonRows {
  [WRITTEN]: Written;
}

/** What is written of a list. */
interface Written {
  /** The first record, for the check of the schema; undefined if there is none. */
  first: string | undefined;
  /** Which fields the records have, if all records with this object have the same ones. */
  format?: object | undefined;
  /** About how many bytes all records take. */
  size: number;
  write(body: Writer): void;
}

const WRITTEN = Symbol('records as JSON');

/** An answer in which lists may be JSON already. */
export type WithJsonRows<Answer> = {
  [Field in keyof Answer]: Answer[Field] extends readonly unknown[] ? Answer[Field] | JsonRows : Answer[Field];
};

/** Makes the records of an answer from their texts. Each must be an object with at least one field. */
export function createJsonRows(rows: readonly JsonRow[]): JsonRows {
  const [first] = rows;
  // Most texts are ASCII; the others make the buffer grow.
  const size = rows.reduce((sum, { json, more }) => sum + json.length + more.length + 3, 0);
  return { [WRITTEN]: { first: first && toText(first), size, write: (body) => writeRows(body, rows) } };
}

/** What is known about a text: as in `Written`, and what is called when the text isn't needed any longer. */
interface TextOptions extends Pick<Written, 'first' | 'format'> {
  release: () => void;
}

/** Makes the records of an answer from one text: JSON objects with commas between. */
export function createJsonText(text: Buffer, { first, format, release }: TextOptions): JsonRows {
  const write = (body: Writer) => {
    body.write('[');
    body.writeBytes(text);
    body.write(']');
    release();
  };
  return { [WRITTEN]: { first, format, size: text.length, write } };
}

/** Records that are JSON already; undefined for anything else. */
export function getJsonRows(value: unknown): Written | undefined {
  return (value as Partial<JsonRows> | null | undefined)?.[WRITTEN];
}

function toText({ json, more }: JsonRow): string {
  return more === '' ? json : `${json.slice(0, -1)},${more}}`;
}

/** The body of an answer: bytes if it has records that are JSON already, else the object, which Fastify writes. */
export function toBody(answer: unknown, reply: FastifyReply): unknown {
  if (typeof answer !== 'object' || answer === null) return answer;
  const fields = Object.entries(answer).filter(([, value]) => value !== undefined);
  if (!fields.some(([, value]) => getJsonRows(value))) return answer;
  reply.type('application/json; charset=utf-8');
  const body = createWriter(fields.reduce((sum, [, value]) => sum + (getJsonRows(value)?.size ?? 0), SIZE_MIN));
  for (const [index, [name, value]] of fields.entries()) {
    body.write(`${index === 0 ? '{' : ','}${JSON.stringify(name)}:`);
    const rows = getJsonRows(value);
    if (rows) rows.write(body);
    else body.write(JSON.stringify(value));
  }
  body.write('}');
  const { text, release } = body.finish();
  // Sent, or never will be.
  reply.raw.once('close', release);
  return text;
}

const SIZE_MIN = 4096;

interface Writer {
  write(text: string): void;
  writeBytes(bytes: Buffer): void;
  /** Replaces the last byte, which is ASCII. */
  replaceLast(text: string): void;
  /** The text, until it is released. */
  finish(): { text: Buffer; release: () => void };
}

function writeRows(body: Writer, rows: readonly JsonRow[]): void {
  const tails = new Map<string, string>();
  const toTail = (more: string) => (more === '' ? '},' : `,${more}},`);
  body.write('[');
  for (const { json, more } of rows) {
    const tail = tails.get(more) ?? toTail(more);
    tails.set(more, tail);
    body.write(json);
    body.replaceLast(tail);
  }
  if (rows.length > 0) body.replaceLast(']');
  else body.write(']');
}

/** Writes into one buffer: joined strings would be copied twice, and kept for the garbage collector. */
function createWriter(size: number): Writer {
  const out: Output = { bytes: takeBuffer(size), end: 0 };
  const write = (text: string) => {
    // No character takes more than three bytes per UTF-16 unit.
    const left = out.bytes.length - out.end;
    if (left < text.length * 3 && left < Buffer.byteLength(text)) reserve(out, text.length * 3);
    out.end += out.bytes.write(text, out.end);
  };
  const writeBytes = (bytes: Buffer) => {
    reserve(out, bytes.length);
    out.end += bytes.copy(out.bytes, out.end);
  };
  const replaceLast = (text: string) => {
    out.end -= 1;
    write(text);
  };
  return {
    write,
    writeBytes,
    replaceLast,
    finish: () => ({ text: out.bytes.subarray(0, out.end), release: () => giveBack(out.bytes) }),
  };
}
