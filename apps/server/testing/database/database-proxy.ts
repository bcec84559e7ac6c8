import { createConnection } from 'node:net';
import pg from 'pg';
import { startSilentProxy } from '#testing/faults/silent-proxy.ts';
import type { TestDatabase } from './template-database.ts';

export type DatabaseProxy = Awaited<ReturnType<typeof startDatabaseProxy>>;

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

/** The host of a URL may be the directory of a socket. */
function toSocketAddress(connectionString: string): { path: string } | { host: string; port: number } {
  const { host, port } = new pg.Client({ connectionString });
  return host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port };
}
