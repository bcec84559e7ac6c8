import { type RawBuilder, sql } from 'kysely';

/** Of a searched page's size, so many times as many names are looked through before the trigram index is asked. */
const FIRST_LOOK = 20;
/** Where that look found a twentieth of the page, one so much longer is likely to fill it. */
const LONGER = 20;

/** How one list is searched; each way answers at most `limit` rows, in the order of the list. */
export interface SearchPlan<Row> {
  text: string;
  limit: number;
  /** Matches among the next so many rows of the list. */
  look(rows: number): Promise<Row[]>;
  /** All matches, found by the trigram index or, for a text that has no trigram, by reading every row; sorted. */
  ask(): Promise<Row[]>;
}

/**
 * A frequent text fills its page from the next few names, where the trigram index would answer with half the team; a
 * rare one is quick by that index, where the names would be walked to their end. Each try alone gives a whole page or
 * is thrown away, so that which of them answers cannot be told from the rows (decision 0014).
 */
export async function findPage<Row>({ text, limit, look, ask }: SearchPlan<Row>): Promise<Row[]> {
  let near = await look(limit * FIRST_LOOK);
  // Fewer than three letters together make no trigram, and all that is left after the looks is to read every row.
  const hasTrigram = /[\p{L}\p{N}]{3}/u.test(text);
  const isPromising = !hasTrigram || near.length * LONGER >= limit;
  if (near.length < limit && isPromising) near = await look(limit * FIRST_LOOK * LONGER);
  return near.length === limit ? near : ask();
}

/** A typed text as a pattern that only matches itself, anywhere in what is searched. */
export function likePattern(text: string): RawBuilder<string> {
  return sql<string>`lower(${`%${text.replace(/[\\%_]/g, '\\$&')}%`})`;
}
