import { lookup, Resolver } from 'node:dns/promises';
import type { Env } from '#platform/env.ts';

/** DNS lookups of names that users choose. */
export interface NameResolver {
  /** TXT records of a name; empty if there are none. Rejects if DNS doesn't answer. */
  findTexts(name: string): Promise<string[]>;
  /** IPv4 and IPv6 addresses of a host. Rejects if it has none. */
  findAddresses(host: string): Promise<string[]>;
}

/** `timeout` is in milliseconds and for one attempt. */
const LIMITS = { timeout: 2_000, tries: 2 };

/** Codes for a missing name or record. */
const NONE = new Set(['ENOTFOUND', 'ENODATA', 'NOTFOUND', 'NODATA']);

/** Uses DNS_SERVERS, or else the system's resolvers and, for addresses, its hosts file. */
export function createResolver({ DNS_SERVERS: servers }: Pick<Env, 'DNS_SERVERS'>): NameResolver {
  const resolver = new Resolver(LIMITS);
  if (servers !== undefined) resolver.setServers(servers);
  const orNone = <T>(lookedUp: Promise<T[]>): Promise<T[]> =>
    lookedUp.catch((error: NodeJS.ErrnoException) => {
      if (NONE.has(error.code ?? '')) return [];
      throw error;
    });
  return {
    findTexts: async (name) => (await orNone(resolver.resolveTxt(name))).map((parts) => parts.join('')),
    async findAddresses(host) {
      if (servers === undefined) return (await lookup(host, { all: true })).map(({ address }) => address);
      const found = await Promise.all([orNone(resolver.resolve4(host)), orNone(resolver.resolve6(host))]);
      if (found.flat().length === 0) throw Object.assign(new Error(`${host} has no address`), { code: 'ENOTFOUND' });
      return found.flat();
    },
  };
}
