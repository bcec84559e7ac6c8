import { ROW_FIELDS, type RowField, type UploadRow } from '@steward/contract/directory';
import { unguardCell } from '#platform/csv/csv.ts';
import type { CsvHeader, CsvRow } from '#platform/csv/csv-schema.ts';
import { formatNumber } from '#platform/time/format.ts';
import { createSeenIds } from './seen-ids.ts';

/** A row of the file as it would be sent, and why it can't be sent, if so. */
export interface FileRow {
  /** Line of the file where the row begins, from 1. */
  line: number;
  row: UploadRow;
  fault: string | undefined;
}

/** The columns of a directory file, in order. */
export const COLUMNS = [
  { name: 'id', label: 'Id' },
  { name: 'name', label: 'Name' },
  { name: 'phone_number', label: 'Phone Number' },
  { name: 'sms', label: 'Sms' },
  { name: 'email', label: 'Email' },
] as const;

/** Longer cells aren't sent; no field of an entry can be as long. */
const CELL_MAX = 10_000;

/** Turns the rows of one file into entries, in order. Checks only what needs no other data than the file. */
export function createRowReader(header: CsvHeader): (row: CsvRow) => FileRow {
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
    const keep = id === '' ? [] : ROW_FIELDS.filter((name) => !isThere(name));
    if (keep.length > 0) row.keep = keep;
    return {
      line,
      row,
      fault: formatExtraCells(cells, header.width) ?? tooLong(row) ?? repeated(before),
    };
  };
}

/** Text beyond the header's columns. It is part of the error, so that it isn't lost. */
function formatExtraCells(cells: readonly string[], width: number): string | undefined {
  const length = cells.findLastIndex((cell) => cell.trim() !== '') + 1;
  if (length <= width) return undefined;
  const texts = cells.slice(width, length).map((cell) => unguardCell(cell).trim());
  return `This row has ${length} cells where the header has ${width}: ${texts.join(', ')}`;
}

function tooLong(row: UploadRow): string | undefined {
  const column = COLUMNS.find(({ name }) => row[name].length > CELL_MAX);
  if (column === undefined) return undefined;
  const length = formatNumber(row[column.name].length);
  return `${column.label} has ${length} characters here; a cell may have at most ${formatNumber(CELL_MAX)}.`;
}

function repeated(line: number | undefined): string | undefined {
  if (line === undefined) return undefined;
  return `Duplicate Id: already used in line ${line}. Leave Id empty to add a new entry.`;
}
