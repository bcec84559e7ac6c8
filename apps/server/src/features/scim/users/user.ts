import { Email } from '@steward/contract/api/fields';
import { refuse } from '#platform/http/errors.ts';

/** Schema of users (RFC 7643, section 4.1). */
export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User';

export interface ScimEmail {
  value: string;
  type?: string;
  primary?: boolean;
  display?: string;
}

/** The attributes of a user that an identity provider can write. Null means absent; a name that was cleared is ''. */
export interface UserInput {
  userName: string;
  externalId: string | null;
  givenName: string | null;
  familyName: string | null;
  displayName: string | null;
  emails: readonly ScimEmail[] | null;
  active: boolean;
}

/** Maximum lengths in characters. */
export const USER_NAME_MAX = 256;
export const EXTERNAL_ID_MAX = 256;
export const DISPLAY_NAME_MAX = 200;
export const EMAIL_TEXT_MAX = 508;
export const EMAIL_PART_MAX = 100;
export const EMAILS_MAX = 20;

export const READ_ONLY: ReadonlySet<string> = new Set(['id', 'meta', 'schemas', 'groups']);

/** The primary address, otherwise the first for work, otherwise the first; the user name if there is none. */
export function toAddress({ userName, emails }: Pick<UserInput, 'userName' | 'emails'>): string {
  const list = emails ?? [];
  const chosen =
    list.find(({ primary }) => primary) ?? list.find(({ type }) => type?.toLowerCase() === 'work') ?? list[0];
  const parsed = Email.safeParse(chosen?.value ?? userName);
  if (parsed.success) return parsed.data;
  return refuse('scim.invalid_value', chosen === undefined ? NO_ADDRESS : 'emails: is not an email address');
}

const NO_ADDRESS = 'emails: is required, unless userName is an email address';

/** Returns the addresses in lowercase, the effective one first. */
export function listAddresses(user: Pick<UserInput, 'userName' | 'emails'>): string[] {
  return [...new Set([toAddress(user), ...(user.emails ?? []).map(({ value }) => value.toLowerCase())])];
}

export function getDomain(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1);
}
