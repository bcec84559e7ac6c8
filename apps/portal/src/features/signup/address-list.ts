import { type PastedPart, readAddresses } from '@steward/contract/users/pasted-addresses';

/** Several entries, or an address with a name, don't fit in a row. */
export function isList(text: string): boolean {
  const [first, ...others] = readAddresses(text);
  if (first === undefined) return false;
  return others.length > 0 || ('email' in first && first.email !== normalizeAddress(text));
}

/** Other text than an address is kept for the user to correct. */
function toRow(part: PastedPart): string {
  return 'email' in part ? part.email : part.unread;
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
  const added = readAddresses(list.text)
    .map(toRow)
    .filter((row) => !there.has(normalizeAddress(row)));
  const free = Math.max(0, list.most - before.length - after.length);
  return { rows: [...before, ...added.slice(0, free), ...after], leftOut: Math.max(0, added.length - free) };
}

/** Lists that were typed into single rows are spread as well. Without any, the rows are unchanged. */
export function spreadRows(rows: readonly string[], most: number): SpreadResult {
  if (!rows.some(isList)) return { rows: [...rows], leftOut: 0 };
  const all = readAddresses(rows.join('\n')).map(toRow);
  return { rows: all.slice(0, most), leftOut: Math.max(0, all.length - most) };
}

export function normalizeAddress(address: string): string {
  return address.trim().toLowerCase();
}
