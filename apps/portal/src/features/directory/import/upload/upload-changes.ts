import type { RowField } from '@steward/contract/directory';
import type { Sample } from './upload-forecast.ts';

/** A cell of the preview: what would be stored, and what is stored now where that is something else. */
export interface DisplayCell {
  text: string;
  before: string | undefined;
}

/** What a row would leave in a field, as the server will write it. */
export function getDisplayCell({ row, keep, before }: Sample, field: RowField): DisplayCell {
  const now = before?.[field];
  if (now === undefined) return { text: row[field], before: undefined };
  if (keep.includes(field)) return { text: now, before: undefined };
  const next = written(row[field], field);
  const stays = next === now || (isNumber(field) && isShortened(now, next));
  return stays ? { text: now, before: undefined } : { text: next, before: now };
}

function isNumber(field: RowField): boolean {
  return field === 'phone_number' || field === 'sms';
}

function written(text: string, field: RowField): string {
  const trimmed = text.trim();
  if (field === 'email') return trimmed.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  return trimmed.normalize('NFC');
}

/** Only the + or the zeros in front went missing, as they do in a spreadsheet: the server keeps its number. */
function isShortened(now: string, next: string): boolean {
  return /^[1-9][0-9]*$/.test(next) && now.replace(/^[+0]+/, '') === next;
}
