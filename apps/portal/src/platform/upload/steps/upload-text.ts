import { formatNumber } from '#platform/time/format.ts';
import type { Outcome } from '../session/upload-kind.ts';
import type { FileFacts } from '../session/upload-session.ts';

export const ERROR_CSV_LINK = 'Click to download Error Csv';

/** Text colors of the outcomes; the word says the same. */
export const OUTCOME_COLORS: Record<Outcome, string> = {
  created: 'var(--success)',
  changed: 'var(--mantine-color-anchor)',
  unchanged: 'inherit',
  failed: 'var(--danger)',
};

const DELIMITER_WORDS = { ',': 'comma', ';': 'semicolon', '\t': 'tab' };
/** Header cells can have any length and number. */
const HEADERS_MAX = 5;
const HEADER_LENGTH = 40;

/** “1 row”, “2 rows”, “no rows” */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  if (count === 0) return `no ${many}`;
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}

/** A wrong encoding or delimiter explains wrong characters. */
export function formatReading({ encoding, delimiter }: Pick<FileFacts, 'encoding' | 'delimiter'>): string {
  return `${encoding}, ${DELIMITER_WORDS[delimiter]}-separated`;
}

export function formatWeakGuess(encoding: string): string {
  return `The file doesn’t say its encoding, and ${encoding} is only a guess. Check the letters in the rows below. If they are wrong, choose another encoding.`;
}

export function formatBytes(part: number, whole: number): string {
  const [unit, word, digits] = whole < 1_000_000 ? [1_000, 'KB', 0] : [1_000_000, 'MB', 1];
  const shown = (bytes: number) => (bytes / unit).toFixed(digits);
  return `${shown(part)} of ${shown(whole)} ${word}`;
}

/** Headers that are not used: “columns: “Title” and “Town””. */
export function formatHeaders(headers: readonly string[]): string {
  const cut = (header: string) => (header.length > HEADER_LENGTH ? `${header.slice(0, HEADER_LENGTH)}…` : header);
  const named = headers.slice(0, HEADERS_MAX).map((header) => `“${cut(header)}”`);
  const more = headers.length - named.length;
  const all = more > 0 ? [...named, `${formatNumber(more)} more`] : named;
  const list = all.length > 1 ? `${all.slice(0, -1).join(', ')} and ${all.at(-1)}` : all.join('');
  return `${headers.length === 1 ? 'column' : 'columns'}: ${list}`;
}

/** Some encodings lack letters, which the file then has as ?. */
export function formatKeptNames(kept: number): string {
  const names = kept === 1 ? '1 name has' : `${formatNumber(kept)} names have`;
  const stored = kept === 1 ? 'the existing name is kept' : 'the existing names are kept';
  return `${names} ? in place of letters that this file format can’t store; ${stored}. In Excel, CSV UTF-8 keeps all letters.`;
}
