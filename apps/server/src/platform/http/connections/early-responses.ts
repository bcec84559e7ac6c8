import type { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';

/** Time for which a client may keep sending after an early response, in milliseconds. */
const LINGER_TIMEOUT_MS = 5_000;

const draining = new WeakSet<Socket>();

/** True if the response was sent and the rest of the request is being discarded. */
export function isDraining(socket: Socket): boolean {
  return draining.has(socket);
}

/**
 * Call before responding to a request that is still being received. The rest is read and discarded: if the connection were closed
 * with unread data, the operating system would reset it and the client would lose the response. A client that doesn't stop
 * sending is disconnected.
 */
export function drainRequest(request: IncomingMessage, maxMs: number): void {
  const { socket } = request;
  // Injected requests have no real socket.
  if (request.complete || !(socket instanceof Socket) || draining.has(socket)) return;
  draining.add(socket);
  request.once('close', () => draining.delete(socket));
  closeAfterTimeout(socket, { over: request, maxMs });
  request.unpipe().resume();
  // Node.js calls this after the last response of a connection.
  const closeNow = socket.destroySoon.bind(socket);
  socket.destroySoon = () => {
    if (request.complete) closeNow();
    else request.once('close', closeNow);
  };
}

/** Disconnects a client that keeps sending, unless `over` closes first. */
export function closeAfterTimeout(socket: Socket, { over, maxMs }: { over: EventEmitter; maxMs: number }): void {
  const timer = setTimeout(() => socket.destroy(), Math.min(LINGER_TIMEOUT_MS, maxMs)).unref();
  over.once('close', () => clearTimeout(timer));
}
