import type { Entry } from '@steward/contract/directory';
import type { ListPage } from '#platform/api/queries.ts';
import type { Pages } from '#platform/tables/cached-lists.ts';

const NUMBER = /^[\d\s()+./-]+$/;
/** Shorter numbers are searched for as typed. */
const DIGITS_MIN = 3;

export function withoutEntry(pages: Pages<Entry>, id: string): Pages<Entry> {
  return { ...pages, pages: pages.pages.map((page) => ({ ...page, records: page.records.filter(hasOtherId(id)) })) };
}

/**
 * An entry beyond the loaded pages is left out, because its page will include it. The server orders and searches; this predicts the result
 * until the list is fetched again.
 */
export function withEntry(before: Pages<Entry>, entry: Entry, search = ''): Pages<Entry> {
  const { pages, ...rest } = withoutEntry(before, entry.id);
  if (!fits(entry, search)) return { ...rest, pages };
  const last = pages.length - 1;
  const home = pages.findIndex(
    (page, at) => page.records.some((record) => isOrderedBefore(entry, record)) || (at === last && isEnd(page)),
  );
  return { ...rest, pages: pages.map((page, at) => (at === home ? insert(page, entry) : page)) };
}

function insert(page: ListPage<Entry>, entry: Entry): ListPage<Entry> {
  const at = page.records.findIndex((record) => isOrderedBefore(entry, record));
  return { ...page, records: page.records.toSpliced(at < 0 ? page.records.length : at, 0, entry) };
}

function isEnd(page: ListPage<Entry>): boolean {
  return page.last_key === null || page.last_key === '';
}

function hasOtherId(id: string) {
  return (entry: Entry) => entry.id !== id;
}

/** Entries are ordered by lower-case name, then by id, both by code point, as in the database. */
function isOrderedBefore(left: Entry, right: Entry): boolean {
  const byName = compare(left.name.toLowerCase(), right.name.toLowerCase());
  return byName === 0 ? compare(left.id, right.id) < 0 : byName < 0;
}

function compare(left: string, right: string): number {
  let at = 0;
  while (at < left.length && left[at] === right[at]) at += 1;
  return (left.codePointAt(at) ?? -1) - (right.codePointAt(at) ?? -1);
}

/** A number is also found by its digits alone (docs/product.md 7.4). */
function fits({ name, email, phone_number, sms }: Entry, search: string): boolean {
  const getDigits = (text: string) => text.replace(/\D/g, '');
  const numbers = [foldText(phone_number), foldText(sms)];
  const text = [foldText(name), foldText(email), ...numbers, ...numbers.map(getDigits)].join('\n');
  const typed = foldText(search);
  const digits = getDigits(typed);
  return text.includes(typed) || (NUMBER.test(typed) && digits.length >= DIGITS_MIN && text.includes(digits));
}

/** The server's search ignores case, ligatures and full-width forms, and treats ß as ss. */
function foldText(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll('ß', 'ss').replaceAll('ς', 'σ');
}
