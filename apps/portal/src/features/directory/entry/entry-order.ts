import type { Entry } from '@steward/contract/directory';
import type { ListPage } from '#platform/api/queries.ts';
import type { Pages } from '#platform/tables/cached-lists.ts';

/** Digits with the usual separators. */
const NUMBER = /^[\d\s()+./-]+$/;
/** Fewer digits are searched for as typed. */
const DIGITS_MIN = 3;

/** The list without this entry. */
export function withoutEntry(pages: Pages<Entry>, id: string): Pages<Entry> {
  return { ...pages, pages: pages.pages.map((page) => ({ ...page, records: page.records.filter(hasOtherId(id)) })) };
}

/**
 * The list with this entry, new or changed, in order of its name. An entry beyond the loaded pages is left out: its page
 * will have it. The server orders and searches; this predicts the result until the list is fetched again.
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

/** By lower-case name, then by id, both by their characters' numbers, as the database sorts them. */
function isOrderedBefore(left: Entry, right: Entry): boolean {
  const byName = compare(left.name.toLowerCase(), right.name.toLowerCase());
  return byName === 0 ? compare(left.id, right.id) < 0 : byName < 0;
}

function compare(left: string, right: string): number {
  let at = 0;
  while (at < left.length && left[at] === right[at]) at += 1;
  return (left.codePointAt(at) ?? -1) - (right.codePointAt(at) ?? -1);
}

/** Whether a search finds this entry; a number is also found by its digits alone (docs/product.md 7.4). */
function fits({ name, email, phone_number, sms }: Entry, search: string): boolean {
  const getDigits = (text: string) => text.replace(/\D/g, '');
  const numbers = [foldText(phone_number), foldText(sms)];
  const text = [foldText(name), foldText(email), ...numbers, ...numbers.map(getDigits)].join('\n');
  const typed = foldText(search);
  const digits = getDigits(typed);
  return text.includes(typed) || (NUMBER.test(typed) && digits.length >= DIGITS_MIN && text.includes(digits));
}

/** Letters as the server's search compares them: without case, ligatures or full-width forms, and ß as ss. */
function foldText(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll('ß', 'ss').replaceAll('ς', 'σ');
}
