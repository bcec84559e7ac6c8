// What makes a spreadsheet read a cell as a formula: the portal's files are guarded alike.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const FORMULA = /^'*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20\u0000-\u001F\u007F-\u009F]/;
const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/;

/** One line of a CSV file (RFC 4180); lists and objects are written as JSON. */
export function toCsvLine(cells: readonly unknown[]): string {
  return `${cells.map(toCell).join(',')}\r\n`;
}

function toCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const guarded = FORMULA.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}
