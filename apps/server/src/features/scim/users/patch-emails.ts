import { refuse } from '#platform/http/errors.ts';
import { countConditions, type Filter, listConjuncts } from '../filters/filter.ts';
import { matchesFilter } from '../filters/match-filter.ts';
import { readList } from '../patch/fields.ts';
import type { Operation } from '../patch/read-operations.ts';
import { readEmail, readEmailParts, readEmails } from './read-user.ts';
import { EMAILS_MAX, type ScimEmail } from './user.ts';

type Emails = readonly ScimEmail[];

/**
 * Applies an operation to the list of addresses. Each value of the operation is validated here, once, and not for each address
 * that it changes; the whole list is validated after the last operation.
 */
export function patchEmails(emails: Emails, operation: Operation): Emails {
  const { op, path, value } = operation;
  const patched =
    path.filter === undefined && path.sub === undefined ? patchList(emails, op, value) : patchSome(emails, operation);
  if (patched.length > EMAILS_MAX) refuse('scim.invalid_value', `emails: has more than ${EMAILS_MAX} values`);
  return patched;
}

/** How many comparisons an operation on this list may take. */
export function countComparisons(emails: Emails, { path: { filter } }: Operation): number {
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

/** Adds an address once. Only one is primary: the one that was made so last. */
function addEmail(emails: Emails, added: ScimEmail): Emails {
  const same = (each: ScimEmail) => each.value.toLowerCase() === added.value.toLowerCase() && each.type === added.type;
  const others = emails.filter((each) => !same(each));
  return [...(added.primary ? others.map((each) => withoutPart(each, 'primary')) : others), added];
}

function patchSome(emails: Emails, { op, path: { filter, sub }, value }: Operation): Emails {
  const matching = new Set(filter === undefined ? emails : emails.filter((each) => matchesFilter({ ...each }, filter)));
  if (op === 'remove') {
    if (sub === undefined || toPart(sub) === 'value') return emails.filter((each) => !matching.has(each));
    return emails.map((each) => (matching.has(each) ? withoutPart(each, toPart(sub)) : each));
  }
  if (matching.size === 0)
    return op === 'add' ? addEmail(emails, createEmail(filter, sub, value)) : refuse('scim.no_target');
  const part = sub === undefined ? undefined : toPart(sub);
  const parts = readEmailParts(part === undefined ? toObject(value) : { [part]: value });
  // In their places: the first may be the address that counts.
  return emails.map((each) => {
    if (!matching.has(each)) return parts.primary ? withoutPart(each, 'primary') : each;
    // An empty value removes its part, but never the address itself.
    const isEmptied = part !== undefined && part !== 'value' && parts[part] === undefined;
    return isEmptied ? withoutPart(each, part) : { ...each, ...parts };
  });
}

const PARTS: ReadonlySet<string> = new Set(['value', 'type', 'primary', 'display'] satisfies (keyof ScimEmail)[]);

function toPart(sub: string): keyof ScimEmail {
  if (!PARTS.has(sub)) refuse('scim.invalid_path', `Unknown attribute: emails.${sub}`);
  return sub as keyof ScimEmail;
}

function withoutPart(email: ScimEmail, part: keyof ScimEmail): ScimEmail {
  const { [part]: _, ...rest } = email;
  return rest as ScimEmail;
}

/** Microsoft Entra ID adds `emails[type eq "work"].value` to a user without such an address. */
function createEmail(filter: Filter | undefined, sub: string | undefined, value: unknown): ScimEmail {
  const parts: Record<string, unknown> = {};
  for (const condition of filter === undefined ? [] : listConjuncts(filter))
    if (condition.kind === 'compare' && condition.comparison === 'eq' && PARTS.has(condition.attribute))
      parts[condition.attribute] = condition.value;
  if (sub !== undefined && !PARTS.has(sub)) refuse('scim.invalid_path', `Unknown attribute: emails.${sub}`);
  const email = readEmail({ ...parts, ...(sub === undefined ? toObject(value) : { [sub]: value }) });
  return email ?? refuse('scim.no_target');
}

function toObject(value: unknown): object {
  if (typeof value === 'string') return { value };
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    refuse('scim.invalid_value', 'emails: must be an object');
  return value;
}
