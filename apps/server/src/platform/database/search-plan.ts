import { type RawBuilder, sql } from 'kysely';

/** Of a searched page's size, so many times as many names are looked through before the index of keys is asked. */
const FIRST_SCAN = 20;
/** Where that look found a twentieth of the page, one so much longer is likely to fill it. */
const LONGER_SCAN = 20;

/** How one list is searched; each way answers at most `limit` rows, in the order of the list. */
export interface SearchPlan<Row> {
  text: string;
  limit: number;
  /** Matches among the next so many rows of the list. */
  look(rows: number): Promise<Row[]>;
  /** All matches, found by their keys or, for a text that has none, by reading every row; sorted. */
  ask(): Promise<Row[]>;
}

/**
 * A frequent text fills its page from the next few names, where the index of keys would answer with half the team; a
 * rare one is quick by that index, where the names would be walked to their end. Each try alone gives a whole page or
 * is thrown away, so that which of them answers cannot be told from the rows (decision 0014).
 */
export async function findPage<Row>({ text, limit, look, ask }: SearchPlan<Row>): Promise<Row[]> {
  let near = await look(limit * FIRST_SCAN);
  // Without three characters together, or two of ASCII, a text has no key, and all that is left after the looks is to read
  // every row.
  const hasKey = /[\p{L}\p{N}]{3}|[a-z0-9]{2}/iu.test(toSearchForm(text));
  const isPromising = !hasKey || near.length * LONGER_SCAN >= limit;
  if (near.length < limit && isPromising) near = await look(limit * FIRST_SCAN * LONGER_SCAN);
  return near.length === limit ? near : ask();
}

/** A LIKE pattern that matches the text literally anywhere in a column folded by `search_fold`. */
export function toLikePattern(text: string): RawBuilder<string> {
  // Setting up a function of SQL costs a plan of a millisecond. ASCII has no letter variants, so it doesn't need one.
  if (/[^\0-\x7f]/.test(text)) return sql<string>`search_pattern(${text})`;
  return sql<string>`lower(${`%${text.replace(/[\\%_]/g, '\\$&')}%`})`;
}

/**
 * That a row of `search` in this team has every key of one of the texts, which its index answers (decision 0032). Rows that have
 * them need not hold a text, so that `like` is asked too; a text without keys excludes none.
 */
export function matchesSearchKeys(teamId: string, texts: readonly string[]): RawBuilder<boolean> {
  const typed = texts.map(toSearchForm);
  const keys = typed.map((text) => toKeys(teamId, text));
  if (keys.includes(undefined)) return sql`true`;
  const wanted = sql.join(keys, sql` || `);
  const found = sql<boolean>`search_keys(team_id, search) @@ (${wanted})`;
  return typed.some(needsDatabase) ? sql`((${wanted}) is null or ${found})` : found;
}

/** Applies the part of `search_fold` that can turn other characters into ASCII letters and digits. */
function toSearchForm(text: string): string {
  return text.normalize('NFKC');
}

/**
 * Every three characters are a key; of two letters, whatever begins with them, or is kept as a hash since a letter beyond ASCII
 * follows them.
 */
function toKeys(teamId: string, text: string): RawBuilder<unknown> | undefined {
  // The team's mark, as `search_keys` puts it before each of its trigrams.
  const mark = teamId.slice(-2);
  if (needsDatabase(text)) return sql`search_query(${teamId}, search_fold(${text}))`;
  const trigrams = getWindows(text, 3).map((key) => `'${mark}${key}'`);
  const pairs = getWindows(text, 2).map((key) => `('${mark}${key}':* | '${mark}0x':*)`);
  const keys = trigrams.length > 0 ? trigrams : pairs;
  return keys.length > 0 ? sql`${keys.join(' & ')}::tsquery` : undefined;
}

/** What counts as a letter beyond ASCII, and the hash of its trigram, is known to the database alone. */
function needsDatabase(text: string): boolean {
  return getWindows(text, 3).length === 0 && /[^\0-\x7f]/.test(text);
}

function getWindows(text: string, length: 2 | 3): string[] {
  const window = length === 3 ? /(?=([a-z0-9]{3}))/gi : /(?=([a-z0-9]{2}))/gi;
  return [...new Set(Array.from(text.matchAll(window), ([, key = '']) => key.toLowerCase()))];
}
