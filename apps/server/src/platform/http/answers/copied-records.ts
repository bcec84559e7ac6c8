import { readLine, writeBytes, writeJson, writeText } from './copy-text.ts';
import { createJsonText, type JsonRows } from './json-rows.ts';
import { giveBack, type Output, reserve, takeBuffer } from './spare-buffers.ts';

/**
 * A column of a statement whose rows COPY writes. `text` becomes a JSON string; `json` is JSON already, such as a number or jsonb;
 * `unsent` isn't part of the record.
 */
export interface CopiedColumn {
  name: string;
  as: 'text' | 'json' | 'unsent';
}

/** A page to be read. */
export interface CopiedList {
  columns: readonly CopiedColumn[];
  /** Records of the page; a further row only tells that another page follows. */
  limit: number;
  /** Number of columns, the first ones and all unsent, that decide which fields `describe` adds. Few values should occur. */
  kind: number;
  /** Fields to add to each record of a kind: `"a":1,"b":2`, or ''. */
  describe(kind: readonly string[]): string;
}

/** A page that was read. */
export interface CopiedPage {
  records: JsonRows;
  count: number;
  /** All columns of the last record if another page follows; null is ''. */
  last: readonly string[] | undefined;
}

/** Makes JSON of the rows that COPY writes while they arrive, without a string or an object for each of them. */
export interface CopiedRecords {
  /** The next row, with its line feed. */
  take(row: Buffer): void;
  finish(): CopiedPage;
}

interface Field {
  as: CopiedColumn['as'];
  /** What is written before the value. */
  start: Buffer;
}

const NEWLINE = 10;
const TAB = 9;
/** Of a control character, JSON takes six bytes. */
const GROWTH = 6;
/** Bytes of a usual page of 2,000. */
const FIRST_SIZE = 1024 * 1024;

/** Starts a page. */
export function createCopiedRecords(list: CopiedList): CopiedRecords {
  const out: Output = { bytes: takeBuffer(FIRST_SIZE), end: 0 };
  const write = createRecordWriter(out, list);
  let rows = 0;
  let first: string | undefined;
  let last: readonly string[] | undefined;
  return {
    take(row) {
      rows += 1;
      if (rows > list.limit) return;
      write(row);
      if (rows === 1) first = out.bytes.toString('utf8', 0, out.end - 1);
      if (rows === list.limit) last = readLine(row);
    },
    finish: () => ({
      records: createJsonText(out.bytes.subarray(0, Math.max(0, out.end - 1)), {
        first,
        release: () => giveBack(out.bytes),
      }),
      count: Math.min(rows, list.limit),
      last: rows > list.limit ? last : undefined,
    }),
  };
}

/** Returns what writes a row as a JSON object and a comma. */
function createRecordWriter(out: Output, { columns, kind, describe }: CopiedList): (line: Buffer) => void {
  const sent = columns.filter(({ as }) => as !== 'unsent');
  const fields = columns.slice(kind).map(({ name, as }): Field => {
    return { as, start: Buffer.from(`${name === sent[0]?.name ? '{' : ','}${JSON.stringify(name)}:`) };
  });
  const fixed = fields.reduce((sum, { start }) => sum + start.length + 'null'.length, 2);
  const ends = new Map<string, Buffer>();
  const getEnd = (of: string): Buffer => {
    const known = ends.get(of);
    if (known) return known;
    const more = describe(of === '' ? [] : of.slice(0, -1).split('\t'));
    const end = Buffer.from(more === '' ? '},' : `,${more}},`);
    ends.set(of, end);
    return end;
  };
  return (line) => {
    let at = 0;
    for (let column = 0; column < kind; column += 1) at = line.indexOf(TAB, at) + 1;
    const end = getEnd(line.toString('latin1', 0, at));
    reserve(out, line.length * GROWTH + fixed + end.length);
    for (const { as, start } of fields) {
      if (as === 'unsent') {
        at = skip(line, at);
        continue;
      }
      writeBytes(out, start);
      at = as === 'text' ? writeText(out, line, at) : writeJson(out, line, at);
    }
    out.end += end.copy(out.bytes, out.end);
  };
}

function skip(line: Buffer, from: number): number {
  let at = from;
  while ((line[at] as number) !== TAB && line[at] !== NEWLINE) at += 1;
  return at + 1;
}
