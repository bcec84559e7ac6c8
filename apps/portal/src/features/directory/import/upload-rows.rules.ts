import { ROW_FIELDS, type RowField, type UploadRow } from '@steward/contract/directory';
import { unguardCell } from '#platform/csv/csv.ts';
import type { CsvHeader, CsvRow } from '#platform/csv/csv-schema.ts';
import { type FileRow, formatExtraCells, formatLongCell } from '#platform/upload/session/upload-file.ts';
import { createSeenIds } from './seen-ids.ts';

export const COLUMNS = [
  { name: 'id', label: 'Id' },
  { name: 'name', label: 'Name' },
  { name: 'phone_number', label: 'Phone Number' },
  { name: 'sms', label: 'Sms' },
  { name: 'email', label: 'Email' },
] as const;

/** This checks only what the file alone can tell. */
export function createRowReader(header: CsvHeader): (row: CsvRow) => FileRow<UploadRow> {
  const places = new Map(COLUMNS.map(({ name }, at) => [name, header.places[at] ?? -1]));
  const getPlace = (name: RowField | 'id') => places.get(name) ?? -1;
  const seen = createSeenIds();

  return ({ line, cells }) => {
    const cell = (name: RowField | 'id') => unguardCell(cells[getPlace(name)] ?? '');
    const row: UploadRow = {
      id: cell('id'),
      name: cell('name'),
      phone_number: cell('phone_number'),
      sms: cell('sms'),
      email: cell('email'),
    };
    const id = row.id.trim();
    const before = seen.getEarlierLine(id, line);
    const isThere = (name: RowField) => getPlace(name) >= 0 && getPlace(name) < cells.length;
    // Spreadsheets omit empty cells at the end of a row. A missing cell must not clear the stored value.
    const keep = ROW_FIELDS.filter((name) => !isThere(name));
    if (keep.length > 0) row.keep = keep;
    return {
      line,
      row,
      fault: formatExtraCells(cells, header.width) ?? formatLongCell(row, COLUMNS) ?? repeated(before),
    };
  };
}

function repeated(line: number | undefined): string | undefined {
  if (line === undefined) return undefined;
  return `Duplicate Id: already used in line ${line}. Leave Id empty to add a new entry.`;
}
