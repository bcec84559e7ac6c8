import { type RawBuilder, sql } from 'kysely';
import type { Database } from '#platform/database/database.ts';

/** Phone numbers, with digits of any script. */
const NUMBER = /^[\p{Nd}\s()+./\p{Pd}]+$/u;
/** Separators of words. `search_fold` removes most of them from stored text, so that “jeanpierre” finds “Jean-Pierre” too. */
const SEPARATORS = /[\s\p{Pd}()+/·・]+/u;
/** Punctuation of a list or a sentence, and the brackets of the address in “Anna Miller <anna@example.com>”. */
const AROUND = /^[.,;:]+|[.,;:]+$|^<(?=.*@)|(?<=@.*)>[.,;:]*$/g;

/** A row must contain every word. A phone number is one word, whatever separates its digits. */
function getWords(text: string): string[] {
  const composed = text.normalize('NFKC');
  if (NUMBER.test(composed)) return [composed.replace(/^\P{Nd}+|\P{Nd}+$/gu, '')];
  const typed = composed.split(SEPARATORS).filter((word) => word !== '');
  const words = typed.map((word) => word.replace(AROUND, '')).filter((word) => word !== '');
  return [...new Set(words.length > 0 ? words : typed)];
}

/** The column must contain text that `search_fold` has folded. */
export function matchesSearch(column: RawBuilder<unknown>, text: string): RawBuilder<boolean> {
  const words = getWords(text);
  if (words.length === 0) return sql`true`;
  const conditions = words.map((word) => sql`${column} like search_pattern(${word})`);
  return sql`(${sql.join(conditions, sql` and `)})`;
}

/** Most matches that are sorted. If there are more, reading the rows in order fills a page quickly. */
const SORTED_ROWS = 10_000;

/**
 * The first matches in the order of an index. The planner would choose between index and sort by an estimate that assumes evenly
 * distributed matches, but those of a name are adjacent: reading up to them can take a second.
 */
export function selectFirst(
  matches: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
  limit: number,
): RawBuilder<unknown> {
  const count = sql`(select count(*) from few)`;
  return sql`with few as materialized (${matches} limit ${SORTED_ROWS + 1})
    select * from (
      select * from few where ${count} <= ${SORTED_ROWS}
      union all (select * from (${matches}) many where ${count} > ${SORTED_ROWS} order by ${order} limit ${limit})
    ) found order by ${order} limit ${limit}`;
}

/**
 * Moves the pending lists of GIN indexes into the indexes and returns the number of pages moved. New rows are in the lists
 * unsorted, up to 4 MB, and every search reads them all until the next vacuum, which takes days on a large table. The database
 * function runs as the owner of the indexes. Smaller lists are no option: they made inserts twice as slow.
 */
export async function indexPendingKeys(db: Database): Promise<number> {
  const { rows } = await sql<{ pages: number }>`select index_pending_keys() as pages`.execute(db);
  return rows[0]?.pages ?? 0;
}
