/** Byte order mark that files begin with, so that spreadsheets read them as UTF-8 (design §5). */
export const CSV_BOM = '\uFEFF';

// Quotes that lead to a sign which spreadsheets take for a formula: ASCII, full width, or a control character.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const FORMULA = /^'*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20\u0000-\u001F\u007F-\u009F]/;
// 5 to 20 digits behind one plus, with the usual separators between them: nothing that a spreadsheet could run.
const PHONE = /^\+\d(?:[ ().-]{0,2}\d){4,19}$/;
const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/;

/**
 * Makes a cell harmless in a spreadsheet by a leading `'` (design §5). A cell that already looks guarded gets one
 * more, which is what makes `unguardCell` its exact inverse.
 */
export function guardCell(cell: string): string {
  return FORMULA.test(cell) && !PHONE.test(cell) ? `'${cell}` : cell;
}

/** Takes back the `'` that `guardCell` wrote, and nothing else (design §5). */
export function unguardCell(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell;
}

/** One cell as it stands in a file: guarded, and quoted where RFC 4180 asks for it. */
export function writeCsvCell(cell: string): string {
  const guarded = guardCell(cell);
  return NEEDS_QUOTES.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}

/** One line of a file, its CRLF included (RFC 4180). */
export function writeCsvRow(cells: readonly string[]): string {
  return `${cells.map(writeCsvCell).join(',')}\r\n`;
}

/**
 * An instant (ms since 1970) as MM/DD/YYYY (spec §9). The day is UTC's: the same people give the same file, whoever
 * downloads it and wherever. Empty when there is no such instant.
 */
export function csvDate(instant: number): string {
  const date = new Date(instant);
  if (!instant || Number.isNaN(date.getTime())) return '';
  const month = String(date.getUTCMonth() + 1).padStart(2, '0');
  const day = String(date.getUTCDate()).padStart(2, '0');
  return `${month}/${day}/${String(date.getUTCFullYear()).padStart(4, '0')}`;
}
