import ipaddr from 'ipaddr.js';

/**
 * Whether an address belongs to the public internet. Private, loopback, link-local and reserved ranges don't, nor do IPv6 ranges
 * that carry an IPv4 address, since they can lead to one of those.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address) || address.includes('%')) return false;
  return ipaddr.process(address).range() === 'unicast';
}
