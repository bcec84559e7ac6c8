import { NAME_MAX } from '@steward/contract/api/limits';
import { refuse } from '#platform/http/errors.ts';
import { countConditions, type Filter, listConjuncts } from '../filters/filter.ts';
import { matchesFilter } from '../filters/match-filter.ts';
import { readBoolean, readFieldsWithNull, readList, readText } from '../patch-fields.ts';
import type { Operation } from '../patch-operations.ts';
import { readEmail, readEmailParts, readEmails, readUserName } from './read-user.ts';
import { DISPLAY_NAME_MAX, EMAILS_MAX, EXTERNAL_ID_MAX, READ_ONLY, type ScimEmail, type UserInput } from './user.ts';

/** Maximum comparisons with a user's addresses in one PATCH, so that it can't delay other calls. */
const COMPARISONS_MAX = 20_000;

/** Applies all operations, or refuses all if one is invalid. */
export function patchUser(user: UserInput, operations: readonly Operation[]): UserInput {
  let patched = user;
  let comparisons = 0;
  for (const operation of operations) {
    if (operation.path.attribute === 'emails') comparisons += countComparisons(patched.emails ?? [], operation);
    if (comparisons > COMPARISONS_MAX)
      refuse('scim.invalid_value', `Operations: take more than ${COMPARISONS_MAX} comparisons with addresses`);
    patched = applyOperation(patched, operation);
  }
  return patched === user ? user : { ...patched, emails: readEmails(patched.emails) };
}

function applyOperation(user: UserInput, operation: Operation): UserInput {
  const { path, isMerged } = operation;
  if (READ_ONLY.has(path.attribute))
    return isMerged ? user : refuse('scim.mutability', `${path.attribute}: is read-only`);
  if (path.attribute === 'emails') return { ...user, emails: patchEmails(user.emails ?? [], operation) };
  const set = SIMPLE[path.attribute];
  // Unknown attributes are ignored, as in POST: default mappings of providers send many that aren't stored.
  if (set === undefined && path.attribute !== 'name') return user;
  if (path.filter !== undefined) return refuse('scim.invalid_path', `${path.attribute}: has no list of values`);
  if (set === undefined) return patchName(user, operation);
  if (path.sub !== undefined) return user;
  return { ...user, ...set(operation.op === 'remove' ? undefined : operation.value) };
}

type Set = (value: unknown) => Partial<UserInput>;

/** Single-valued attributes; undefined removes the value. The map has no prototype, because the names come from requests. */
const SIMPLE: Readonly<Record<string, Set | undefined>> = Object.assign(Object.create(null), {
  username: (value: unknown) => ({ userName: readUserName(value) }),
  externalid: (value: unknown) => ({ externalId: readText(value, 'externalId', EXTERNAL_ID_MAX) }),
  displayname: (value: unknown) => ({ displayName: readText(value, 'displayName', DISPLAY_NAME_MAX) }),
  active: (value: unknown) => ({ active: readActive(value) }),
} satisfies Record<string, Set>);

/** Omitting a value never deactivates or reactivates a user. */
function readActive(value: unknown): boolean {
  if (value === undefined || value === null) refuse('scim.invalid_value', 'active: must be true or false');
  return readBoolean(value, 'active');
}

/** Names that are removed, or set to '' or null, are cleared. */
function patchName(user: UserInput, { op, path: { sub }, value }: Operation): UserInput {
  if (sub !== undefined) return { ...user, ...readName(sub, op === 'remove' ? null : value) };
  if (op === 'remove' || value === undefined || value === null || value === '')
    return { ...user, givenName: '', familyName: '' };
  let patched = user;
  for (const [part, each] of readFieldsWithNull(value, 'name')) patched = { ...patched, ...readName(part, each) };
  return patched;
}

function readName(part: string, value: unknown): Partial<UserInput> {
  if (part === 'givenname') return { givenName: readText(value, 'name.givenName', NAME_MAX) ?? '' };
  if (part === 'familyname') return { familyName: readText(value, 'name.familyName', NAME_MAX) ?? '' };
  return {};
}

type Emails = readonly ScimEmail[];

