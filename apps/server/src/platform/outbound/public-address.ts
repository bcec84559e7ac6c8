import { BlockList, isIP } from 'node:net';

/**
 * IPv4 addresses that aren't on the public internet, by IANA's registry of special-purpose addresses: this host, private and
 * shared networks, link-local, protocol assignments, examples, benchmarks, relays, multicast and reserved ones.
 */
const CLOSED_V4: [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];
/** Parts of 2000::/3 that aren't public, by the same registry: protocol assignments, tunnels that carry an IPv4 address, examples. */
const CLOSED_V6: [string, number][] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const closed = new BlockList();
for (const [net, bits] of CLOSED_V4) closed.addSubnet(net, bits, 'ipv4');
for (const [net, bits] of CLOSED_V6) closed.addSubnet(net, bits, 'ipv6');
const open = new BlockList();
open.addSubnet('2000::', 3, 'ipv6');

/**
 * Tells if an address is on the public internet. For IPv6 that is 2000::/3 only: every other range is special, also those in
 * which an IPv4 address can be written, such as `::7f00:1` and `::ffff:127.0.0.1`.
 */
export function isPublicAddress(address: string): boolean {
  // An address with a zone is only valid on a link.
  const family = address.includes('%') ? 0 : isIP(address);
  if (family === 4) return !closed.check(address, 'ipv4');
  return family === 6 && open.check(address, 'ipv6') && !closed.check(address, 'ipv6');
}
