import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { normalizeNetwork } from '#platform/http/network.ts';

/** The number of proxies in front of the server, or their networks in CIDR notation. */
export type TrustedProxies = number | readonly string[];

const NAMED: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};
const WANTED = 'must be the number of proxies in front, such as 1, or their addresses, such as 10.0.0.0/8,192.0.2.1';

/** Parses TRUST_PROXY; the message of an error completes “TRUST_PROXY: …”. */
export function parseTrustProxy(value: string): TrustedProxies {
  const text = value.trim();
  if (/^\d{1,2}$/.test(text)) return Number(text);
  if (/^(?:true|yes|on)$/i.test(text))
    throw new Error(`${WANTED}; “${text}” would let everyone choose the address that limits and allowed networks see`);
  if (/^(?:false|no|off)$/i.test(text)) throw new Error(`${WANTED}; leave it empty without a proxy`);
  return text.split(',').flatMap((item) => NAMED[item.trim()] ?? parseProxy(item.trim()));
}

function parseProxy(text: string): string {
  const isAddress = isIP(text) !== 0 && !text.includes('%');
  if (!isAddress && !ipaddr.isValidCIDR(text)) throw new Error(WANTED);
  if (/\/0+$/.test(text)) throw new Error(`${WANTED}; a network of /0 would trust everyone`);
  return normalizeNetwork(text);
}