/**
 * Applies an operation to the list of addresses. Each value of an operation is validated here once, not for each address that
 * it changes; the whole list is validated after the last operation.
 */
function patchEmails(emails: Emails, operation: Operation): Emails {
  const { op, path, value } = operation;
  const patched =
    path.filter === undefined && path.sub === undefined ? patchList(emails, op, value) : patchSome(emails, operation);
  if (patched.length > EMAILS_MAX) refuse('scim.invalid_value', `emails: has more than ${EMAILS_MAX} values`);
  return patched;
}

function countComparisons(emails: Emails, { path: { filter } }: Operation): number {
  return emails.length * (filter === undefined ? 1 : countConditions(filter));
}

function patchList(emails: Emails, op: Operation['op'], value: unknown): Emails {
  if (op === 'remove') {
    // Some clients remove by value, without a filter.
    const removed = new Set(readList(value, 'emails', EMAILS_MAX).map((each) => readEmail(each)?.value.toLowerCase()));
    return removed.size === 0 ? [] : emails.filter((each) => !removed.has(each.value.toLowerCase()));
  }
  const added = readEmails(value) ?? [];
  return op === 'replace' ? added : added.reduce(addEmail, emails);
}

/** Ignores a duplicate. The last address that was marked as primary is the only primary one. */
function addEmail(emails: Emails, added: ScimEmail): Emails {
  const same = (each: ScimEmail) => each.value.toLowerCase() === added.value.toLowerCase() && each.type === added.type;
  const others = emails.filter((each) => !same(each));
  return [...(added.primary ? others.map((each) => withoutPart(each, 'primary')) : others), added];
}

function patchSome(emails: Emails, { op, path: { filter, sub }, value }: Operation): Emails {
  const part = sub === undefined ? undefined : toPart(sub);
  if (part === 'unknown') return emails;
  const matching = new Set(filter === undefined ? emails : emails.filter((each) => matchesFilter({ ...each }, filter)));
  if (op === 'remove') {
    if (part === undefined || part === 'value') return emails.filter((each) => !matching.has(each));
    return emails.map((each) => (matching.has(each) ? withoutPart(each, part) : each));
  }
  if (matching.size === 0)
    return op === 'add' ? addEmail(emails, createEmail(filter, part, value)) : refuse('scim.no_target');
  const parts = readEmailParts(part === undefined ? toEmail(value) : { [part]: value });
  // The order is kept, because the first address may be the effective one.
  return emails.map((each) => {
    if (!matching.has(each)) return parts.primary ? withoutPart(each, 'primary') : each;
    // An empty value removes that part, but never the address itself.
    const isEmptied = part !== undefined && part !== 'value' && parts[part] === undefined;
    return isEmptied ? withoutPart(each, part) : { ...each, ...parts };
  });
}

const PARTS: ReadonlySet<string> = new Set(['value', 'type', 'primary', 'display'] satisfies (keyof ScimEmail)[]);

function toPart(sub: string): keyof ScimEmail | 'unknown' {
  return PARTS.has(sub) ? (sub as keyof ScimEmail) : 'unknown';
}

function withoutPart(email: ScimEmail, part: keyof ScimEmail): ScimEmail {
  const { [part]: _, ...rest } = email;
  return rest as ScimEmail;
}

/** Microsoft Entra ID adds `emails[type eq "work"].value` to a user without such an address. */
function createEmail(filter: Filter | undefined, part: keyof ScimEmail | undefined, value: unknown): ScimEmail {
  const parts: Record<string, unknown> = {};
  for (const condition of filter === undefined ? [] : listConjuncts(filter))
    if (condition.kind === 'compare' && condition.comparison === 'eq' && PARTS.has(condition.attribute))
      parts[condition.attribute] = condition.value;
  const email = readEmail({ ...parts, ...(part === undefined ? toEmail(value) : { [part]: value }) });
  return email ?? refuse('scim.no_target');
}

const toEmail = (value: unknown) => (typeof value === 'string' ? { value } : toObject(value));

function toObject(value: unknown): object {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    refuse('scim.invalid_value', 'emails: must be an object');
  return value;
}
