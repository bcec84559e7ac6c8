import type { openCsvFile } from '#platform/csv/csv-file.ts';
import type { CsvSchema } from '#platform/csv/csv-schema.ts';
import {
  createErrorCsv as createCsv,
  type ErrorCsv,
  openUploadFile,
  type UploadFile,
} from '#platform/upload/session/upload-file.ts';
import { COLUMNS, createRowReader, type UserFileRow } from './user-rows.rules.ts';

const SCHEMA: CsvSchema = {
  columns: COLUMNS,
  required: 'Email',
  // The last two columns are in the file that Download CSV writes.
  unused: ['error', 'createat', 'updateat'],
  invalidMessage: 'Provided input seems Invalid. Please check format by downloading the users csv',
  errorMessage: 'An error occurred on csv upload',
};

/** Detects encoding and delimiter and checks the header. Throws a CsvError whose text is for the user. */
export function openUsersFile(
  file: File,
  signal: AbortSignal,
  open?: typeof openCsvFile,
): Promise<UploadFile<UserFileRow>> {
  return openUploadFile(file, { schema: SCHEMA, createRowReader, signal, ...(open !== undefined && { open }) });
}

/** Columns that are missing from the file are left out of the error CSV too: empty columns would clear names. */
export function createErrorCsv(missing: readonly string[] = []): ErrorCsv<UserFileRow> {
  return createCsv(COLUMNS.filter(({ label }) => !missing.includes(label)));
}
