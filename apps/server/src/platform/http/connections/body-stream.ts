import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { Refusal, refuse } from '../errors.ts';
import { drainRequest } from './early-responses.ts';

const streaming = new WeakSet<object>();

/** A request whose body is being streamed may take longer than others. */
export function isStreaming(socket: object): boolean {
  return streaming.has(socket);
}

/**
 * The body of an endpoint that `accepts` a stream, with backpressure. The total time is unlimited, but the call fails if no data
 * arrives for `stallMs` while we wait for some.
 */
export async function* bodyStream(request: FastifyRequest, stallMs: number): AsyncGenerator<Buffer> {
  const { raw } = request;
  const pieces = (request.body as Readable).iterator({ destroyOnReturn: false });
  // Injected requests have no real socket.
  const socket = raw.socket instanceof Socket ? raw.socket : undefined;
  const idleMs = socket?.timeout ?? 0;
  streaming.add(raw.socket);
  // While the handler waits for other work it reads nothing, which must not count as a silent client.
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

async function inTime<T>(coming: Promise<T>, timeoutMs: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Refusal('request.timeout')), timeoutMs);
  // Errors after the timeout are ignored.
  coming.catch(() => {});
  try {
    return await Promise.race([coming, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
