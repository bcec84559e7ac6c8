import { CSV_BOM, writeCsvRow } from './csv.ts';

/** A CSV file that grows row by row. */
export interface CsvParts {
  add(cells: readonly string[]): void;
  finish(): Blob;
}

/** Characters that are kept as text before the browser gets them as a part of the file. */
const PART_LENGTH = 256 * 1024;

/** Written in parts, so that the browser may keep a long file out of memory. */
export function createCsvParts(header: readonly string[]): CsvParts {
  const parts: Blob[] = [];
  let text = CSV_BOM + writeCsvRow(header);
  const put = () => {
    parts.push(new Blob([text]));
    text = '';
  };
  return {
    add(cells) {
      text += writeCsvRow(cells);
      if (text.length >= PART_LENGTH) put();
    },
    finish() {
      put();
      return new Blob(parts, { type: 'text/csv;charset=utf-8' });
    },
  };
}
