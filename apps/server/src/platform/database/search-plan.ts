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
 * `value` as something that PostgreSQL doesn't know while it plans. A prepared statement whose values are all like this has the same
 * plan for each of them, so it is planned a few times and never again.
 */
export function hide<T>(value: RawBuilder<T>): RawBuilder<T> {
  return sql<T>`(select ${value})`;
}

/**
 * Condition that a row of this team has all search keys of one of the texts, which the index can answer (decision 0032). Such a
 * row need not contain the text, so `like` is still required. A text without keys excludes no rows.
 */
export function matchesSearchKeys(teamId: string, texts: readonly string[]): RawBuilder<boolean> {
  const known = toTsquery(teamId, texts);
  if (known !== undefined) return hasKeys(sql`${known}::tsquery`);
  if (texts.every((text) => !/[^\0-\x7f]/.test(text))) return sql`true`;
  const wanted = sql.join(
    texts.map((text) => sql`search_query(${teamId}, search_fold(${text}))`),
    sql` || `,
  );
  return sql<boolean>`((${wanted}) is null or ${hasKeys(wanted)})`;
}

function hasKeys(wanted: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`search_keys(team_id, search) @@ (${wanted})`;
}

/** Applies the part of `search_fold` that can turn other characters into ASCII letters and digits. */
function toSearchForm(text: string): string {
  return text.normalize('NFKC');
}

/** The query of the key index that finds one of the texts; undefined if a text has no keys, or if only the database can tell. */
export function toTsquery(teamId: string, texts: readonly string[]): string | undefined {
  const runs = texts.map((text) => getRuns(toSearchForm(text)));
  if (runs.some(({ length }) => length === 0)) return undefined;
  // The team's prefix of every trigram, as in `search_keys`.
  const mark = teamId.slice(-2);
  return removeLonger(runs)
    .map((parts) => `(${[...new Set(parts.flatMap((run) => getKeys(mark, run)))].join(' & ')})`)
    .join(' | ');
}

/** Leaves out texts that contain all runs of another one: their rows have its keys. */
function removeLonger(texts: string[][]): string[][] {
  const isWithin = (runs: string[], other: string[]) => runs.every((run) => other.some((part) => part.includes(run)));
  const isLonger = (text: string[], at: number) =>
    texts.some((other, place) => place !== at && isWithin(other, text) && (place < at || !isWithin(text, other)));
  return texts.filter((text, at) => !isLonger(text, at));
}

/**
 * The parts of a text that its keys come from: its runs of three or more ASCII letters or digits, or else those of two. None if only the
 * database can tell which of its characters are letters, and compute the hash of their trigrams.
 */
function getRuns(text: string): string[] {
  const runs = (text.match(/[a-z0-9]{2,}/gi) ?? []).map((run) => run.toLowerCase());
  const long = runs.filter(({ length }) => length >= 3);
  return long.length > 0 || /[^\0-\x7f]/.test(text) ? long : runs;
}

/** A run of this many characters has a third of its keys: most rows with these have the others too, and comparing more lists takes longer. */
const LONG_RUN = 7;

/**
 * Three consecutive characters are a key. Two characters match all keys that start with them, and hashed keys, in which a non-ASCII
 * letter may follow.
 */
function getKeys(mark: string, run: string): string[] {
  if (run.length === 2) return [`('${mark}${run}':* | '${mark}0x':*)`];
  const step = run.length >= LONG_RUN ? 3 : 1;
  const last = run.length - 3;
  const starts = [...Array.from({ length: Math.ceil(last / step) }, (_, at) => at * step), last];
  return starts.map((from) => `'${mark}${run.slice(from, from + 3)}'`);
}
