import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Bytes of one read. PostgreSQL sends 8 KiB at a time, and several are there when the process was busy. */
const READ_SIZE = 64 * 1024;

/** Into which every connection reads: what arrives is taken or copied before the next read. */
const shared = Buffer.allocUnsafeSlow(READ_SIZE);

type Take = (bytes: Buffer) => void;

const takers = new WeakMap<Duplex, Take | undefined>();

/**
 * A socket for a connection to PostgreSQL, as the option `stream` of pg. Node.js allocates a buffer for each read, outside V8's heap,
 * which is marked as a whole after some 30 MB of them. This one reads into a buffer that all share, and copies what isn't diverted.
 * With TLS it is an ordinary socket, since TLS reads from it directly.
 */
export function createReadSocket({ ssl }: { ssl?: unknown }): Socket {
  if (ssl) return new Socket();
  const socket = new Socket({
    onread: {
      buffer: shared,
      callback(size) {
        const take = takers.get(socket);
        if (!take) return socket.push(Buffer.from(shared.subarray(0, size)));
        take(shared.subarray(0, size));
        return true;
      },
    },
  });
  takers.set(socket, undefined);
  return socket;
}

/** The way to those who listened before bytes were diverted. */
export interface Diversion {
  /** Gives them bytes, which they may keep. */
  forward(bytes: Buffer): void;
  /** From now on they get all bytes again. */
  end(): void;
}

/** Gives `take` the bytes that arrive, in place of the listeners of `data`. It must not keep them: the next read overwrites them. */
export function divert(socket: Duplex, take: Take): Diversion {
  const listeners = socket.listeners('data') as Take[];
  const forward = (bytes: Buffer) => {
    for (const listener of listeners) listener.call(socket, bytes);
  };
  if (takers.has(socket)) {
    takers.set(socket, take);
    return { forward, end: () => void takers.set(socket, undefined) };
  }
  const replace = (those: readonly Take[]) => {
    socket.removeAllListeners('data');
    for (const listener of those) socket.on('data', listener);
  };
  replace([take]);
  return { forward, end: () => replace(listeners) };
}
