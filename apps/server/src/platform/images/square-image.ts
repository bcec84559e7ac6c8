import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { describeLimit } from '#platform/described-limits.ts';
import { refuse } from '#platform/http/errors.ts';
import { createConcurrencyLimiter } from '#platform/jobs/concurrency-limiter.ts';
import { readImageHeader } from './image-header.ts';
import type { SquareImageInput } from './square-image-worker.ts';

/** Images of more pixels are refused before they are decoded: each takes four bytes of memory, twice. */
const PIXELS_MAX = 40_000_000;
/** Time for one image, in milliseconds; the largest takes some seconds. */
const TIMEOUT_MS = 20_000;
/** Images that are decoded at once, and that wait for it. */
const limitConcurrency = createConcurrencyLimiter(
  describeLimit({ name: 'pictures', counts: 'pictures decoded', atOnce: 1, waiting: 8 }),
);

/**
 * Decodes a PNG, JPEG or WebP image and encodes its middle as a square WebP image. Only pixels are taken over: no metadata, and
 * nothing that another program could read as something else. Refuses what is none of these and what can't be decoded.
 */
export async function toSquareImage(image: Uint8Array, size: number): Promise<Buffer> {
  const header = readImageHeader(image);
  if (!header) refuse('picture.unreadable');
  if (header.width * header.height > PIXELS_MAX) refuse('picture.too_many_pixels');
  const square = await limitConcurrency(() => runWorker({ image, header, size }));
  return square ?? refuse('picture.unreadable');
}

/** The image, or undefined if it couldn't be decoded in time or at all. */
async function runWorker(input: SquareImageInput): Promise<Buffer | undefined> {
  const worker = new Worker(new URL('./square-image-worker.ts', import.meta.url), {
    workerData: input,
    stdout: true,
    stderr: true,
  });
  // What decoders say about a broken image would be in the log of the server.
  worker.stdout.resume();
  worker.stderr.resume();
  try {
    const [result] = (await once(worker, 'message', { signal: AbortSignal.timeout(TIMEOUT_MS) })) as [
      ArrayBuffer | null,
    ];
    return result === null ? undefined : Buffer.from(result);
  } catch (error) {
    if ((error as Error).name === 'AbortError' || isOutOfMemory(error)) return undefined;
    throw error;
  } finally {
    await worker.terminate();
  }
}

function isOutOfMemory(error: unknown): boolean {
  return (error as { code?: string }).code === 'ERR_WORKER_OUT_OF_MEMORY';
}
