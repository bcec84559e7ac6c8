import { isIP } from 'node:net';

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
