import type { Entry, UploadRow } from '@steward/contract/directory';
import { createCsvParts } from '#platform/csv/csv.ts';
import { openCsvFile } from '#platform/csv/csv-file.ts';
import type { CsvSchema } from '#platform/csv/csv-schema.ts';
import type { CsvFile } from '#platform/csv/reader/csv-reader.ts';
import { COLUMNS, createRowReader, type FileRow } from './upload-rows.rules.ts';

export type { FileRow } from './upload-rows.rules.ts';

/** An open file, and how it was read. */
export interface DirectoryFile {
  encoding: CsvFile['encoding'];
  delimiter: CsvFile['delimiter'];
  /** Labels of our columns that the file lacks, such as 'Sms'. */
  missing: string[];
  /** Headers of the file that aren't ours, except Error. */
  ignored: string[];
  /** Bytes. */
  size: number;
  /**
   * Reads the file from the start; every pass returns the same batches, each small enough for one call. `read` is the
   * number of bytes read so far. Throws CsvError where the file is damaged.
   */
  batches(signal: AbortSignal): AsyncIterable<{ rows: FileRow[]; read: number }>;
  close(): void;
}

const SCHEMA: CsvSchema = {
  columns: COLUMNS,
  required: 'Name',
  unused: ['error'],
  invalidMessage: 'Provided input seems Invalid. Please check format by downloading comp dir csv',
  errorMessage: 'An error occurred on csv upload',
};

/** Opens a file: detects encoding and delimiter and checks the header. Throws CsvError with a text for the user. */
export async function openDirectoryFile(
  file: File,
  signal: AbortSignal,
  open: typeof openCsvFile = openCsvFile,
): Promise<DirectoryFile> {
  const csv = await open(file, SCHEMA, signal);
  const { encoding, delimiter, header } = csv;

  async function* batches(stop: AbortSignal) {
    const read = createRowReader(header);
    for await (const batch of csv.batches(stop)) yield { rows: batch.rows.map(read), read: batch.read };
  }

  const { missing, ignored } = header;
  return { encoding, delimiter, missing, ignored, size: file.size, batches, close: () => csv.close() };
}

/** Rows that were not stored, to be fixed and uploaded again. */
export interface ErrorCsv {
  add(rows: readonly { row: UploadRow; error: string }[]): void;
  finish(): Blob;
}

/**
 * The error CSV. Columns missing from a file with ids are left out here too: as empty columns they would clear the stored
 * values once the fixed file is uploaded.
 */
export function createErrorCsv(missing: readonly string[] = []): ErrorCsv {
  const columns = COLUMNS.filter(({ label }) => missing.includes('Id') || !missing.includes(label));
  const csv = createCsvParts([...columns.map(({ label }) => label), 'Error']);
  return {
    add(rows) {
      for (const { row, error } of rows) {
        const lost = columns.filter(({ name }) => row.keep?.some((kept) => kept === name)).map(({ label }) => label);
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

/** The whole directory as a file. */
export interface DirectoryCsv {
  add(entries: readonly Entry[]): void;
  finish(): Blob;
}

/** Columns in the order of docs/product.md section 10. */
export function createDirectoryCsv(): DirectoryCsv {
  const csv = createCsvParts(COLUMNS.map(({ label }) => label));
  return {
    add(entries) {
      for (const entry of entries) csv.add(COLUMNS.map(({ name }) => entry[name]));
    },
    finish: () => csv.finish(),
  };
}
