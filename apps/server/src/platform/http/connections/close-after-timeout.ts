import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';

/** An answer that came before the whole request is given so long to be read before the connection ends, in milliseconds. */
const LINGER_TIMEOUT_MS = 5_000;

/** Cuts a client off that goes on sending after its answer, unless what it sends is over, or it leaves, before that. */
export function closeAfterTimeout(socket: Socket, { over, maxMs }: { over: EventEmitter; maxMs: number }): void {
  const timer = setTimeout(() => socket.destroy(), Math.min(LINGER_TIMEOUT_MS, maxMs)).unref();
  over.once('close', () => clearTimeout(timer));
}
