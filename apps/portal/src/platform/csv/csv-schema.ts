import { unguardCell } from './csv.ts';

/** This is plain data, so that it can be sent to a worker. */
export interface CsvSchema {
  /** Columns by their normalized names, such as phone_number, and as they are displayed. */
  columns: readonly { name: string; label: string }[];
  /** Label of the column that every file must have. */
  required: string;
  /** Names of columns that are allowed and not read. */
  unused: readonly string[];
  /** Message for a file without such rows. */
  invalidMessage: string;
  /** Message for a reader that fails without its own. */
  errorMessage: string;
}

/** A file that can't be read with its schema: `message` says so, `hint` gives the details and what to do. */
export class CsvError extends Error {
  readonly hint: string | undefined;

  constructor(message: string, hint?: string) {
    super(message);
    this.name = 'CsvError';
    this.hint = hint;
  }
}

export const DELIMITERS = [',', ';', '\t'] as const;
export type Delimiter = (typeof DELIMITERS)[number];

/** `line` is its first line, counted from 1. */
export interface CsvRow {
  line: number;
  cells: string[];
}

/** `read` is the number of bytes read so far. */
export interface CsvBatch {
  rows: CsvRow[];
  read: number;
}

export const BATCH_ROWS = 2_000;

/** Largest file that is read, in bytes: 100 MB. */
export const CSV_FILE_MAX = 100 * 1024 * 1024;

export interface CsvHeader {
  /** For each column of the schema, in order, the index of its cell in a row; -1 when the file doesn't have it. */
  places: number[];
  missing: string[];
  /** Labels of columns that occur more than once. */
  repeated: string[];
  /** Headers that the schema doesn't know. */
  ignored: string[];
  /** Number of header cells, not counting empty ones at the end. */
  width: number;
}

/** Trimmed, lowercased, each character other than letters, digits and underscores an underscore (docs/product.md section 5). */
function headerName(cell: string): string {
  return unguardCell(cell).trim().toLowerCase().replace(/\W/g, '_');
}

/** Finds the columns of a schema in the first row of a file. */
export function readHeader(cells: readonly string[], { columns, unused }: CsvSchema): CsvHeader {
  const width = cells.findLastIndex((cell) => cell.trim() !== '') + 1;
  const names = cells.slice(0, width).map(headerName);
  const known = new Set([...columns.map(({ name }) => name), ...unused]);
  const ignored = names.flatMap((name, at) => (known.has(name) ? [] : [cells[at]?.trim() || `Column ${at + 1}`]));
  return {
    places: columns.map(({ name }) => names.indexOf(name)),
    missing: columns.filter(({ name }) => !names.includes(name)).map(({ label }) => label),
    repeated: columns.filter(({ name }) => names.indexOf(name) !== names.lastIndexOf(name)).map(({ label }) => label),
    ignored: [...new Set(ignored)],
    width,
  };
}
