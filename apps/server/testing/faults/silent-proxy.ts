import type { AddressInfo, Socket } from 'node:net';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** A way to a server that can be cut without either end being told: connections stay open, and no byte passes. */
export interface SilentProxy extends AsyncDisposable {
  /** Port on 127.0.0.1. */
  port: number;
  /** Drops all data from now on, on existing and new connections. */
  silence(): void;
  /** Bytes pass again, on new connections only: the old ones stay silent for ever, as after a failover. */
  speak(): void;
  /** Ends the connections that were silenced, as TCP does on both ends when its keepalive probes get no answer. */
  endLost(): void;
  /** Each answer of the server takes so long, in milliseconds. */
  setLatency(ms: number): void;
  /** Connections that are open. */
  open(): number;
}

/** Starts one on a port, or on any free one. `connect` opens a connection to the server. */
export async function startSilentProxy(connect: () => Socket, port = 0): Promise<SilentProxy> {
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
    const far = connect();
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
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    silence() {
      silent = true;
      for (const socket of sockets) lost.add(socket);
    },
    speak() {
      silent = false;
    },
    endLost() {
      for (const socket of sockets) if (lost.has(socket)) socket.destroy();
    },
    setLatency(ms) {
      delayMs = ms;
    },
    open: () => sockets.size / 2,
    async [Symbol.asyncDispose]() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
