import { accountKind, REAL_ACCOUNT } from '@steward/contract/users/roles';

const MOMENT = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' });
/** Stands where there is no value. */
export const NOTHING = '–';

/** Names of fields that are not plain words as they stand. */
const LABELS: Record<string, string> = {
  account_type: 'Account type',
  roles: 'Account type',
  sms: 'SMS number',
  ruling: 'In force',
  waiting: 'Waiting',
  domain: 'Zendesk domain',
  authentication: 'Signs in by',
  template_changed: 'Template changed',
  channel_ids: 'Channels',
  channel_id: 'Channel',
  token_id: 'Service token',
  people_done: 'People',
  files: 'Files',
  cutoff: 'Deleted before',
  left_behind: 'Left something in Zendesk',
  join_id: 'Adding everybody',
  scanned: 'Looked at',
};

/** What the numbers of a field mean. */
const CODES: Record<string, Record<number, string>> = {
  account_type: { 1: 'Team Admin', 2: 'Team User' },
  authentication: { 1: 'Password', 2: 'API token', 3: 'OAuth client' },
};

/** A field's name for people: «phone_number» is a «Phone number». */
export function getLabel(field: string): string {
  const words = LABELS[field] ?? field.replace(/_/g, ' ');
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

/** A stored value for people; ids are called by the names that are known. */
export function formatValue(field: string, value: unknown, names: Readonly<Record<string, string>>): string {
  if (value === null || value === undefined || value === '') return NOTHING;
  if (typeof value === 'boolean' || field === 'join_id') return value ? 'Yes' : 'No';
  if (typeof value === 'number') return formatNumber(field, value);
  if (typeof value === 'string') return names[value] ?? value;
  if (Array.isArray(value)) return formatList(field, value, names);
  return formatRule(value) ?? JSON.stringify(value);
}

function formatNumber(field: string, value: number): string {
  const isTimestamp = field === 'cutoff' || field.endsWith('_at');
  return CODES[field]?.[value] ?? (isTimestamp ? MOMENT.format(value) : value.toLocaleString('en-US'));
}

function formatList(field: string, list: readonly unknown[], names: Readonly<Record<string, string>>): string {
  if (field === 'roles') return accountKind({ roles: list.map(String), type: REAL_ACCOUNT });
  return list.length === 0 ? 'None' : list.map((item) => formatValue(field, item, names)).join(', ');
}

/** A retention rule in words, or one that waits for its day; undefined where it is neither. */
function formatRule(value: object): string | undefined {
  const { rule, effectiveAt } = value as { rule?: unknown; effectiveAt?: unknown };
  if (typeof rule === 'object' && rule !== null && typeof effectiveAt === 'number')
    return `${formatRule(rule) ?? JSON.stringify(rule)}, from ${MOMENT.format(effectiveAt)}`;
  const { value: kept, canmark, duration } = value as { value?: unknown; canmark?: unknown; duration?: unknown };
  if (kept !== 0 && kept !== 1) return undefined;
  const time = formatDuration(duration);
  if (kept === 1) return time === undefined ? undefined : `Keep ${time}`;
  return canmark === 1 && time !== undefined ? `Keep forever; ${time} once marked deleted` : 'Keep forever';
}

function formatDuration(duration: unknown): string | undefined {
  const { count, period } = (duration ?? {}) as { count?: unknown; period?: unknown };
  const word = { d: 'day', m: 'month', y: 'year' }[String(period)];
  if (typeof count !== 'number' || word === undefined) return undefined;
  return `${count} ${count === 1 ? word : `${word}s`}`;
}
