import { isIP, isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Subscribers get at least such a prefix of IPv6 addresses, and can use all of its addresses. */
const SUBSCRIBER_BITS = 64;

/** An IP address with an optional port, which RFC 7239 allows to be obfuscated. */
const WITH_PORT = /^(?:\[([^\]]+)\]|([\d.]+))(?::(?:\d{1,5}|_[\w.-]+))?$/;

/**
 * The address of a socket or of an entry of X-Forwarded-For, where some proxies add ports, brackets or quotes. An IPv4 address that
 * is mapped into IPv6 becomes the IPv4 address. Undefined for other text, such as “unknown”, and for a socket that was closed.
 */
export function readAddress(text: string | undefined): string | undefined {
  // Every call reads its address twice, and an IPv4 address has only this form.
  if (text === undefined || isIPv4(text)) return text;
  const entry = text
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .trim();
  const [, bracketed, withPort] = WITH_PORT.exec(entry) ?? [];
  const address = bracketed ?? withPort ?? entry;
  return isIP(address) === 0 ? undefined : ipaddr.process(address).toString();
}

/**
 * The unit of limits and known addresses, since a subscriber can use all of its addresses: an IPv4 address, or the /64 of an
 * IPv6 address. Other text stays as it is.
 */
export function getNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  const first = ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toNormalizedString().split('%')[0]}/${SUBSCRIBER_BITS}`);
  return `${first}/${SUBSCRIBER_BITS}`;
}

/** A network in CIDR notation with the bits of hosts cleared; an address alone is the network of that address. */
export function normalizeNetwork(network: string): string {
  const [address = '', given] = network.split('/');
  const parsed = ipaddr.parse(address);
  const isMapped = parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress() && Number(given ?? 128) >= 96;
  const base = isMapped ? parsed.toIPv4Address() : parsed;
  const bits = (given === undefined ? 128 : Number(given)) - (isMapped ? 96 : 0);
  if (base.kind() === 'ipv4') {
    const size = Math.min(given === undefined ? 32 : bits, 32);
    return `${ipaddr.IPv4.networkAddressFromCIDR(`${base}/${size}`)}/${size}`;
  }
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${base}/${bits}`)}/${bits}`;
}

/** Takes an address in its normal form and networks in CIDR notation; other text is in no network. */
export function isInNetworks(address: string, networks: readonly string[]): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address.split('%')[0] ?? '');
  return networks.some((network) => {
    const [base, bits] = ipaddr.parseCIDR(network);
    return base.kind() === parsed.kind() && parsed.match(base, bits);
  });
}
