import { NAME_MAX } from '@steward/contract/api/limits';
import { refuse } from '#platform/http/errors.ts';
import { readBoolean, readFields, readText } from '../patch/fields.ts';
import type { Operation } from '../patch/read-operations.ts';
import { countComparisons, patchEmails } from './patch-emails.ts';
import { readEmails, readUserName } from './read-user.ts';
import { DISPLAY_NAME_MAX, EXTERNAL_ID_MAX, IGNORED, IGNORED_NAMES, READ_ONLY, type UserInput } from './user.ts';

/** Most comparisons of one PATCH with addresses of the user, so that it can't keep other calls waiting. */
const COMPARISONS_MAX = 20_000;

/** Applies the operations of a PATCH to a user. All of them are valid, or it is refused as a whole. */
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
  if (IGNORED.has(path.attribute)) return user;
  if (READ_ONLY.has(path.attribute))
    return isMerged ? user : refuse('scim.mutability', `${path.attribute}: is read-only`);
  if (path.attribute === 'emails') return { ...user, emails: patchEmails(user.emails ?? [], operation) };
  if (path.filter !== undefined) return refuse('scim.invalid_path', `${path.attribute}: has no list of values`);
  if (path.attribute === 'name') return patchName(user, operation);
  const set = SIMPLE[path.attribute];
  if (set === undefined || path.sub !== undefined)
    return isMerged ? user : refuse('scim.invalid_path', `Unknown attribute: ${path.attribute}`);
  return { ...user, ...set(operation.op === 'remove' ? undefined : operation.value) };
}

type Set = (value: unknown) => Partial<UserInput>;

/** Attributes with one value; undefined removes it. A map without a prototype, since names come from requests. */
const SIMPLE: Readonly<Record<string, Set | undefined>> = Object.assign(Object.create(null), {
  username: (value: unknown) => ({ userName: readUserName(value) }),
  externalid: (value: unknown) => ({ externalId: readText(value, 'externalId', EXTERNAL_ID_MAX) }),
  displayname: (value: unknown) => ({ displayName: readText(value, 'displayName', DISPLAY_NAME_MAX) }),
  active: (value: unknown) => ({ active: readActive(value) }),
} satisfies Record<string, Set>);

/** Nobody is deactivated or reactivated by leaving something out. */
function readActive(value: unknown): boolean {
  if (value === undefined || value === null) refuse('scim.invalid_value', 'active: must be true or false');
  return readBoolean(value, 'active');
}

function patchName(user: UserInput, { op, path: { sub }, value, isMerged }: Operation): UserInput {
  if (op === 'remove' && sub === undefined) return { ...user, givenName: null, familyName: null };
  if (sub === undefined) {
    const name = readFields(value, 'name');
    return [...name].reduce((patched, [part, each]) => setName(patched, part, { value: each, isMerged: true }), user);
  }
  return setName(user, sub, { value: op === 'remove' ? undefined : value, isMerged });
}

function setName(user: UserInput, part: string, { value, isMerged }: { value: unknown; isMerged: boolean }): UserInput {
  if (part === 'givenname') return { ...user, givenName: readText(value, 'name.givenName', NAME_MAX) };
  if (part === 'familyname') return { ...user, familyName: readText(value, 'name.familyName', NAME_MAX) };
  if (IGNORED_NAMES.has(part) || isMerged) return user;
  return refuse('scim.invalid_path', `Unknown attribute: name.${part}`);
}
