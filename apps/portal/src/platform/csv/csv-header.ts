import { unguardCell } from './csv.ts';
import type { CsvShape } from './csv-shape.ts';

/** Where the columns of a shape stand in a file. */
export interface CsvHeader {
  /** For each column of the shape, in its order, the place of its cell in a row; -1 when the file has none. */
  places: number[];
  /** Labels of columns that the file lacks. */
  missing: string[];
  /** Labels of columns that are there more than once. */
  repeated: string[];
  /** Headers of the file that the shape does not know. */
  ignored: string[];
  /** Cells of the header, empty ones at its end not counted. */
  width: number;
}

/** The header rule of spec §5: trimmed, lowercased, everything but letters, digits and underscores an underscore. */
function headerName(cell: string): string {
  return unguardCell(cell).trim().toLowerCase().replace(/\W/g, '_');
}

/** Finds the columns of a shape in the first row of a file. */
export function readHeader(cells: readonly string[], { columns, aside }: CsvShape): CsvHeader {
  const width = cells.findLastIndex((cell) => cell.trim() !== '') + 1;
  const names = cells.slice(0, width).map(headerName);
  const known = new Set([...columns.map(({ name }) => name), ...aside]);
  const ignored = names.flatMap((name, at) => (known.has(name) ? [] : [cells[at]?.trim() || `Column ${at + 1}`]));
  return {
    places: columns.map(({ name }) => names.indexOf(name)),
    missing: columns.filter(({ name }) => !names.includes(name)).map(({ label }) => label),
    repeated: columns.filter(({ name }) => names.indexOf(name) !== names.lastIndexOf(name)).map(({ label }) => label),
    ignored: [...new Set(ignored)],
    width,
  };
}
