import type { AuditRecord } from '@steward/contract/audit';
import { AUDIT_SUBJECTS, findAuditAction } from '@steward/contract/audit/catalog';
import { AUDIT_FIELDS } from '@steward/contract/audit/fields';
import { summarizeRule } from '@steward/contract/retention/describe-rule';
import { MarkRule } from '@steward/contract/retention/fields';
import { accountKind, REAL_ACCOUNT } from '@steward/contract/users/roles';
import { formatDay, formatMoment, formatNumber } from '#platform/time/format.ts';

interface Named {
  name: string;
  note: string;
}

/** An action that the catalog doesn't list is shown by its name. */
export function getActionText({ action }: Pick<AuditRecord, 'action'>): string {
  return findAuditAction(action)?.label ?? action;
}

export function getActor({ by, actor, details, names }: AuditRecord, product: string): Named {
  if (by === 'person') {
    const { name = '', email = '', id = '' } = actor ?? {};
    if (name === '') return { name: 'Former member', note: id };
    return { name, note: name === email ? '' : email };
  }
  if (by === 'operator') return { name: 'Operator', note: 'Command line' };
  if (by === 'provisioning')
    return { name: names[String(details.scim_token_id)] ?? 'Identity provider', note: 'Provisioning' };
  if (by === 'service') return { name: names[String(details.token_id)] ?? 'Unknown service', note: 'Service token' };
  return by === 'itself' ? { name: product, note: 'Automatic' } : { name: 'Unknown', note: '' };
}

/** The source is an IP address, or the job that caused the change. */
export function getSource({ address, by, request_id }: AuditRecord): string {
  if (address !== '') return address;
  if (by === 'operator') return 'Command line';
  return request_id === 'job' ? 'Automatic' : 'Unknown';
}

/** A target without a name is shown by its kind. */
export function getTarget(record: AuditRecord): Named {
  const { action, target, target_name, details, names } = record;
  const subject = AUDIT_SUBJECTS[findAuditAction(action)?.subject ?? 'nothing'];
  if (target_name !== '') return { name: target_name, note: subject };
  const many = getCount(record);
  if (many > 1) return { name: `${formatNumber(many)} entries`, note: subject };
  if (typeof details.kind === 'string') return { name: getLabel(details.kind), note: subject };
  const channel = names[String(details.channel_id)];
  if (channel !== undefined) return { name: channel, note: subject };
  return { name: subject === '' ? '–' : subject, note: subject === '' ? '' : target };
}

function getCount({ details, left_out }: AuditRecord): number {
  const list = details.entries ?? details.after;
  if (!Array.isArray(list)) return 0;
  // The lists before and after an edit are cut at the same length.
  return list.length + (details.entries === undefined ? left_out / 2 : left_out);
}

export interface ValueFormat {
  /** Ids that aren't listed are shown as they are. */
  names: Readonly<Record<string, string>>;
  formatTime: (at: number) => string;
  formatDay: (day: string) => string;
  formatNumber: (value: number) => string;
}

/** Times and numbers are in the viewer's locale. */
export function getScreenFormat(names: ValueFormat['names']): ValueFormat {
  return { names, formatTime: formatMoment, formatDay, formatNumber };
}

/** The text is the same in every locale and time zone. */
export function getFileFormat(names: ValueFormat['names']): ValueFormat {
  return { names, formatTime: (at) => new Date(at).toISOString(), formatDay: (day) => day, formatNumber: String };
}

export const NOTHING = '–';

function findField(field: string) {
  return Object.hasOwn(AUDIT_FIELDS, field) ? AUDIT_FIELDS[field as keyof typeof AUDIT_FIELDS] : undefined;
}

/** Fields that the table doesn't list are turned into words: `public_channels` becomes “Public channels”. */
export function getLabel(field: string): string {
  const words = findField(field)?.label ?? field.replace(/_/g, ' ');
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

const FIELD_ORDER = Object.keys(AUDIT_FIELDS);

/** Stored JSON has no reliable order, so the table defines it. Fields that the table doesn't list come last. */
export function compareFields(one: string, other: string): number {
  const rank = (field: string) => (FIELD_ORDER.indexOf(field) + FIELD_ORDER.length + 1) % (FIELD_ORDER.length + 1);
  return rank(one) - rank(other);
}

export function formatValue(field: string, value: unknown, format: ValueFormat): string {
  if (value === null || value === undefined || value === '') return NOTHING;
  if (typeof value === 'boolean' || findField(field)?.format === 'presence') return value ? 'Yes' : 'No';
  if (typeof value === 'number') return formatNumberField(field, value, format);
  if (typeof value === 'string' && findField(field)?.format === 'day') return format.formatDay(value);
  if (typeof value === 'string') return findWord(field, value) ?? format.names[value] ?? value;
  if (Array.isArray(value)) return formatList(field, value, format);
  return formatRule(value, format) ?? JSON.stringify(value);
}

function findWord(field: string, value: number | string): string | undefined {
  const words = findField(field)?.format;
  return typeof words === 'object' && Object.hasOwn(words, value) ? words[value] : undefined;
}

function formatNumberField(field: string, value: number, format: ValueFormat): string {
  const word = findWord(field, value);
  if (word !== undefined) return word;
  return findField(field)?.format === 'time' || field.endsWith('_at')
    ? format.formatTime(value)
    : format.formatNumber(value);
}

function formatList(field: string, list: readonly unknown[], format: ValueFormat): string {
  if (findField(field)?.format === 'roles') return accountKind({ roles: list.map(String), type: REAL_ACCOUNT });
  return list.length === 0 ? 'None' : list.map((item) => formatValue(field, item, format)).join(', ');
}

/** Returns undefined if the value isn't a retention rule. */
function formatRule(value: object, format: ValueFormat): string | undefined {
  const { rule, effectiveAt } = value as { rule?: unknown; effectiveAt?: unknown };
  if (typeof rule === 'object' && rule !== null && typeof effectiveAt === 'number')
    return `${formatRule(rule, format) ?? JSON.stringify(rule)}, from ${format.formatTime(effectiveAt)}`;
  const plain = MarkRule.safeParse(value);
  return plain.success ? summarizeRule(plain.data) : undefined;
}
