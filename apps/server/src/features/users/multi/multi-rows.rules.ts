import { type ProfileInput, UserForm } from '@steward/contract/users';
import type { UserRowError } from '@steward/contract/users/multi';
import type { AccountType } from '@steward/contract/users/roles';
import { z } from 'zod';

/** What a row says about the account type: one to have, or a word that only fits users who are that already. */
export type GivenType = AccountType | 'owner' | 'zendesk' | 'pending';

/** A row that can be stored. */
export interface ValidRow {
  /** Position in the request, from 0. */
  at: number;
  email: string;
  /** Absent names stay as they are. */
  profile: ProfileInput;
  /** Absent: a user keeps theirs, and a new one becomes a Team User. */
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
  email: 'Email',
  first_name: 'First Name',
  last_name: 'Last Name',
  account_type: 'Account Type',
};

const Type = z.unknown().transform((value, { addIssue }) => {
  if (value === undefined) return undefined;
  const word = typeof value === 'number' || typeof value === 'string' ? String(value).trim().toLowerCase() : '';
  const type = Object.hasOwn(TYPES, word) ? TYPES[word] : undefined;
  if (type !== undefined) return type;
  addIssue('must be Team Admin or Team User');
  return z.NEVER;
});

const Row = z.object({ ...UserForm.shape, account_type: Type });

/** Checks rows one by one, so that no wrong row stops another; `seen` collects the addresses across slices of one call. */
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
  const { email, account_type: type, ...profile } = data;
  if (seen.has(email)) return REPEATED;
  seen.add(email);
  return { email, profile, type };
}

function formatFaults(error: z.ZodError): string {
  const faults = error.issues.map(({ path, code, message }) => {
    const fault = code === 'invalid_type' ? 'must be text' : message;
    return `${LABELS[String(path[0])] ?? 'The row'} ${fault}.`;
  });
  return [...new Set(faults)].join(' ');
}

/**
 * The row as it was sent, with its error and place. Values that are lists or objects are left out: no row has them, and nested
 * deeply enough they could not be written. What isn't an object has no fields.
 */
export function refusedRow(sent: unknown, error: string, row: number): UserRowError {
  const fields = typeof sent === 'object' && sent !== null && !Array.isArray(sent) ? sent : {};
  const plain = Object.entries(fields).filter(([, value]) => typeof value !== 'object' || value === null);
  return { ...Object.fromEntries(plain), error, row };
}
