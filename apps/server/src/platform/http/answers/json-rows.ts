import type { FastifyReply } from 'fastify';

/** A record as the text of a JSON object that PostgreSQL wrote, and the text of fields to add to it: `"a":1,"b":2`, or ''. */
export interface JsonRow {
  json: string;
  more: string;
}

/** Records of a list as JSON, so that pages of thousands aren't parsed only to be written again. */
export interface JsonRows {
  [WRITTEN]: readonly JsonRow[];
}

const WRITTEN = Symbol('records as JSON');

/** An answer in which lists may be JSON already. */
export type Written<Answer> = {
  [Field in keyof Answer]: Answer[Field] extends readonly unknown[] ? Answer[Field] | JsonRows : Answer[Field];
};

/** Makes the records of an answer from their texts. Each must be an object with at least one field. */
export function createJsonRows(rows: readonly JsonRow[]): JsonRows {
  return { [WRITTEN]: rows };
}

/** The texts of records that are JSON already; undefined for anything else. */
export function getJsonRows(value: unknown): readonly JsonRow[] | undefined {
  return (value as Partial<JsonRows> | null | undefined)?.[WRITTEN];
}

/** The whole object of a row. */
export function toObject({ json, more }: JsonRow): unknown {
  return JSON.parse(more === '' ? json : `${json.slice(0, -1)},${more}}`);
}

/** The body of an answer: bytes if it has records that are JSON already, else the object, which Fastify writes. */
export function toBody(answer: unknown, reply: FastifyReply): unknown {
  if (typeof answer !== 'object' || answer === null) return answer;
  const fields = Object.entries(answer).filter(([, value]) => value !== undefined);
  if (!fields.some(([, value]) => getJsonRows(value))) return answer;
  reply.type('application/json; charset=utf-8');
  const body = createWriter(fields.reduce((sum, [, value]) => sum + estimateSize(getJsonRows(value) ?? []), SIZE_MIN));
  for (const [index, [name, value]] of fields.entries()) {
    body.write(`${index === 0 ? '{' : ','}${JSON.stringify(name)}:`);
    const rows = getJsonRows(value);
    if (rows) writeRows(body, rows);
    else body.write(JSON.stringify(value));
  }
  body.write('}');
  return body.finish();
}

const SIZE_MIN = 4096;

/** Most texts are ASCII; the others make the buffer grow. */
function estimateSize(rows: readonly JsonRow[]): number {
  return rows.reduce((sum, { json, more }) => sum + json.length + more.length + 3, 0);
}

interface Writer {
  write(text: string): void;
  /** Replaces the last byte, which is ASCII. */
  replaceLast(text: string): void;
  finish(): Buffer;
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
  let buffer = Buffer.allocUnsafe(size);
  let end = 0;
  const write = (text: string) => {
    // No character takes more than three bytes per UTF-16 unit.
    if (buffer.length - end < text.length * 3 && buffer.length - end < Buffer.byteLength(text)) {
      const larger = Buffer.allocUnsafe(Math.max(buffer.length * 2, end + text.length * 3));
      buffer.copy(larger, 0, 0, end);
      buffer = larger;
    }
    end += buffer.write(text, end);
  };
  const replaceLast = (text: string) => {
    end -= 1;
    write(text);
  };
  return { write, replaceLast, finish: () => buffer.subarray(0, end) };
}
