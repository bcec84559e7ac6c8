import { NAME_MAX } from '@steward/contract/api/limits';
import { refuse } from '#platform/http/errors.ts';
import { readBoolean, readFields, readFieldsWithNull, readList, readText, requireSchema } from '../patch-fields.ts';
import {
  DISPLAY_NAME_MAX,
  EMAIL_PART_MAX,
  EMAIL_TEXT_MAX,
  EMAILS_MAX,
  EXTERNAL_ID_MAX,
  type ScimEmail,
  USER_NAME_MAX,
  USER_SCHEMA,
  type UserInput,
} from './user.ts';

/** Ignores unknown and read-only attributes. `active` is undefined if it was absent. A name that is '' or null is cleared. */
export function readUser(body: unknown): Omit<UserInput, 'active'> & { active: boolean | undefined } {
  const fields = readFields(body, 'body');
  requireSchema(fields, USER_SCHEMA);
  const active = fields.get('active');
  return {
    userName: readUserName(fields.get('username')),
    externalId: readText(fields.get('externalid'), 'externalId', EXTERNAL_ID_MAX),
    ...readNames(readFieldsWithNull(body, 'body').get('name')),
    displayName: readText(fields.get('displayname'), 'displayName', DISPLAY_NAME_MAX),
    emails: readEmails(fields.get('emails')),
    active: active === undefined ? undefined : readBoolean(active, 'active'),
  };
}

/** Null for a part that is absent. */
function readNames(name: unknown): Pick<UserInput, 'givenName' | 'familyName'> {
  if (name === undefined) return { givenName: null, familyName: null };
  const fields = name === null || name === '' ? undefined : readFieldsWithNull(name, 'name');
  const read = (part: 'givenName' | 'familyName') => {
    if (fields?.has(part.toLowerCase()) === false) return null;
    return readText(fields?.get(part.toLowerCase()), `name.${part}`, NAME_MAX) ?? '';
  };
  return { givenName: read('givenName'), familyName: read('familyName') };
}

export function readUserName(value: unknown): string {
  return readText(value, 'userName', USER_NAME_MAX) ?? refuse('scim.invalid_value', 'userName: is required');
}

/** Returns null for an empty list. */
export function readEmails(value: unknown): readonly ScimEmail[] | null {
  const emails = readList(value, 'emails', EMAILS_MAX).flatMap((each) => readEmail(each) ?? []);
  if (emails.filter(({ primary }) => primary).length > 1)
    refuse('scim.invalid_value', 'emails: has several primary ones');
  return emails.length === 0 ? null : emails;
}

/** Returns undefined without a value. */
export function readEmail(given: unknown): ScimEmail | undefined {
  const { value, ...rest } = readEmailParts(given);
  return value === undefined ? undefined : { value, ...rest };
}

export function readEmailParts(given: unknown): Partial<ScimEmail> {
  const fields = readFields(typeof given === 'string' ? { value: given } : given, 'emails');
  const value = readText(fields.get('value'), 'emails.value', EMAIL_TEXT_MAX);
  const type = readText(fields.get('type'), 'emails.type', EMAIL_PART_MAX);
  const display = readText(fields.get('display'), 'emails.display', EMAIL_TEXT_MAX);
  const primary = fields.get('primary');
  return {
    ...(value !== null && { value }),
    ...(type !== null && { type }),
    ...(display !== null && { display }),
    ...(primary !== undefined && { primary: readBoolean(primary, 'emails.primary') }),
  };
}
