import { ERRORS } from '@steward/contract/api/errors';
import type { IfExists } from '@steward/contract/api/fields';
import {
  mapProfile,
  PROFILE_FIELDS,
  PROFILE_TEXTS,
  type Profile,
  type ProfileInput,
  UserForm,
} from '@steward/contract/users';
import { isMaskedName } from '@steward/contract/users/masked-names';
import type { UserRowError } from '@steward/contract/users/multi';
import { type AccountType, hasIntegrationRole, isOwnerOfTeam } from '@steward/contract/users/roles';
import { z } from 'zod';
import { isEndInRange } from '#workspace/users/end-dates.rules.ts';
import { type Edit, getEdit, isUnchanged, withoutEmptyNames } from '../edit.rules.ts';
import { type Caller, getRefusal, getRenameRefusal, type Target } from '../users.policy.ts';

/** An account type, or a word that only fits users who already have that state. */
type GivenType = AccountType | 'owner' | 'zendesk' | 'pending';

interface ValidRow {
  /** Position in the request, from 0. */
  at: number;
  email: string;
  /** Absent names are unchanged. */
  profile: ProfileInput;
  /** Absent for an empty cell; null removes the end date. */
  endsOn: string | null | undefined;
  /** If absent, a user keeps the type, and a new one becomes a Team User. */
  type: GivenType | undefined;
}

/** Rows that can be stored, and the errors of the others by position. */
export interface CheckedRows {
  valid: ValidRow[];
  errors: Map<number, string>;
}

const REPEATED = 'Duplicate email: already used in an earlier row.';

const TYPES: Readonly<Record<string, GivenType>> = {
  '1': 1,
  '2': 2,
  'team admin': 1,
  'team user': 2,
  'team owner': 'owner',
  zendesk: 'zendesk',
  'pending invitee': 'pending',
};

const LABELS: Readonly<Record<string, string>> = {
  ...mapProfile((name) => PROFILE_TEXTS[name].column),
  email: 'Email',
  account_type: 'Account Type',
  ends_on: 'End Date',
} satisfies Record<keyof UserForm, string>;

const Type = z.unknown().transform((value, { addIssue }) => {
  if (value === undefined) return undefined;
  const word = typeof value === 'number' || typeof value === 'string' ? String(value).trim().toLowerCase() : '';
  const type = Object.hasOwn(TYPES, word) ? TYPES[word] : undefined;
  if (type !== undefined) return type;
  addIssue('must be Team Admin or Team User');
  return z.NEVER;
});

/** An empty cell leaves the date as it is: a file without dates must not give access for longer. */
const RowEnd = z.union([z.literal('').transform(() => undefined), UserForm.shape.ends_on]);

const Row = z.object({ ...UserForm.shape, account_type: Type, ends_on: RowEnd });

/**
 * Checks rows one by one, so that an invalid row doesn't stop the others. `seen` collects the addresses across slices of one
 * call.
 */
export function checkRows(rows: readonly unknown[], from: number, seen: Set<string>): CheckedRows {
  const checked: CheckedRows = { valid: [], errors: new Map() };
  for (const [place, row] of rows.entries()) {
    const at = from + place;
    const result = checkRow(row, seen);
    if (typeof result === 'string') checked.errors.set(at, result);
    else checked.valid.push({ at, ...result });
  }
  return checked;
}

function checkRow(row: unknown, seen: Set<string>): Omit<ValidRow, 'at'> | string {
  if (typeof row !== 'object' || row === null || Array.isArray(row)) return 'This is not a row of fields.';
  const { data, error } = Row.safeParse({ account_type: undefined, ...row });
  if (error) return formatFaults(error);
  const { email, account_type: type, ends_on: endsOn, ...profile } = data;
  if (seen.has(email)) return REPEATED;
  seen.add(email);
  return { email, profile, type, endsOn };
}

