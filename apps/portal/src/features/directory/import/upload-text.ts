import type { Import, ImportState, Outcome } from '@steward/contract/directory';
import type { DirectoryFile } from './file/directory.csv.ts';

export const OUTCOME_WORDS: Record<Outcome, string> = {
  created: 'New',
  changed: 'Changed',
  unchanged: 'Unchanged',
  failed: 'Wrong',
};

export const STATE_WORDS: Record<ImportState, string> = {
  running: 'Running',
  finished: 'Finished',
  cancelled: 'Cancelled',
  interrupted: 'Interrupted',
  undoing: 'Being undone',
  undone: 'Undone',
};

const DELIMITER_WORDS = { ',': 'comma', ';': 'semicolon', '\t': 'tab' };
/** Header cells are other people's text, of any length and number. */
const HEADERS_MAX = 5;
const HEADER_LENGTH = 40;

export function formatNumber(count: number): string {
  return count.toLocaleString('en-US');
}

/** “1 row”, “2 rows”, “no rows” */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  if (count === 0) return `no ${many}`;
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}

/** How the file was read, so that somebody who sees strange letters knows why. */
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
    [changed, 'changed'],
    [unchanged, 'unchanged'],
    [failed, 'wrong'],
  ] as const;
  const told = parts.filter(([count]) => count > 0).map(([count, word]) => `${formatNumber(count)} ${word}`);
  return told.length === 0 ? 'No rows' : told.join(' · ');
}

interface NotesInput {
  file: Pick<DirectoryFile, 'missing' | 'ignored'>;
  forecast: { twins: number; preservedNumbers: number; preservedNames: number; counts: Record<Outcome, number> };
}

/** What somebody should know before they confirm, in plain words. */
export function listNotes({ file, forecast }: NotesInput): string[] {
  const { missing, ignored } = file;
  const { twins, preservedNumbers, preservedNames, counts } = forecast;
  const notes: string[] = [];
  const hasIds = !missing.includes('Id');
  const fields = missing.filter((label) => label !== 'Id');
  if (!hasIds) notes.push('The file has no column Id: every row is a new entry.');
  if (fields.length > 0) notes.push(formatMissing(fields, { hasIds, hasNew: counts.created > 0 }));
  if (ignored.length > 0) notes.push(`Not used: ${formatHeaders(ignored)}.`);
  if (twins > 0) notes.push(formatDuplicates(twins));
  if (preservedNumbers > 0) notes.push(formatKept(preservedNumbers));
  if (preservedNames > 0) notes.push(formatMasked(preservedNames));
  return notes;
}

function formatMissing(fields: readonly string[], { hasIds, hasNew }: { hasIds: boolean; hasNew: boolean }): string {
  const many = fields.length > 1;
  const no = `The file has no ${many ? 'columns' : 'column'} ${fields.join(' and ')}:`;
  const isEmpty = many ? 'they are empty' : 'it is empty';
  if (!hasIds) return `${no} ${isEmpty} in the new entries.`;
  return `${no} what is stored there stays${hasNew ? `; in new entries ${isEmpty}` : ''}.`;
}

function formatHeaders(headers: readonly string[]): string {
  const cut = (header: string) => (header.length > HEADER_LENGTH ? `${header.slice(0, HEADER_LENGTH)}…` : header);
  const named = headers.slice(0, HEADERS_MAX).map((header) => `“${cut(header)}”`);
  const more = headers.length - named.length;
  const all = more > 0 ? [...named, `${formatNumber(more)} more`] : named;
  const list = all.length > 1 ? `${all.slice(0, -1).join(', ')} and ${all.at(-1)}` : all.join('');
  return `the ${headers.length === 1 ? 'column' : 'columns'} ${list}`;
}

function formatDuplicates(twins: number): string {
  if (twins === 1) return '1 of the new rows is in the directory already, word for word, and would be there twice.';
  return `${formatNumber(twins)} of the new rows are in the directory already, word for word, and would be there twice.`;
}

function formatKept(kept: number): string {
  const numbers = kept === 1 ? '1 number came back' : `${formatNumber(kept)} numbers came back`;
  const stored = kept === 1 ? 'the stored one stays' : 'the stored ones stay';
  const lost = kept === 1 ? 'its leading + or zeros' : 'their leading + or zeros';
  return `${numbers} without ${lost}, as spreadsheets do; ${stored}.`;
}

function formatMasked(kept: number): string {
  const names = kept === 1 ? '1 name came back' : `${formatNumber(kept)} names came back`;
  const stored = kept === 1 ? 'the stored one stays' : 'the stored ones stay';
  return `${names} with ? for letters that this kind of file cannot hold; ${stored}. In Excel, CSV UTF-8 keeps all letters.`;
}
