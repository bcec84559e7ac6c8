import type { Import, ImportState, Outcome } from '@steward/contract/directory';
import { formatNumber } from '#platform/time/format.ts';
import type { Forecast, Sample } from '#platform/upload/session/upload-forecast.ts';
import type { FileFacts } from '#platform/upload/session/upload-session.ts';
import { formatHeaders, formatKeptNames } from '#platform/upload/steps/upload-text.ts';
import type { DisplayCell } from '#platform/upload/steps/upload-view.ts';

export const OUTCOME_WORDS: Record<Outcome, string> = {
  created: 'New',
  changed: 'Updated',
  unchanged: 'Unchanged',
  failed: 'Errors',
};

export const STATE_WORDS: Record<ImportState, string> = {
  running: 'Running',
  finished: 'Finished',
  cancelled: 'Canceled',
  interrupted: 'Interrupted',
  undoing: 'Undoing',
  undone: 'Undone',
};

/** Counts of zero are left out. */
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

const NO_IDS = 'No Id column: rows that match no entry by email, or by name and number, are added as new entries.';

interface NotesInput {
  file: Pick<FileFacts, 'missing' | 'ignored'>;
  forecast: Pick<Forecast, 'facts' | 'counts'>;
}

export function listNotes({ file, forecast }: NotesInput): string[] {
  const { missing, ignored } = file;
  const { counts } = forecast;
  const { twins = 0, kept_numbers = 0, kept_names = 0 } = forecast.facts;
  const notes: string[] = [];
  // Without ids, rows change entries only if they match them.
  const hasStored = !missing.includes('Id') || counts.changed > 0;
  const fields = missing.filter((label) => label !== 'Id');
  if (missing.includes('Id')) notes.push(NO_IDS);
  if (fields.length > 0) notes.push(formatMissing(fields, { hasStored, hasNew: counts.created > 0 }));
  if (ignored.length > 0) notes.push(`Ignored ${formatHeaders(ignored)}.`);
  if (twins > 0) notes.push(formatDuplicates(twins));
  if (kept_numbers > 0) notes.push(formatKept(kept_numbers));
  if (kept_names > 0) notes.push(formatKeptNames(kept_names));
  return notes;
}

function formatMissing(
  fields: readonly string[],
  { hasStored, hasNew }: { hasStored: boolean; hasNew: boolean },
): string {
  const many = fields.length > 1;
  const list = many ? `${fields.slice(0, -1).join(', ')} and ${fields.at(-1)}` : fields.join('');
  const no = `The file has no ${many ? 'columns' : 'column'} ${list}:`;
  if (!hasStored) return `${no} empty in the new entries.`;
  return `${no} existing entries keep their values${hasNew ? '; empty in new entries' : ''}.`;
}

export function formatMatches(matches: number): string {
  const rows = matches === 1 ? '1 row matches an entry' : `${formatNumber(matches)} rows match entries`;
  return `${rows} that ${matches === 1 ? 'is' : 'are'} there already, by email or by name and number:`;
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

/** The value is shown as the server will normalize it. */
export function getDisplayCell({ row, keep, before }: Sample, field: string): DisplayCell {
  const now = before?.[field];
  const text = row[field] ?? '';
  if (now === undefined) return { text, before: undefined };
  if (keep.includes(field)) return { text: now, before: undefined };
  const next = normalize(text, field);
  const stays = next === now || (isNumber(field) && isShortened(now, next));
  return stays ? { text: now, before: undefined } : { text: next, before: now };
}

function isNumber(field: string): boolean {
  return field === 'phone_number' || field === 'sms';
}

function normalize(text: string, field: string): string {
  const trimmed = text.trim();
  if (field === 'email') return trimmed.replace(/[A-Z]/g, (upper) => upper.toLowerCase());
  return trimmed.normalize('NFC');
}

/** The server keeps its number if only a leading + or zeros are missing, as after editing in a spreadsheet. */
function isShortened(now: string, next: string): boolean {
  return /^[1-9][0-9]*$/.test(next) && now.replace(/^[+0]+/, '') === next;
}
