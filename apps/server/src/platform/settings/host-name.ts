import { isIP, isIPv6 } from 'node:net';
import { domainToASCII } from 'node:url';

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
