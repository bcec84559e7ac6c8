import { AUDIT_FIELDS } from '@steward/contract/audit/fields';
import { summarizeRule } from '@steward/contract/retention/describe-rule';
import { MarkRule } from '@steward/contract/retention/fields';
import { accountKind, REAL_ACCOUNT } from '@steward/contract/users/roles';

const MOMENT = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' });
/** Shown instead of an empty value. */
export const NOTHING = '–';

function findField(field: string) {
  return Object.hasOwn(AUDIT_FIELDS, field) ? AUDIT_FIELDS[field as keyof typeof AUDIT_FIELDS] : undefined;
}

/** Label of a field. A field that the table does not list is made readable: `public_channels` is "Public channels". */
export function getLabel(field: string): string {
  const words = findField(field)?.label ?? field.replace(/_/g, ' ');
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

const FIELD_ORDER = Object.keys(AUDIT_FIELDS);

/** Fields in the order of the table; stored JSON has none. Fields that the table does not list come last. */
export function compareFields(one: string, other: string): number {
  const rank = (field: string) => (FIELD_ORDER.indexOf(field) + FIELD_ORDER.length + 1) % (FIELD_ORDER.length + 1);
  return rank(one) - rank(other);
}

/** A stored value as text, with names in place of the ids that are known. */
export function formatValue(field: string, value: unknown, names: Readonly<Record<string, string>>): string {
  if (value === null || value === undefined || value === '') return NOTHING;
  if (typeof value === 'boolean' || findField(field)?.format === 'presence') return value ? 'Yes' : 'No';
  if (typeof value === 'number') return formatNumber(field, value);
  if (typeof value === 'string') return names[value] ?? value;
  if (Array.isArray(value)) return formatList(field, value, names);
  return formatRule(value) ?? JSON.stringify(value);
}

function formatNumber(field: string, value: number): string {
  const format = findField(field)?.format;
  if (typeof format === 'object' && format[value] !== undefined) return format[value];
  return format === 'time' || field.endsWith('_at') ? MOMENT.format(value) : value.toLocaleString('en-US');
}

function formatList(field: string, list: readonly unknown[], names: Readonly<Record<string, string>>): string {
  if (findField(field)?.format === 'roles') return accountKind({ roles: list.map(String), type: REAL_ACCOUNT });
  return list.length === 0 ? 'None' : list.map((item) => formatValue(field, item, names)).join(', ');
}

/** A current or scheduled retention rule in words; undefined for anything else. */
function formatRule(value: object): string | undefined {
  const { rule, effectiveAt } = value as { rule?: unknown; effectiveAt?: unknown };
  if (typeof rule === 'object' && rule !== null && typeof effectiveAt === 'number')
    return `${formatRule(rule) ?? JSON.stringify(rule)}, from ${MOMENT.format(effectiveAt)}`;
  const plain = MarkRule.safeParse(value);
  return plain.success ? summarizeRule(plain.data) : undefined;
}
