import type { TakeRow } from '#platform/database/wire/taken-rows.ts';
import { readLine, writeBytes, writeJson, writeText } from './copy-text.ts';
import { type Column, createRecords, GROWTH, type Records, toStart } from './records.ts';
import { type Output, reserve } from './spare-buffers.ts';

/** A page to be read. */
export interface CopiedList {
  columns: readonly Column[];
  /** Records of the page; a further row only tells that another page follows. */
  limit: number;
  /** Number of columns, the first ones and all unsent, that decide which fields `describe` adds. Few values should occur. */
  kind: number;
  /** Fields to add to each record of a kind: `"a":1,"b":2`, or ''. */
  describe(kind: readonly string[]): string;
}

interface Field {
  as: Column['as'];
  /** What is written before the value. */
  start: Buffer;
}

const NEWLINE = 10;
const TAB = 9;
/** Bytes of a usual page of 2,000. */
const FIRST_SIZE = 1024 * 1024;

/** Makes JSON of the rows that COPY writes while they arrive. */
export function createCopiedRecords(list: CopiedList): Records {
  const createWriter = (out: Output) => createRecordWriter(out, list);
  return createRecords({ isFixed: false, createWriter, read: readLine }, { limit: list.limit, size: FIRST_SIZE });
}

/** Returns what writes a row as a JSON object and a comma. */
function createRecordWriter(out: Output, { columns, kind, describe }: CopiedList): TakeRow {
  const fields = columns.slice(kind).map((column): Field => ({ as: column.as, start: toStart(columns, column) }));
  const fixed = fields.reduce((sum, { start }) => sum + start.length + 'null'.length, 2);
  const findEnd = createEnds(describe);
  return (bytes, start, end) => {
    let at = start;
    for (let column = 0; column < kind; column += 1) at = skip(bytes, at);
    const rest = findEnd(bytes, start, at);
    reserve(out, (end - at) * GROWTH + fixed + rest.length);
    for (const field of fields) {
      if (field.as === 'unsent') {
        at = skip(bytes, at);
        continue;
      }
      writeBytes(out, field.start);
      at = field.as === 'text' ? writeText(out, bytes, at) : writeJson(out, bytes, at);
    }
    out.end += rest.copy(out.bytes, out.end);
  };
}

/** Returns what finds the end of a record: the fields of its kind, which is the bytes from `start` to before `end`. */
function createEnds(describe: CopiedList['describe']): (bytes: Buffer, start: number, end: number) => Buffer {
  const known = new Map<string, Buffer>();
  let latest: { kind: Buffer; end: Buffer } | undefined;
  const isOfKind = (kind: Buffer, bytes: Buffer, start: number): boolean => {
    for (let at = 0; at < kind.length; at += 1) if (kind[at] !== bytes[start + at]) return false;
    return true;
  };
  return (bytes, start, end) => {
    // Most rows are of the same kind as the previous one, so the text is reused.
    if (latest?.kind.length === end - start && isOfKind(latest.kind, bytes, start)) return latest.end;
    const kind = bytes.toString('latin1', start, end);
    const found = known.get(kind) ?? toEnd(describe(kind === '' ? [] : kind.slice(0, -1).split('\t')));
    known.set(kind, found);
    latest = { kind: Buffer.from(bytes.subarray(start, end)), end: found };
    return found;
  };
}

function toEnd(more: string): Buffer {
  return Buffer.from(more === '' ? '},' : `,${more}},`);
}

function skip(bytes: Buffer, from: number): number {
  let at = from;
  while ((bytes[at] as number) !== TAB && bytes[at] !== NEWLINE) at += 1;
  return at + 1;
}
