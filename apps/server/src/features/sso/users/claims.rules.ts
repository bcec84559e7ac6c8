import { Email } from '@steward/contract/api/fields';
import { NAME_MAX } from '@steward/contract/api/limits';
import type { SsoRole } from '@steward/contract/sso/connection';
import { isEntra, isGoogle } from '@steward/contract/sso/issuer';
import { splitName } from '@steward/contract/users/names';

/** The signature, issuer, audience and nonce have been checked. */
export type IdToken = Readonly<Record<string, unknown>>;

export interface ClaimSettings {
  issuer: string;
  group_claim: string;
  group_roles: Readonly<Record<string, SsoRole>>;
  default_role: SsoRole;
}

export interface Claims {
  issuer: string;
  subject: string;
  /** Null if the claim isn't a valid address. */
  email: string | null;
  isEmailVerified: boolean;
  first_name: string;
  last_name: string;
  /** Null if the provider sent no list, or an incomplete one. */
  groups: readonly string[] | null;
  /** The provider's session id. */
  sid: string | null;
  /** Seconds since 1970 of the last authentication at the provider; null if unknown. */
  authTime: number | null;
}

/** Tolerated difference between clocks, in seconds. The library uses it for `exp` and `auth_time` too. */
const CLOCK_SECONDS = 30;

export function readClaims(token: IdToken, { issuer, group_claim }: ClaimSettings): Claims {
  const email = Email.safeParse(token.email);
  return {
    issuer: toText(token.iss, 500),
    subject: typeof token.sub === 'string' ? token.sub : '',
    email: email.success ? email.data : null,
    isEmailVerified: isVerified(token.email_verified) || (isEntra(issuer) && isTrue(token.xms_edov)),
    ...readName(token),
    groups: group_claim === '' ? null : readGroups(token, group_claim),
    sid: typeof token.sid === 'string' && token.sid !== '' ? token.sid.slice(0, 255) : null,
    authTime: typeof token.auth_time === 'number' && token.auth_time > 0 ? token.auth_time : null,
  };
}

/**
 * True if claims that identify the user are missing from an ID token and may be available at the UserInfo endpoint: the
 * standard permits providers to send them only there, and Okta does. Claims that Entra sends only in the token don't count as
 * missing.
 */
export function lacksClaims(
  token: IdToken,
  { issuer, group_claim }: Pick<ClaimSettings, 'issuer' | 'group_claim'>,
): boolean {
  if (isEntra(issuer)) return false;
  const needed = ['email', 'email_verified', ...(group_claim === '' ? [] : [group_claim])];
  // A name in one piece is only a guess at its parts.
  const hasNames = token.given_name !== undefined || token.family_name !== undefined;
  return !hasNames || needed.some((claim) => token[claim] === undefined);
}

/** The standard requires a boolean; some providers send it as text. */
function isVerified(claim: unknown): boolean {
  return claim === true || claim === 'true';
}

/** Microsoft sends this optional claim as a boolean or as text. */
function isTrue(claim: unknown): boolean {
  return claim === true || claim === 1 || claim === '1' || claim === 'true';
}

function readName(token: IdToken): Pick<Claims, 'first_name' | 'last_name'> {
  const [first_name, last_name] = [toText(token.given_name, NAME_MAX), toText(token.family_name, NAME_MAX)];
  if (first_name !== '' || last_name !== '') return { first_name, last_name };
  const name = splitName(toText(token.name, NAME_MAX * 2));
  return { first_name: name.first_name.slice(0, NAME_MAX), last_name: name.last_name.slice(0, NAME_MAX) };
}

function toText(value: unknown, maxLength: number): string {
  if (typeof value !== 'string' || !value.isWellFormed()) return '';
  return value
    .replaceAll(/\p{Cc}/gu, '')
    .trim()
    .slice(0, maxLength);
}

/**
 * Providers omit a list that is too long and refer to another source. A missing list therefore means unknown groups, not no
 * groups.
 */
function readGroups(token: IdToken, claim: string): string[] | null {
  const { _claim_names: elsewhere, hasgroups } = token as { _claim_names?: object; hasgroups?: unknown };
  if ((elsewhere && claim in elsewhere) || isTrue(hasgroups)) return null;
  const value = token[claim];
  if (typeof value === 'string') return [value];
  if (!Array.isArray(value)) return null;
  return value.filter((item): item is string => typeof item === 'string');
}

/** Returns undefined if the groups are unknown, or none gives a role. */
export function toGroupRole(
  { group_claim, group_roles, default_role }: Omit<ClaimSettings, 'issuer'>,
  groups: readonly string[] | null,
): SsoRole | undefined {
  if (group_claim === '' || groups === null || Object.keys(group_roles).length === 0) return undefined;
  const roles = groups.flatMap((group) => (Object.hasOwn(group_roles, group) ? [group_roles[group]] : []));
  if (roles.includes('team_admin')) return 'team_admin';
  return roles.includes('team_user') ? 'team_user' : default_role;
}

/** The library doesn't check that a token was issued in the past. */
export function isFromFuture({ iat }: IdToken, nowSeconds: number): boolean {
  return typeof iat !== 'number' || iat > nowSeconds + CLOCK_SECONDS;
}

/** Anyone can create a Google account, so only accounts of a Workspace whose domain the team has verified are accepted. */
export function isOutsideWorkspace(issuer: string, { hd }: IdToken, domains: readonly string[]): boolean {
  return isGoogle(issuer) && !(typeof hd === 'string' && domains.includes(hd.toLowerCase()));
}
