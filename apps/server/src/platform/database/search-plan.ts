import { type RawBuilder, sql } from 'kysely';

/**
 * Lengths of the scans of a list before the key index is used, in pages. Each scan tells whether the next one is worth it: the first
 * if it found one row in fifty, the second if that wasn't a cluster, such as one first name.
 */
const SCANS = [
  { pages: 5, isPromising: (found: number) => found >= 1 / 10 },
  { pages: 40, isPromising: (found: number) => found >= 1 / 3 },
  { pages: 200, isPromising: () => false },
];

/** How a list is searched. Both functions return up to `limit` rows in list order. */
export interface SearchPlan<Row> {
  text: string;
  limit: number;
  /** Matches among the next `rows` rows of the list. */
  look(rows: number): Promise<Row[]>;
  /** All matches, by the key index or, for a text without keys, by reading every row. */
  ask(): Promise<Row[]>;
}

/**
 * A frequent text fills its page from the next few rows, for which the key index would return half the team. A rare text is found
 * quickly by that index, where a scan would read the whole list. A scan that doesn't fill the page is discarded, so the result
 * never depends on the method (decision 0014).
 */
export async function findPage<Row>({ text, limit, look, ask }: SearchPlan<Row>): Promise<Row[]> {
  // A text without three consecutive characters, or two in ASCII, has no keys: after the scans, only reading every row is left.
  const hasKey = /[\p{L}\p{N}]{3}|[a-z0-9]{2}/iu.test(toSearchForm(text));
  for (const { pages, isPromising } of SCANS) {
    const near = await look(limit * pages);
    if (near.length === limit) return near;
    if (hasKey && !isPromising(near.length / limit)) break;
  }
  return ask();
}

/** A LIKE pattern that matches the text literally anywhere in a column folded by `search_fold`. */
export function toLikePattern(text: string): RawBuilder<string> {
  // Inlining the SQL function costs a millisecond of planning. ASCII text has no letter variants and doesn't need it.
  if (/[^\0-\x7f]/.test(text)) return sql<string>`search_pattern(${text})`;
  return sql<string>`lower(${`%${text.replace(/[\\%_]/g, '\\$&')}%`})`;
}

/**
 * Condition that a row of this team has all search keys of one of the texts, which the index can answer (decision 0032). Such a
 * row need not contain the text, so `like` is still required. A text without keys excludes no rows.
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
 * Every three consecutive characters are a key. Two characters match all keys that start with them, and hashed keys, in which a
 * non-ASCII letter may follow.
 */
function toKeys(teamId: string, text: string): RawBuilder<unknown> | undefined {
  // The team's prefix of every trigram, as in `search_keys`.
  const mark = teamId.slice(-2);
  if (needsDatabase(text)) return sql`search_query(${teamId}, search_fold(${text}))`;
  const trigrams = getWindows(text, 3).map((key) => `'${mark}${key}'`);
  const pairs = getWindows(text, 2).map((key) => `('${mark}${key}':* | '${mark}0x':*)`);
  const keys = trigrams.length > 0 ? trigrams : pairs;
  return keys.length > 0 ? sql`${keys.join(' & ')}::tsquery` : undefined;
}

/** Only the database can tell which non-ASCII characters are letters, and compute the hash of their trigrams. */
function needsDatabase(text: string): boolean {
  return getWindows(text, 3).length === 0 && /[^\0-\x7f]/.test(text);
}

function getWindows(text: string, length: 2 | 3): string[] {
  const window = length === 3 ? /(?=([a-z0-9]{3}))/gi : /(?=([a-z0-9]{2}))/gi;
  return [...new Set(Array.from(text.matchAll(window), ([, key = '']) => key.toLowerCase()))];
}
