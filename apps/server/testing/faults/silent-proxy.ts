import { createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { listen } from '#testing/peers/listen.ts';

const SPLIT_MS = 20;

/**
 * A proxy that can be interrupted without notifying either end: connections stay open, but no byte passes. `connect` opens a
 * connection to the server. Uses any free port by default.
 */
export async function startSilentProxy(connect: () => Socket, port = 0) {
  const sockets = new Set<Socket>();
  const lost = new WeakSet<Socket>();
  let silent = false;
  let delayMs = 0;
  let split: Buffer | undefined;
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
      const found = split === undefined ? -1 : bytes.indexOf(split);
      const end = split === undefined || found === -1 ? bytes.length : found + split.length;
      if (!lost.has(far)) near.write(bytes.subarray(0, end));
      if (end === bytes.length) return;
      await pause(SPLIT_MS);
      if (!lost.has(far)) near.write(bytes.subarray(end));
    });
    near.on('close', () => far.destroy());
    // A silent network doesn't report that the other end has closed, either.
    far.on('close', () => void (lost.has(far) || near.destroy()));
  });
  return {
    ...(await listen(server, port)),
    /** Drops all data from now on, on existing and new connections. */
    silence() {
      silent = true;
      for (const socket of sockets) lost.add(socket);
    },
    /** Passes bytes again, on new connections only: the old ones stay silent forever, as after a failover. */
    speak() {
      silent = false;
    },
    /** Ends the silenced connections, as TCP does when keepalive probes get no response. */
    endLost() {
      for (const socket of sockets) if (lost.has(socket)) socket.destroy();
    },
    setLatency(ms: number) {
      delayMs = ms;
    },
    /** Sends what follows these bytes of a response in a packet of its own, a little later. */
    splitAfter(bytes: Buffer) {
      split = bytes;
    },
  };
}
