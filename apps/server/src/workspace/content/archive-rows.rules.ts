/** Archived rows of a table: each a line of JSON with all its columns, as PostgreSQL writes it. */
export interface ArchivedRows {
  columns: readonly string[];
  lines: readonly string[];
}

/** The fields of an archived row that the server itself reads. */
export interface ArchivedItem {
  id: string;
  /** Key of its content, except for messages. */
  blob?: string | null;
}

export const readItems = ({ lines }: ArchivedRows): ArchivedItem[] =>
  lines.map((line) => JSON.parse(line) as ArchivedItem);

/** As one array; the text of each row stays as it is, because numbers can have more digits than JavaScript reads. */
export const toJson = ({ lines }: ArchivedRows): string => `[${lines.join(',')}]`;

const ESCAPES: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

/** A field of the text format of COPY; null where the row has none. */
function decodeField(field: string): string | null {
  if (field === '\\N') return null;
  return field.replace(/\\(.)/gs, (_, escaped: string) => ESCAPES[escaped] ?? escaped);
}

/** Reads a row of an archive of the first version, which has the text format of COPY. PostgreSQL converts the texts. */
export function readCopyRow(columns: readonly string[], row: string): string {
  const fields = row.split('\t').map(decodeField);
  const toValue = (column: string, field: string | null) =>
    column === 'props' && field !== null ? field : JSON.stringify(field);
  return `{${columns.map((column, at) => `"${column}":${toValue(column, fields[at] ?? null)}`).join(',')}}`;
}
