import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { Refusal, refuse } from '../errors.ts';
import { drainRequest } from './early-responses.ts';

const streaming = new WeakSet<object>();

/** Whether a body is being read from the socket piece by piece: such a request may take longer than all others. */
export function isStreaming(socket: object): boolean {
  return streaming.has(socket);
}

/**
 * The body of a call whose endpoint `accepts` a stream, as it comes and not faster than it is taken. It may take as long
 * as it likes, yet whenever we wait for it something must come within `stallMs`, or the call is refused (trust §8 g).
 */
export async function* bodyStream(request: FastifyRequest, stallMs: number): AsyncGenerator<Buffer> {
  const { raw } = request;
  const pieces = (request.body as Readable).iterator({ destroyOnReturn: false });
  // A request that was injected has no real socket.
  const socket = raw.socket instanceof Socket ? raw.socket : undefined;
  const idleMs = socket?.timeout ?? 0;
  streaming.add(raw.socket);
  // While it waits for its turn nothing is read, and that is no silence of the client's.
  socket?.setTimeout(0);
  try {
    for (;;) {
      const piece = await inTime(pieces.next(), stallMs);
      if (piece.done) return;
      yield piece.value as Buffer;
    }
  } catch (error) {
    if (error instanceof Refusal) throw error;
    refuse('request.invalid', 'The body ended before it was complete, or could not be unpacked.');
  } finally {
    streaming.delete(raw.socket);
    socket?.setTimeout(idleMs);
    drainRequest(raw, stallMs);
  }
}

async function inTime<T>(coming: Promise<T>, patienceMs: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Refusal('request.timeout')), patienceMs);
  // Whatever comes after the time-out is nobody's any more.
  coming.catch(() => {});
  try {
    return await Promise.race([coming, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
