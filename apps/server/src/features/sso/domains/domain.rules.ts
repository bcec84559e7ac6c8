import { parse } from 'tldts';
import { MAIL_PROVIDERS } from './mail-providers.ts';

/** Where the DNS record of a domain stands. */
export const RECORD_PREFIX = '_steward-challenge';

/** What the record has to say. */
export function toRecordValue(token: string): string {
  return `steward-domain-verification=${token}`;
}

/**
 * Whether a domain is shared by people who don't belong together: a suffix under which anyone can register, such as `co.uk` or
 * `github.io`, or that of a mail provider.
 */
export function isSharedDomain(domain: string): boolean {
  const { isIcann, isPrivate, domain: registered, publicSuffix } = parse(domain, { allowPrivateDomains: true });
  if (registered === null || publicSuffix === domain) return true;
  // A name whose suffix nobody keeps a list of, such as `corp.internal`, can't be proved to everyone.
  if (isIcann !== true && isPrivate !== true) return !RESERVED_FOR_TESTS.test(domain);
  return MAIL_PROVIDERS.has(registered);
}

/** RFC 2606: nobody can register these; a resolver of one's own may know them. */
const RESERVED_FOR_TESTS = /\.(?:test|example)$/;
