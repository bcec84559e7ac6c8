import { lookup, Resolver } from 'node:dns/promises';
import type { Env } from '#platform/env.ts';

/** Questions to DNS about names that users choose. */
export interface NameResolver {
  /** Texts of the TXT records of a name, each in one piece; empty if there are none. Rejects if DNS doesn't answer. */
  findTexts(name: string): Promise<string[]>;
  /** IPv4 and IPv6 addresses of a host. Rejects if it has none. */
  findAddresses(host: string): Promise<string[]>;
}

/** Time of one try, and tries. */
const LIMITS = { timeout: 2_000, tries: 2 };

/** There is no such name, or it has no such record. */
const NONE = new Set(['ENOTFOUND', 'ENODATA', 'NOTFOUND', 'NODATA']);

/** Asks DNS_SERVERS; without it the system's resolvers, and its hosts file for addresses. */
export function createResolver({ DNS_SERVERS: servers }: Pick<Env, 'DNS_SERVERS'>): NameResolver {
  const resolver = new Resolver(LIMITS);
  if (servers !== undefined) resolver.setServers(servers);
  const orNone = <T>(asked: Promise<T[]>): Promise<T[]> =>
    asked.catch((error: NodeJS.ErrnoException) => {
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
