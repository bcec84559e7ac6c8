import { refuse } from '#platform/http/errors.ts';
import { type Filter, listConjuncts } from '../filters/filter.ts';
import { matchesFilter } from '../filters/match-filter.ts';
import { readList } from '../patch/fields.ts';
import type { Operation } from '../patch/read-operations.ts';
import { readEmail, readEmails } from './read-user.ts';
import { EMAILS_MAX, type ScimEmail } from './user.ts';

type Emails = readonly ScimEmail[];

/** Applies an operation to the list of addresses; null for an empty list. */
export function patchEmails(emails: Emails, operation: Operation): Emails | null {
  const { op, path, value } = operation;
  const patched =
    path.filter === undefined && path.sub === undefined ? patchList(emails, op, value) : patchSome(emails, operation);
  return readEmails(patched);
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
  return [...(added.primary ? others.map(withoutPrimary) : others), added];
}

const withoutPrimary = ({ primary: _primary, ...email }: ScimEmail): ScimEmail => email;

function patchSome(emails: Emails, { op, path: { filter, sub }, value }: Operation): Emails {
  const matching = filter === undefined ? [...emails] : emails.filter((each) => matchesFilter({ ...each }, filter));
  const others = emails.filter((each) => !matching.includes(each));
  if (op === 'remove')
    return [
      ...others,
      ...matching.flatMap((each) => (sub === undefined ? [] : (withPart(each, sub, undefined) ?? []))),
    ];
  if (matching.length === 0)
    return op === 'add' ? addEmail(emails, createEmail(filter, sub, value)) : refuse('scim.no_target');
  const changed = matching.map(
    (each) => (sub === undefined ? readEmail({ ...each, ...toObject(value) }) : withPart(each, sub, value)) ?? each,
  );
  const hasPrimary = changed.some(({ primary }) => primary);
  // In their places: the first may be the address that counts.
  return emails.map((each) => changed[matching.indexOf(each)] ?? (hasPrimary ? withoutPrimary(each) : each));
}

const PARTS: ReadonlySet<string> = new Set(['value', 'type', 'primary', 'display']);

/** An address with another value of one part; undefined without a value. */
function withPart(email: ScimEmail, part: string, value: unknown): ScimEmail | undefined {
  if (!PARTS.has(part)) refuse('scim.invalid_path', `Unknown attribute: emails.${part}`);
  return readEmail({ ...email, [part]: value ?? null });
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
