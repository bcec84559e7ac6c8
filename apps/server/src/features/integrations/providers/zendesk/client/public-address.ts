import { isIP } from 'node:net';
import { isPublicAddress } from '#platform/outbound/public-address.ts';

/** Zendesk can deliver to an https URL with a public host name or address. */
export function isPublicUrl(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  if (protocol !== 'https:') return false;
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (isIP(host) !== 0) return isPublicAddress(host);
  return host.includes('.') && !/\.(localhost|local|internal|home\.arpa)$/.test(host);
}
