import { type RawBuilder, sql } from 'kysely';

/**
 * A text inside the quotes of a JSON string, except for control characters, of which there are hardly any: `readJsonLines` notices them.
 * Half as expensive as `row_to_json`, which looks up the type of each column for each row.
 */
export function escapeJson(text: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`replace(replace(${text}, '\\', '\\\\'), '"', '\\"')`;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what JSON doesn't allow; lines are taken apart first
const CONTROL = /[\0-\x09\x0b-\x1f]/;

/**
 * The records in a text that has one on each of `count` lines. Undefined if a value has a control character: it isn't escaped, or ends
 * a line early.
 */
export function readJsonLines(text: string | null, count: number): string[] | undefined {
  if (text === null) return count === 0 ? [] : undefined;
  if (CONTROL.test(text)) return undefined;
  const lines = text.split('\n');
  return lines.length === count ? lines : undefined;
}
