import { isIP, isIPv6 } from 'node:net';
import { domainToASCII } from 'node:url';
import { Email } from '@steward/contract/api/fields';

const NAME = /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)*$/;

/** A host name in lower case and ASCII, or an IP address; IPv6 with or without brackets. Undefined for other text. */
export function parseHost(text: string): string | undefined {
  const address = text.replace(/^\[(.*)\]$/, '$1');
  if (isIPv6(address)) return address;
  // The parser would ignore the text after such a character.
  const name = /[\s/\\?#@:%]/.test(text) ? '' : domainToASCII(text);
  return NAME.test(name) ? name : undefined;
}

/** The form of a host in the greeting of a mail client (RFC 5321, 4.1.3). Undefined for a name without a domain, such as localhost. */
export function toEhloName(host: string): string | undefined {
  if (isIPv6(host)) return `[IPv6:${host}]`;
  if (isIP(host)) return `[${host}]`;
  return host.includes('.') && !host.includes('_') ? host : undefined;
}

const PUBLIC_URL_EXAMPLE = 'https://steward.example';

/** Parses PUBLIC_URL and returns its origin; the message of an error completes “PUBLIC_URL: …”. */
export function parsePublicUrl(value: string): string {
  if (/\s/.test(value)) throw new Error(`must not contain blanks; write it as ${PUBLIC_URL_EXAMPLE}`);
  if (!/^https?:\/\/[^/\\]/i.test(value) || !URL.canParse(value))
    throw new Error(`must be a URL that starts with https:// or http://; write it as ${PUBLIC_URL_EXAMPLE}`);
  const url = new URL(value);
  if (parseHost(url.hostname) === undefined)
    throw new Error(`has an invalid host name; write it as ${PUBLIC_URL_EXAMPLE}`);
  if (url.username !== '' || url.password !== '')
    throw new Error(`must not contain a user or password; write ${url.origin}`);
  if (/[?#\\]/.test(value) || /[^/]/.test(url.pathname))
    throw new Error(`must end after the host and port, without a path, query or fragment; write ${url.origin}`);
  return url.origin;
}

/** Parses DNS_SERVERS: addresses separated by commas, each with an optional port, by default 53. */
export function parseDnsServers(value: string): string[] {
  return value.split(',').map((item) => {
    const text = item.trim();
    const [, bracketed, plain, port = '53'] = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
    const address = bracketed ?? plain ?? '';
    if (isIP(address) === 0 || Number(port) < 1 || Number(port) > 65_535)
      throw new Error('must name IP addresses with a port, such as 192.0.2.53:53, separated by commas');
    return isIP(address) === 6 ? `[${address}]:${port}` : `${address}:${port}`;
  });
}

/** Parses SECURITY_CONTACT, an email address or an https URL. Returns a URL. */
export function parseSecurityContact(value: string): string {
  const text = value.trim();
  const email = Email.safeParse(text.replace(/^mailto:/i, ''));
  if (email.success) return `mailto:${email.data}`;
  if (URL.canParse(text) && new URL(text).protocol === 'https:') return new URL(text).href;
  throw new Error('must be an email address or a URL that starts with https://');
}
