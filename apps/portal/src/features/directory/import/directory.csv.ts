import type { Entry, UploadRow } from '@steward/contract/directory';
import { createCsvParts } from '#platform/csv/csv.ts';
import type { CsvSchema } from '#platform/csv/csv-schema.ts';
import {
  createErrorCsv as createCsv,
  type ErrorCsv,
  type FileOptions,
  openUploadFile,
  type UploadFile,
} from '#platform/upload/session/upload-file.ts';
import { COLUMNS, createRowReader } from './upload-rows.rules.ts';

export type DirectoryFile = UploadFile<UploadRow>;

const SCHEMA: CsvSchema = {
  columns: COLUMNS,
  required: 'Name',
  unused: ['error'],
  invalidMessage: 'Provided input seems Invalid. Please check format by downloading comp dir csv',
  errorMessage: 'An error occurred on csv upload',
};

/** Detects encoding and delimiter and checks the header. Throws a CsvError whose text is for the user. */
export function openDirectoryFile(file: File, options: FileOptions): Promise<DirectoryFile> {
  return openUploadFile(file, { schema: SCHEMA, createRowReader }, options);
}

/** Columns that are missing from the file are left out of the error CSV too: empty columns would clear stored values. */
export function createErrorCsv(missing: readonly string[] = []): ErrorCsv<UploadRow> {
  return createCsv(COLUMNS.filter(({ label }) => !missing.includes(label)));
}

export interface DirectoryCsv {
  add(entries: readonly Entry[]): void;
  finish(): Blob;
}

/** docs/product.md section 10 defines the columns and their order. */
export function createDirectoryCsv(): DirectoryCsv {
  const csv = createCsvParts(COLUMNS.map(({ label }) => label));
  return {
    add(entries) {
      for (const entry of entries) csv.add(COLUMNS.map(({ name }) => entry[name]));
    },
    finish: () => csv.finish(),
  };
}
