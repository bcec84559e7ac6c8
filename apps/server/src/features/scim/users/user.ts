import { Email } from '@steward/contract/api/fields';
import { refuse } from '#platform/http/errors.ts';

/** Schema of users (RFC 7643, section 4.1). */
export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User';

/** An email address as the identity provider sent it. */
export interface ScimEmail {
  value: string;
  type?: string;
  primary?: boolean;
  display?: string;
}

/** An identity provider can write these attributes of a user. Null is absent. */
export interface UserInput {
  userName: string;
  externalId: string | null;
  givenName: string | null;
  familyName: string | null;
  displayName: string | null;
  emails: readonly ScimEmail[] | null;
  active: boolean;
}

/** Longest texts. */
export const USER_NAME_MAX = 256;
export const EXTERNAL_ID_MAX = 256;
export const DISPLAY_NAME_MAX = 200;
export const EMAIL_TEXT_MAX = 508;
export const EMAIL_PART_MAX = 100;
export const EMAILS_MAX = 20;

/** Attributes of the core and enterprise schemas that mappings send by default and Steward doesn't keep. */
export const IGNORED: ReadonlySet<string> = new Set([
  ...['password', 'nickname', 'profileurl', 'title', 'usertype', 'preferredlanguage', 'locale', 'timezone'],
  ...['phonenumbers', 'ims', 'photos', 'addresses', 'entitlements', 'roles', 'x509certificates'],
  ...['employeenumber', 'costcenter', 'organization', 'division', 'department', 'manager'],
]);
/** Parts of a name that aren't kept. */
export const IGNORED_NAMES: ReadonlySet<string> = new Set([
  'formatted',
  'middlename',
  'honorificprefix',
  'honorificsuffix',
]);
/** Attributes that only the server writes. */
export const READ_ONLY: ReadonlySet<string> = new Set(['id', 'meta', 'schemas', 'groups']);

/** The address of a user: the primary one, else that for work, else the first; the user name if there is none. */
export function toAddress({ userName, emails }: Pick<UserInput, 'userName' | 'emails'>): string {
  const list = emails ?? [];
  const chosen =
    list.find(({ primary }) => primary) ?? list.find(({ type }) => type?.toLowerCase() === 'work') ?? list[0];
  const parsed = Email.safeParse(chosen?.value ?? userName);
  if (parsed.success) return parsed.data;
  return refuse('scim.invalid_value', chosen === undefined ? NO_ADDRESS : 'emails: is not an email address');
}

const NO_ADDRESS = 'emails: is required, unless userName is an email address';
