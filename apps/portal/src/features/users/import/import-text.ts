import { INVITATIONS_PER_NEW_TEAM, INVITATIONS_PER_TEAM } from '@steward/contract/api/limits';
import { isMaskedName } from '@steward/contract/users/masked-names';
import { formatNumber } from '#platform/time/format.ts';
import type { Forecast, Sample } from '#platform/upload/session/upload-forecast.ts';
import type { FileFacts } from '#platform/upload/session/upload-session.ts';
import { formatCount, formatHeaders, formatKeptNames } from '#platform/upload/steps/upload-text.ts';
import type { DisplayCell } from '#platform/upload/steps/upload-view.ts';
import { ACCOUNT_TYPES } from './import-calls.ts';

interface NotesInput {
  file: Pick<FileFacts, 'missing' | 'ignored'>;
  forecast: Pick<Forecast, 'facts' | 'counts'>;
}

/** Only the server knows which limit applies to the team. */
const EMAIL_LIMITS =
  `A team sends at most ${formatNumber(INVITATIONS_PER_TEAM)} invitations a day, ${INVITATIONS_PER_NEW_TEAM} in its first week. ` +
  'People beyond that are added without an email: resend their invitations on another day.';

export function listNotes({ file, forecast }: NotesInput): string[] {
  const { missing, ignored } = file;
  const { created } = forecast.counts;
  const { kept_names = 0 } = forecast.facts;
  const notes: string[] = [];
  if (created > 0) notes.push(`${formatCount(created, 'person', 'people')} will get an invitation by email.`);
  if (created > INVITATIONS_PER_NEW_TEAM) notes.push(EMAIL_LIMITS);
  const names = missing.filter((label) => !['Account Type', 'End Date'].includes(label));
  if (names.length > 0) notes.push(formatMissingNames(names, created > 0));
  if (missing.includes('Account Type')) notes.push(formatMissingType(created > 0));
  if (ignored.length > 0) notes.push(`Ignored ${formatHeaders(ignored)}.`);
  if (kept_names > 0) notes.push(formatKeptNames(kept_names));
  return notes;
}

function formatMissingNames(labels: readonly string[], hasNew: boolean): string {
  const columns = `${labels.length > 1 ? 'columns' : 'column'} ${labels.join(' and ')}`;
  return `The file has no ${columns}: existing users keep theirs${hasNew ? '; empty for new users' : ''}.`;
}

function formatMissingType(hasNew: boolean): string {
  return `The file has no column Account Type: existing users keep theirs${hasNew ? '; new users become Team Users' : ''}.`;
}

/** The value is shown as the server will normalize it. */
export function getDisplayCell(sample: Sample, field: string): DisplayCell {
  const text = sample.row[field] ?? '';
  const now = sample.before?.[field];
  if (field === 'account_type') return getTypeCell(sample, text.trim(), now);
  if (now === undefined) return { text, before: undefined };
  const next = text.trim().normalize('NFC');
  const isKept = field === 'end_date' && next === '';
  const stays = isKept || sample.keep.includes(field) || next === now || isMaskedName(next, now);
  return stays ? { text: now, before: undefined } : { text: next, before: now };
}

/** Only a number or the name of an account type changes a user; other text is ignored. */
function getTypeCell({ outcome }: Sample, text: string, now: string | undefined): DisplayCell {
  if (now === undefined)
    return { text: text === '' && outcome === 'created' ? ACCOUNT_TYPES[2] : text, before: undefined };
  const next = { '1': ACCOUNT_TYPES[1], '2': ACCOUNT_TYPES[2], 'Team Owner': ACCOUNT_TYPES[1] }[text] ?? text;
  if (next === now) return { text, before: undefined };
  const isType = next === ACCOUNT_TYPES[1] || next === ACCOUNT_TYPES[2];
  return isType ? { text: next, before: now } : { text: now, before: undefined };
}
