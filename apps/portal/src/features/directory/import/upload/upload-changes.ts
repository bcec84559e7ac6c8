import type { RowField } from '@steward/contract/directory';
import type { Sample } from './upload-forecast.ts';

/** A cell of the preview: the value to store, and the stored value if that is different. */
export interface DisplayCell {
  text: string;
  before: string | undefined;
}

/** The value of a field after the upload, as the server normalizes it. */
export function getDisplayCell({ row, keep, before }: Sample, field: RowField): DisplayCell {
  const now = before?.[field];
  if (now === undefined) return { text: row[field], before: undefined };
  if (keep.includes(field)) return { text: now, before: undefined };
  const next = normalize(row[field], field);
  const stays = next === now || (isNumber(field) && isShortened(now, next));
  return stays ? { text: now, before: undefined } : { text: next, before: now };
}

function isNumber(field: RowField): boolean {
  return field === 'phone_number' || field === 'sms';
}

function normalize(text: string, field: RowField): string {
  const trimmed = text.trim();
  if (field === 'email') return trimmed.replace(/[A-Z]/g, (upper) => upper.toLowerCase());
  return trimmed.normalize('NFC');
}

/** Only a leading + or zeros are missing, as after editing in a spreadsheet: the server keeps its number. */
function isShortened(now: string, next: string): boolean {
  return /^[1-9][0-9]*$/.test(next) && now.replace(/^[+0]+/, '') === next;
}
