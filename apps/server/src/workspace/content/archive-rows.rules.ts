/** Rows in the text format of COPY, and the columns of each, in their order. */
export interface ArchivedRows {
  columns: readonly string[];
  text: Buffer;
}

/** The fields that are read of every row, without decoding all of it. */
export interface ArchivedRow {
  id: string;
  externalId: string | null;
  /** Key of its content, except for messages. */
  blob: string | null;
  /** Bounds of its line, the line feed included. */
  start: number;
  end: number;
}

/** The first columns are those that are read of every row. */
export const ARCHIVED_COLUMNS = {
  messages: [
    ...['size', 'id', 'external_id', 'team_id', 'channel_id', 'channel_type', 'user_id', 'text', 'root_id'],
    ...['file_ids', 'props', 'create_at', 'update_at', 'delete_at', 'source_id'],
  ],
  files: [
    ...['size', 'id', 'external_id', 'blob', 'team_id', 'channel_id', 'post_id', 'user_id', 'name', 'digest'],
    ...['create_at', 'update_at', 'delete_at', 'doomed', 'source_id'],
  ],
  records: [
    ...['size', 'id', 'external_id', 'blob', 'team_id', 'kind', 'user_id', 'title', 'text', 'name', 'digest', 'clock'],
    ...['create_at', 'update_at', 'delete_at', 'doomed', 'source_id'],
  ],
} as const;

const TAB = 9;
const LINE_FEED = 10;
const ESCAPES: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

/** A field of the text format of COPY; null where the row has none. */
function decode(field: string): string | null {
  if (!field.includes('\\')) return field;
  if (field === '\\N') return null;
  return field.replace(/\\(.)/gs, (_, escaped: string) => ESCAPES[escaped] ?? escaped);
}

export function* readRows({ columns, text }: ArchivedRows): Generator<ArchivedRow> {
  const hasBlob = columns[3] === 'blob';
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf(LINE_FEED, start) + 1;
    const afterSize = text.indexOf(TAB, start) + 1;
    const afterId = text.indexOf(TAB, afterSize) + 1;
    const afterExternal = text.indexOf(TAB, afterId) + 1;
    const field = (from: number, to: number) => text.toString('utf8', from, to - 1);
    yield {
      id: decode(field(afterSize, afterId)) ?? '',
      externalId: decode(field(afterId, afterExternal)),
      blob: hasBlob ? decode(field(afterExternal, text.indexOf(TAB, afterExternal) + 1)) : null,
      start,
      end,
    };
    start = end;
  }
}

export function* decodeRows({ columns, text }: ArchivedRows): Generator<Record<string, string | null>> {
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf(LINE_FEED, start);
    const fields = text.toString('utf8', start, end).split('\t');
    yield Object.fromEntries(columns.map((column, at) => [column, decode(fields[at] ?? '')]));
    start = end + 1;
  }
}

export function withoutRows({ columns, text }: ArchivedRows, left: readonly ArchivedRow[]): ArchivedRows {
  if (left.length === 0) return { columns, text };
  const kept: Buffer[] = [];
  let from = 0;
  for (const { start, end } of left) {
    kept.push(text.subarray(from, start));
    from = end;
  }
  return { columns, text: Buffer.concat([...kept, text.subarray(from)]) };
}

export interface RowTally {
  count: number;
  bytes: number;
  blobs: string[];
}

/** Passes chunks on and adds their rows to the tally; a chunk may end anywhere. */
export async function* tallyRows(
  chunks: AsyncIterable<Buffer>,
  { hasBlob, tally }: { hasBlob: boolean; tally: RowTally },
): AsyncIterable<Buffer> {
  /** The beginning of a line that the last chunk cut. */
  let broken: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const first = chunk.indexOf(LINE_FEED) + 1;
    if (first > 0) addRow(Buffer.concat([broken, chunk.subarray(0, first)]), 0);
    const whole = chunk.lastIndexOf(LINE_FEED) + 1;
    for (let start = first; start < whole; start = chunk.indexOf(LINE_FEED, start) + 1) addRow(chunk, start);
    broken = whole === 0 ? Buffer.concat([broken, chunk]) : Buffer.from(chunk.subarray(whole));
    yield chunk;
  }
  function addRow(text: Buffer, start: number): void {
    tally.count += 1;
    tally.bytes += readNumber(text, start);
    if (hasBlob) addBlob(text, start, tally.blobs);
  }
}

function readNumber(text: Buffer, from: number): number {
  let number = 0;
  for (let at = from; text[at] !== TAB; at += 1) number = number * 10 + (text[at] ?? 0) - 48;
  return number;
}

/** The key of the content, in the fourth column. */
function addBlob(text: Buffer, start: number, blobs: string[]): void {
  let from = start;
  for (let column = 0; column < 3; column += 1) from = text.indexOf(TAB, from) + 1;
  const blob = decode(text.toString('utf8', from, text.indexOf(TAB, from)));
  if (blob !== null) blobs.push(blob);
}
