/** Byte order mark at the start of files, so that spreadsheets read them as UTF-8. */
export const CSV_BOM = '\uFEFF';

// Single quotes followed by a character that makes a spreadsheet read a formula: ASCII, full-width, or a control character.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const FORMULA = /^'*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20\u0000-\u001F\u007F-\u009F]/;
// A plus and 5 to 20 digits with the usual separators, and an extension, can't run as a formula.
const PHONE = /^\+\d(?:[ ().-]{0,2}\d){4,19}(?:[ ,;]{0,2}(?:x|ext|extension|#)[ .:=]{0,2}\d{1,8})?$/i;
const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/;

/**
 * Makes a cell harmless in a spreadsheet by a leading `'`. A cell that already looks guarded gets another one, so that
 * `unguardCell` is the exact inverse.
 */
export function guardCell(cell: string): string {
  return FORMULA.test(cell) && !PHONE.test(cell) ? `'${cell}` : cell;
}

/** Removes the `'` that `guardCell` wrote, and nothing else. */
export function unguardCell(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell;
}

/** The cell is guarded, and quoted where RFC 4180 requires it. */
export function writeCsvCell(cell: string): string {
  const guarded = guardCell(cell);
  return NEEDS_QUOTES.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}

export function writeCsvRow(cells: readonly string[]): string {
  return `${cells.map(writeCsvCell).join(',')}\r\n`;
}

/**
 * An instant (ms since 1970) as MM/DD/YYYY in UTC, so that the file doesn't depend on who downloads it. Empty for 0 and
 * invalid instants.
 */
export function csvDate(instant: number): string {
  const date = new Date(instant);
  if (!instant || Number.isNaN(date.getTime())) return '';
  const month = String(date.getUTCMonth() + 1).padStart(2, '0');
  const day = String(date.getUTCDate()).padStart(2, '0');
  return `${month}/${day}/${String(date.getUTCFullYear()).padStart(4, '0')}`;
}

export interface CsvParts {
  add(cells: readonly string[]): void;
  finish(): Blob;
}

/** This many characters are collected before they become a part of the file. */
const PART_LENGTH = 256 * 1024;

/** Writes a file in parts, so that the browser can keep a long one out of memory. */
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
