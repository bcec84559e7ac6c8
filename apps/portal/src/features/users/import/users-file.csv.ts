import { PROFILE_FIELDS, PROFILE_TEXTS, type Profile } from '@steward/contract/users';
import { unguardCell } from '#platform/csv/csv.ts';
import type { CsvHeader, CsvRow, CsvSchema } from '#platform/csv/csv-schema.ts';
import { formatNumber } from '#platform/time/format.ts';
import {
  createErrorCsv as createCsv,
  type ErrorCsv,
  type FileOptions,
  type FileRow,
  formatExtraCells,
  formatLongCell,
  openUploadFile,
  type UploadFile,
} from '#platform/upload/session/upload-file.ts';

type Field = keyof Profile | 'email' | 'account_type' | 'end_date';

/** Other columns of a users file are ignored. */
export const COLUMNS: readonly { name: Field; label: string }[] = [
  ...PROFILE_FIELDS.map((name) => ({ name, label: PROFILE_TEXTS[name].column })),
  { name: 'email', label: 'Email' },
  { name: 'account_type', label: 'Account Type' },
  { name: 'end_date', label: 'End Date' },
];

export interface UserFileRow extends Record<Field, string> {
  /** Fields that the file doesn't have keep their stored values. */
  keep?: Field[];
}

/** No valid address is longer, so longer text isn't remembered. */
const ADDRESS_MAX = 320;

/** This checks only what the file alone can tell. */
export function createRowReader(header: CsvHeader): (row: CsvRow) => FileRow<UserFileRow> {
  const places = new Map(COLUMNS.map(({ name }, at) => [name, header.places[at] ?? -1]));
  const lines = new Map<string, number>();

  return ({ line, cells }) => {
    const cell = (name: Field) => unguardCell(cells[places.get(name) ?? -1] ?? '');
    const row: UserFileRow = Object.fromEntries(COLUMNS.map(({ name }) => [name, cell(name)])) as Record<Field, string>;
    const keep = COLUMNS.flatMap(({ name }) => (isMissing(places.get(name), cells) ? [name] : []));
    if (keep.length > 0) row.keep = keep;
    const address = row.email.trim().replace(/[A-Z]/g, (letter) => letter.toLowerCase());
    const before = lines.get(address);
    if (before === undefined && address !== '' && address.length <= ADDRESS_MAX) lines.set(address, line);
    return {
      line,
      row,
      fault: formatExtraCells(cells, header.width) ?? formatLongCell(row, COLUMNS) ?? formatRepeated(before),
    };
  };
}

/** Spreadsheets omit empty cells at the end of a row. A missing cell must not clear the stored value. */
function isMissing(place = -1, cells: readonly string[]): boolean {
  return place < 0 || place >= cells.length;
}

function formatRepeated(line: number | undefined): string | undefined {
  return line === undefined ? undefined : `This address is already in line ${formatNumber(line)}.`;
}

const SCHEMA: CsvSchema = {
  columns: COLUMNS,
  required: 'Email',
  // The last two columns are in the file that Download CSV writes.
  unused: ['error', 'createat', 'updateat'],
  invalidMessage: 'Provided input seems Invalid. Please check format by downloading the users csv',
  errorMessage: 'An error occurred on csv upload',
};

/** Detects encoding and delimiter and checks the header. Throws a CsvError whose text is for the user. */
export function openUsersFile(file: File, options: FileOptions): Promise<UploadFile<UserFileRow>> {
  return openUploadFile(file, { schema: SCHEMA, createRowReader }, options);
}

/** Columns that are missing from the file are left out of the error CSV too: empty columns would clear names. */
export function createErrorCsv(missing: readonly string[] = []): ErrorCsv<UserFileRow> {
  return createCsv(COLUMNS.filter(({ label }) => !missing.includes(label)));
}
