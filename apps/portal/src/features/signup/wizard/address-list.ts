/** The separators are those of email programs and spreadsheets. */
const SEPARATORS = /[\s,;]+/;

/** Several addresses, or one with a name, don't fit in a row. */
export function isList(text: string): boolean {
  return (text.match(/@/g)?.length ?? 0) > 1 || /<\s*[^<>\s]/.test(text) || /[\r\n]/.test(text.trim());
}

/** The order is kept and duplicates are removed. Invalid addresses are kept for the user to correct. */
export function parseAddresses(text: string): string[] {
  return once(stripNames(text).split(SEPARATORS).map(bare));
}

export interface SpreadResult {
  rows: string[];
  leftOut: number;
}

/** The list is inserted at row `at`. Empty rows are replaced, filled ones stay, and there are at most `most` rows in total. */
export function spread(rows: readonly string[], list: { at: number; text: string; most: number }): SpreadResult {
  const filled = (some: readonly string[]) => some.filter((row) => row.trim() !== '');
  const before = filled(rows.slice(0, list.at + 1));
  const after = filled(rows.slice(list.at + 1));
  const there = new Set([...before, ...after].map(normalizeAddress));
  const added = parseAddresses(list.text).filter((address) => !there.has(normalizeAddress(address)));
  const room = Math.max(0, list.most - before.length - after.length);
  return { rows: [...before, ...added.slice(0, room), ...after], leftOut: Math.max(0, added.length - room) };
}

/** Lists that were typed into single rows are spread as well. Without any, the rows are unchanged. */
export function tidyRows(rows: readonly string[], most: number): SpreadResult {
  if (!rows.some(isList)) return { rows: [...rows], leftOut: 0 };
  const all = parseAddresses(rows.join('\n'));
  return { rows: all.slice(0, most), leftOut: Math.max(0, all.length - most) };
}

export function normalizeAddress(address: string): string {
  return address.trim().toLowerCase();
}

/** `Lee, Kim <kim@…>` becomes the address in brackets, without the name; other addresses are kept. */
function stripNames(text: string): string {
  const parts = text.split('<');
  const last = parts.pop() ?? '';
  return [...parts.map(stripLastName), last].join(' ').replaceAll('>', ' ');
}

function stripLastName(part: string): string {
  const from = 1 + Math.max(...['>', ';', '\r', '\n'].map((end) => part.lastIndexOf(end)));
  const others = part.slice(from).split(SEPARATORS);
  return [part.slice(0, from), ...others.filter((word) => word.includes('@'))].join(' ');
}

function bare(word: string): string {
  return word
    .replace(/^["'([<]+/, '')
    .replace(/^mailto:/i, '')
    .replace(/["')\]>.]+$/, '');
}

function once(words: readonly string[]): string[] {
  const seen = new Set(['']);
  return words.filter((word) => {
    const isNew = !seen.has(normalizeAddress(word));
    seen.add(normalizeAddress(word));
    return isNew;
  });
}
