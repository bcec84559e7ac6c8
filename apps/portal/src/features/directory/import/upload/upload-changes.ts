import type { Sample } from '#platform/upload/session/upload-forecast.ts';
import type { DisplayCell } from '#platform/upload/steps/upload-view.ts';

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
