import { createConnection } from 'node:net';
import { startSilentProxy } from '#testing/faults/silent-proxy.ts';
import type { TestDatabase } from './template-database.ts';

export type DatabaseProxy = Awaited<ReturnType<typeof startDatabaseProxy>>;

/** A connection to a database that a test can interrupt. */
export async function startDatabaseProxy(behind: TestDatabase) {
  const proxy = await startSilentProxy(() => createConnection(toSocketAddress(behind.url)));
  const url = new URL(behind.url);
  url.hostname = '127.0.0.1';
  url.port = String(proxy.port);
  // This parameter would override the host of the URL.
  url.searchParams.delete('host');
  return {
    ...proxy,
    database: { url: url.href, connection: { connectionString: url.href }, [Symbol.asyncDispose]: async () => {} },
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      await behind[Symbol.asyncDispose]();
    },
  };
}

/** A URL may contain the directory of a socket as the host or as a parameter. */
function toSocketAddress(url: string): { path: string } | { host: string; port: number } {
  const { hostname, port, searchParams } = new URL(url);
  const host = searchParams.get('host') ?? decodeURIComponent(hostname);
  return host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port || 5432}` } : { host, port: Number(port || 5432) };
}
