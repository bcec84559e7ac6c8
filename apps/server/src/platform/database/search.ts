import { type RawBuilder, sql } from 'kysely';

/** Digits of any script with common punctuation of phone numbers. */
const NUMBER = /^[\p{Nd}\s()+./\p{Pd}]+$/u;
/** What is between words. `search_fold` removes most of it from stored text, so that “jeanpierre” finds “Jean-Pierre” too. */
const SEPARATORS = /[\s\p{Pd}()+/·・]+/u;
/** Punctuation of a list or a sentence, and what encloses the address in “Anna Miller <anna@example.com>”. */
const AROUND = /^[.,;:]+|[.,;:]+$|^<(?=.*@)|(?<=@.*)>[.,;:]*$/g;

/** The words of a search, of which a row must contain each. A phone number is one word, whatever is between its digits. */
function getWords(text: string): string[] {
  const composed = text.normalize('NFKC');
  if (NUMBER.test(composed)) return [composed.replace(/^\P{Nd}+|\P{Nd}+$/gu, '')];
  const typed = composed.split(SEPARATORS).filter((word) => word !== '');
  const words = typed.map((word) => word.replace(AROUND, '')).filter((word) => word !== '');
  return [...new Set(words.length > 0 ? words : typed)];
}

/** Condition that text folded by `search_fold` contains each word of the search, in any order. */
export function matchesSearch(column: RawBuilder<unknown>, text: string): RawBuilder<boolean> {
  const words = getWords(text);
  if (words.length === 0) return sql`true`;
  const conditions = words.map((word) => sql`${column} like search_pattern(${word})`);
  return sql`(${sql.join(conditions, sql` and `)})`;
}

/** Most matches that are sorted. A text that more rows contain fills a page soon if the rows are read in order. */
const SORTED_ROWS = 10_000;

/**
 * The first matches in an order that an index has. The planner would choose between index and sort by an estimate that assumes
 * matches everywhere in the list, but those of a name are in one place: reading up to there can take a second.
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
