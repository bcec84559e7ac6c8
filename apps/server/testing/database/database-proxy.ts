import type { AddressInfo } from 'node:net';
import { createConnection, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { TestDatabase } from './template-database.ts';

/** A way to a database that a test can close without anybody noticing: connections stand, and no byte passes. */
export interface DatabaseProxy extends AsyncDisposable {
  /** The database, reached through the proxy. */
  database: TestDatabase;
  /** Drops all data from now on, on existing and new connections. */
  silence(): void;
  /** Bytes pass again, on new connections only: the old ones stay silent for ever, as after a failover. */
  speak(): void;
  /** Each answer of the database takes so long, in milliseconds. */
  setLatency(ms: number): void;
  /** Connections that stand. */
  open(): number;
}

/** Opens one before a database. */
export async function startDatabaseProxy(behind: TestDatabase): Promise<DatabaseProxy> {
  const sockets = new Set<Socket>();
  const lost = new WeakSet<Socket>();
  let silent = false;
  let delayMs = 0;
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    if (silent) lost.add(socket);
  };
  const server = createServer((near) => {
    const far = createConnection(toSocketAddress(behind.url));
    keep(near);
    keep(far);
    near.on('data', (bytes) => void (lost.has(near) || far.write(bytes)));
    far.on('data', async (bytes) => {
      if (delayMs > 0) await pause(delayMs);
      if (!lost.has(far)) near.write(bytes);
    });
    near.on('close', () => far.destroy());
    // A silent network does not tell that the other end has gone, either.
    far.on('close', () => void (lost.has(far) || near.destroy()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(behind.url);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  // It would override the host of the URL.
  url.searchParams.delete('host');
  return {
    database: { url: url.href, connection: { connectionString: url.href }, [Symbol.asyncDispose]: async () => {} },
    silence() {
      silent = true;
      for (const socket of sockets) lost.add(socket);
    },
    speak() {
      silent = false;
    },
    setLatency(ms) {
      delayMs = ms;
    },
    open: () => sockets.size / 2,
    async [Symbol.asyncDispose]() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await behind[Symbol.asyncDispose]();
    },
  };
}

/** A URL may name the directory of a socket: in place of the host, or as a parameter. */
function toSocketAddress(url: string): { path: string } | { host: string; port: number } {
  const { hostname, port, searchParams } = new URL(url);
  const host = searchParams.get('host') ?? decodeURIComponent(hostname);
  return host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port || 5432}` } : { host, port: Number(port || 5432) };
}