function formatFaults(error: z.ZodError): string {
  const faults = error.issues.map(({ path, code, message }) => {
    const fault = code === 'invalid_type' ? 'must be text' : message;
    return `${LABELS[String(path[0])] ?? 'The row'} ${fault}.`;
  });
  return [...new Set(faults)].join(' ');
}

/**
 * The row as it was sent, with its error and index. Lists and objects are omitted: no row has them, and deeply nested ones
 * could not be written. A row that isn't an object has no fields.
 */
export function refusedRow(sent: unknown, error: string, row: number): UserRowError {
  const fields = typeof sent === 'object' && sent !== null && !Array.isArray(sent) ? sent : {};
  const plain = Object.entries(fields).filter(([, value]) => typeof value !== 'object' || value === null);
  return { ...Object.fromEntries(plain), error, row };
}

interface Member extends Target, Profile {
  ends_on: string | null;
  other_teams: number;
}

export type Plan<M extends Member = Member> =
  | { outcome: 'invited'; row: ValidRow; type: AccountType }
  | { outcome: 'changed'; row: ValidRow; member: M; edit: Edit; keptNames: number }
  | { outcome: 'unchanged'; row: ValidRow; member: M; keptNames: number }
  | { outcome: 'failed'; row: ValidRow; error: string };

const NEEDS_TYPE = 'For a new user, choose Team Admin or Team User as the account type.';
const OWNER_BY_FILE = 'A user can only be made an owner on the user list.';
const NOT_ZENDESK = 'Only the integration adds Zendesk users.';

/** The rules are those of saving a single user. */
export function planRow<M extends Member>(
  row: ValidRow,
  member: M | undefined,
  { caller, ifExists, today }: { caller: Caller; ifExists: IfExists | undefined; today: string },
): Plan<M> {
  const failed = (error: string): Plan<M> => ({ outcome: 'failed', row, error });
  if (!member) {
    const { type = 2 } = row;
    if (type !== 1 && type !== 2) return failed(NEEDS_TYPE);
    return isWrongEnd(row.endsOn, today) ? failed(WRONG_END) : { outcome: 'invited', row, type };
  }
  if (ifExists === 'keep') return { outcome: 'unchanged', row, member, keptNames: 0 };
  if (member.state === 'deactivated') return failed(ERRORS['users.deactivated'].message);
  const misnomer = getMisnomer(row.type, member);
  if (misnomer !== undefined) return failed(misnomer);
  const profile = ifExists === 'update' ? row.profile : withoutEmptyNames(row.profile);
  const masked = PROFILE_FIELDS.filter((name) => isMaskedName(profile[name] ?? '', member[name]));
  const keptNames = masked.length;
  const kept = Object.fromEntries(masked.map((name) => [name, member[name]]));
  const edit = getEdit(member, { ...profile, ...kept, account_type: toChosenType(row.type), ends_on: row.endsOn });
  if (isUnchanged(edit)) return { outcome: 'unchanged', row, member, keptNames };
  const refusal = getRefusal('edit', member, caller) ?? (edit.profile ? getRenameRefusal(member) : undefined);
  if (refusal === 'users.own_account') return failed("You can't change your own account here.");
  if (refusal) return failed(ERRORS[refusal].message);
  return isWrongEnd(edit.endsOn, today) ? failed(WRONG_END) : { outcome: 'changed', row, member, edit, keptNames };
}

const WRONG_END = ERRORS['users.end_out_of_range'].message;

function isWrongEnd(date: string | null | undefined, today: string): boolean {
  return typeof date === 'string' && !isEndInRange(date, today);
}

/** A word may not fit a member: a file can't make a user an owner or an integration user. */
function getMisnomer(type: GivenType | undefined, { roles }: Member): string | undefined {
  if (type === 'owner' && !isOwnerOfTeam(roles)) return OWNER_BY_FILE;
  if (type === 'zendesk' && !hasIntegrationRole(roles)) return NOT_ZENDESK;
  return undefined;
}

/** Words that only describe a user keep the account type. */
function toChosenType(type: GivenType | undefined): AccountType | undefined {
  return type === 1 || type === 2 ? type : undefined;
}
