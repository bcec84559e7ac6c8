import type { Import, ImportState, Outcome } from '@steward/contract/directory';
import { formatNumber } from '#platform/time/format.ts';
import type { DirectoryFile } from './file/directory.csv.ts';

export const OUTCOME_WORDS: Record<Outcome, string> = {
  created: 'New',
  changed: 'Updated',
  unchanged: 'Unchanged',
  failed: 'Errors',
};

/** Text colors of the outcomes; the word says the same. */
export const OUTCOME_COLORS: Record<Outcome, string> = {
  created: 'var(--success)',
  changed: 'var(--mantine-color-anchor)',
  unchanged: 'inherit',
  failed: 'var(--danger)',
};

export const STATE_WORDS: Record<ImportState, string> = {
  running: 'Running',
  finished: 'Finished',
  cancelled: 'Canceled',
  interrupted: 'Interrupted',
  undoing: 'Undoing',
  undone: 'Undone',
};

const DELIMITER_WORDS = { ',': 'comma', ';': 'semicolon', '\t': 'tab' };
/** Header cells can be of any length and number. */
const HEADERS_MAX = 5;
const HEADER_LENGTH = 40;

/** “1 row”, “2 rows”, “no rows” */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  if (count === 0) return `no ${many}`;
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}

/** How the file was read, which explains wrong characters. */
export function formatReading({ encoding, delimiter }: Pick<DirectoryFile, 'encoding' | 'delimiter'>): string {
  return `${encoding}, ${DELIMITER_WORDS[delimiter]}-separated`;
}

/** A part of a whole in kilobytes or megabytes. */
export function formatBytes(part: number, whole: number): string {
  const [unit, word, digits] = whole < 1_000_000 ? [1_000, 'KB', 0] : [1_000_000, 'MB', 1];
  const shown = (bytes: number) => (bytes / unit).toFixed(digits);
  return `${shown(part)} of ${shown(whole)} ${word}`;
}

/** What an import did, without the zeros. */
export function formatImport({ created, changed, unchanged, failed }: Import): string {
  const parts = [
    [created, 'new'],
    [changed, 'updated'],
    [unchanged, 'unchanged'],
    [failed, failed === 1 ? 'error' : 'errors'],
  ] as const;
  const shown = parts.filter(([count]) => count > 0).map(([count, word]) => `${formatNumber(count)} ${word}`);
  return shown.length === 0 ? 'No rows' : shown.join(' · ');
}

interface NotesInput {
  file: Pick<DirectoryFile, 'missing' | 'ignored'>;
  forecast: { twins: number; preservedNumbers: number; preservedNames: number; counts: Record<Outcome, number> };
}

/** What to know before confirming. */
export function listNotes({ file, forecast }: NotesInput): string[] {
  const { missing, ignored } = file;
  const { twins, preservedNumbers, preservedNames, counts } = forecast;
  const notes: string[] = [];
  const hasIds = !missing.includes('Id');
  const fields = missing.filter((label) => label !== 'Id');
  if (!hasIds) notes.push('No Id column, so every row will be added as a new entry.');
  if (fields.length > 0) notes.push(formatMissing(fields, { hasIds, hasNew: counts.created > 0 }));
  if (ignored.length > 0) notes.push(`Ignored ${formatHeaders(ignored)}.`);
  if (twins > 0) notes.push(formatDuplicates(twins));
  if (preservedNumbers > 0) notes.push(formatKept(preservedNumbers));
  if (preservedNames > 0) notes.push(formatMasked(preservedNames));
  return notes;
}

function formatMissing(fields: readonly string[], { hasIds, hasNew }: { hasIds: boolean; hasNew: boolean }): string {
  const many = fields.length > 1;
  const no = `The file has no ${many ? 'columns' : 'column'} ${fields.join(' and ')}:`;
  if (!hasIds) return `${no} empty in the new entries.`;
  return `${no} existing entries keep their values${hasNew ? '; empty in new entries' : ''}.`;
}

function formatHeaders(headers: readonly string[]): string {
  const cut = (header: string) => (header.length > HEADER_LENGTH ? `${header.slice(0, HEADER_LENGTH)}…` : header);
  const named = headers.slice(0, HEADERS_MAX).map((header) => `“${cut(header)}”`);
  const more = headers.length - named.length;
  const all = more > 0 ? [...named, `${formatNumber(more)} more`] : named;
  const list = all.length > 1 ? `${all.slice(0, -1).join(', ')} and ${all.at(-1)}` : all.join('');
  return `${headers.length === 1 ? 'column' : 'columns'}: ${list}`;
}

function formatDuplicates(twins: number): string {
  if (twins === 1) return '1 new row duplicates an existing entry exactly.';
  return `${formatNumber(twins)} new rows duplicate existing entries exactly.`;
}

function formatKept(kept: number): string {
  const numbers = kept === 1 ? '1 number lost' : `${formatNumber(kept)} numbers lost`;
  const stored = kept === 1 ? 'the existing number is kept' : 'the existing numbers are kept';
  const lost = kept === 1 ? 'its leading + or zeros' : 'their leading + or zeros';
  return `${numbers} ${lost} in a spreadsheet; ${stored}.`;
}

function formatMasked(kept: number): string {
  const names = kept === 1 ? '1 name has' : `${formatNumber(kept)} names have`;
  const stored = kept === 1 ? 'the existing name is kept' : 'the existing names are kept';
  return `${names} ? in place of letters that this file format can’t store; ${stored}. In Excel, CSV UTF-8 keeps all letters.`;
}
