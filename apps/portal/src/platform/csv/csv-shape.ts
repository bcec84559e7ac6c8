/** What a file is to hold, and the words for one that does not. Plain data, so that it can be sent to a worker. */
export interface CsvShape {
  /** The columns by their names under the header rule, such as phone_number, and as a person reads them. */
  columns: readonly { name: string; label: string }[];
  /** Label of the column that no file may lack. */
  required: string;
  /** Names of columns that files may have and nobody reads. */
  aside: readonly string[];
  /** For a file that does not hold such rows. */
  refusal: string;
  /** For a reader that fails without saying why. */
  trouble: string;
}

/** Delimiters that are told apart. */
export const DELIMITERS = [',', ';', '\t'] as const;
export type Delimiter = (typeof DELIMITERS)[number];

/** A row of a file: the line where it begins, from 1, and its cells as they are written there. */
export interface CsvRow {
  line: number;
  cells: string[];
}

/** The next rows of a file; `read` is how many of its bytes were read so far. */
export interface CsvBatch {
  rows: CsvRow[];
  read: number;
}

/** Most rows in a batch. */
export const BATCH_ROWS = 2_000;

/** The largest file that is read, in bytes: 100 MB. */
export const CSV_FILE_MAX = 100 * 1024 * 1024;
