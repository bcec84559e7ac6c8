import { createCsvParts, unguardCell } from '#platform/csv/csv.ts';
import { type OpenOptions, openCsvFile } from '#platform/csv/csv-file.ts';
import type { CsvHeader, CsvRow, CsvSchema } from '#platform/csv/csv-schema.ts';
import type { CsvFile } from '#platform/csv/reader/csv-reader.ts';
import { formatNumber } from '#platform/time/format.ts';
import type { AnyRow } from './upload-kind.ts';

/** Contains the reason if the row can't be sent. */
export interface FileRow<Row> {
  /** Line of the file where the row begins, counted from 1. */
  line: number;
  row: Row;
  fault: string | undefined;
}

export interface UploadFile<Row> {
  encoding: CsvFile['encoding'];
  isWeakGuess: boolean;
  delimiter: CsvFile['delimiter'];
  /** Labels of our columns that the file lacks, such as 'Sms'. */
  missing: string[];
  /** Headers of the file that no column has, except Error. */
  ignored: string[];
  /** Bytes. */
  size: number;
  /**
   * Reads the file from the start; every pass returns the same batches, each small enough for one call. `read` is the
   * number of bytes read so far. Throws CsvError where the file is damaged.
   */
  batches(signal: AbortSignal): AsyncIterable<{ rows: FileRow<Row>[]; read: number }>;
  close(): void;
}

/** Tests read without a worker. */
export type FileOptions = OpenOptions & { open?: typeof openCsvFile };

interface FileKind<Row> {
  schema: CsvSchema;
  /** Converts the rows of one pass, in order. */
  createRowReader: (header: CsvHeader) => (row: CsvRow) => FileRow<Row>;
}

/** Opens a file: detects encoding and delimiter and checks the header. Throws CsvError with a text for the user. */
export async function openUploadFile<Row>(
  file: File,
  { schema, createRowReader }: FileKind<Row>,
  { open = openCsvFile, ...options }: FileOptions,
): Promise<UploadFile<Row>> {
  const csv = await open(file, schema, options);
  const { encoding, isWeakGuess, delimiter, header } = csv;

  async function* batches(stop: AbortSignal) {
    const read = createRowReader(header);
    for await (const batch of csv.batches(stop)) yield { rows: batch.rows.map(read), read: batch.read };
  }

  const { missing, ignored } = header;
  return { encoding, isWeakGuess, delimiter, missing, ignored, size: file.size, batches, close: () => csv.close() };
}

/** Longer cells aren't sent, because no field allows that length. */
const CELL_MAX = 10_000;

/** Text beyond the header's columns. It is part of the error, so that it isn't lost. */
export function formatExtraCells(cells: readonly string[], width: number): string | undefined {
  const length = cells.findLastIndex((cell) => cell.trim() !== '') + 1;
  if (length <= width) return undefined;
  const texts = cells.slice(width, length).map((cell) => unguardCell(cell).trim());
  return `This row has ${length} cells where the header has ${width}: ${texts.join(', ')}`;
}

/** Returns the reason if a cell of a row is too long to be sent. */
export function formatLongCell<Name extends string>(
  row: Readonly<Record<Name, string>>,
  columns: readonly { name: Name; label: string }[],
): string | undefined {
  const column = columns.find(({ name }) => row[name].length > CELL_MAX);
  if (column === undefined) return undefined;
  const length = formatNumber(row[column.name].length);
  return `${column.label} has ${length} characters here; a cell may have at most ${formatNumber(CELL_MAX)}.`;
}

/** The user fixes these rows and uploads them again. */
export interface ErrorCsv<Row> {
  add(rows: readonly { row: Row; error: string }[]): void;
  finish(): Blob;
}

/** The error CSV has these columns and Error. */
export function createErrorCsv<Name extends string, Row extends AnyRow & Readonly<Record<Name, string>>>(
  columns: readonly { name: Name; label: string }[],
): ErrorCsv<Row> {
  const csv = createCsvParts([...columns.map(({ label }) => label), 'Error']);
  return {
    add(rows) {
      for (const { row, error } of rows) {
        const lost = columns.filter(({ name }) => row.keep?.includes(name)).map(({ label }) => label);
        csv.add([...columns.map(({ name }) => row[name]), lost.length > 0 ? formatLostFields(error, lost) : error]);
      }
    },
    finish: () => csv.finish(),
  };
}

/** In the error CSV a missing cell looks like an empty one. */
function formatLostFields(error: string, labels: readonly string[]): string {
  const list = labels.length > 1 ? `${labels.slice(0, -1).join(', ')} and ${labels.at(-1)}` : labels.join('');
  const end = /[.!?]$/.test(error) ? '' : '.';
  return `${error}${end} This row had no ${list}. Fill in the values to keep: an empty cell clears the field.`;
}
