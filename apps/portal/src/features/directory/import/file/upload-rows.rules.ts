import { ROW_FIELDS, type RowField, type UploadRow } from '@steward/contract/directory';
import { unguardCell } from '#platform/csv/csv.ts';
import type { CsvHeader, CsvRow } from '#platform/csv/csv-schema.ts';
import { createSeenIds } from './seen-ids.ts';

/** A row of the file: what would be sent, and why it cannot be, if so. */
export interface FileRow {
  /** Line of the file where the row begins, from 1. */
  line: number;
  row: UploadRow;
  fault: string | undefined;
}

/** The columns of a file of the directory, in its order (spec §9). */
export const COLUMNS = [
  { name: 'id', label: 'Id' },
  { name: 'name', label: 'Name' },
  { name: 'phone_number', label: 'Phone Number' },
  { name: 'sms', label: 'Sms' },
  { name: 'email', label: 'Email' },
] as const;

/** A longer cell is not sent: no field of an entry holds so much. */
const CELL_MAX = 10_000;

/** Makes entries of the rows of one file, in their order. Only what a single file can tell is judged here. */
export function createRowReader(header: CsvHeader): (row: CsvRow) => FileRow {
  const places = new Map(COLUMNS.map(({ name }, at) => [name, header.places[at] ?? -1]));
  const placeOf = (name: RowField | 'id') => places.get(name) ?? -1;
  const seen = createSeenIds();

  return ({ line, cells }) => {
    const cell = (name: RowField | 'id') => unguardCell(cells[placeOf(name)] ?? '');
    const row: UploadRow = {
      id: cell('id'),
      name: cell('name'),
      phone_number: cell('phone_number'),
      sms: cell('sms'),
      email: cell('email'),
    };
    const id = row.id.trim();
    const before = seen.getEarlierLine(id, line);
    const isThere = (name: RowField) => placeOf(name) >= 0 && placeOf(name) < cells.length;
    // Spreadsheets leave out empty cells at the end of a row: a cell that is not there must not empty what is stored.
    const keep = id === '' ? [] : ROW_FIELDS.filter((name) => !isThere(name));
    if (keep.length > 0) row.keep = keep;
    return {
      line,
      row,
      fault: formatExtraCells(cells, header.width) ?? tooLong(row) ?? repeated(before),
    };
  };
}

/** What stands beside the columns belongs to none of them; it goes with the fault, so that it is not lost. */
function formatExtraCells(cells: readonly string[], width: number): string | undefined {
  const length = cells.findLastIndex((cell) => cell.trim() !== '') + 1;
  if (length <= width) return undefined;
  const texts = cells.slice(width, length).map((cell) => unguardCell(cell).trim());
  return `This row has ${length} cells where the header has ${width}: ${texts.join(', ')}`;
}

function tooLong(row: UploadRow): string | undefined {
  const column = COLUMNS.find(({ name }) => row[name].length > CELL_MAX);
  if (column === undefined) return undefined;
  const length = row[column.name].length.toLocaleString('en-US');
  return `${column.label} has ${length} characters here; a cell may have at most 10,000.`;
}

function repeated(line: number | undefined): string | undefined {
  if (line === undefined) return undefined;
  return `This id stands in line ${line} already. Leave Id empty to add a new entry.`;
}
