import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { describeLimit } from '#platform/described-limits.ts';
import { refuse } from '#platform/http/errors.ts';
import { createFairQueue, type Share } from '#platform/jobs/fair-queue.ts';
import { readImageHeader } from './image-header.ts';
import type { SquareImageInput } from './square-image-worker.ts';

/** Larger images are refused before they are decoded, because each pixel takes four bytes, twice. */
const PIXELS_MAX = 40_000_000;
/** Time for one image, in milliseconds; the largest takes some seconds. */
const TIMEOUT_MS = 20_000;
const queue = createFairQueue(
  describeLimit({
    name: 'pictures',
    counts: 'pictures decoded; teams and their users take turns',
    atOnce: 1,
    waitingPerUser: 1,
    waitingPerKey: 4,
    waiting: 16,
  }),
);

/**
 * Decodes a PNG, JPEG or WebP image and encodes its middle as a square WebP image. The result has only pixels: no metadata, and
 * nothing that another program could interpret as another format. Refuses other formats and images that can't be decoded.
 */
export async function toSquareImage(image: Uint8Array, size: number, share: Share): Promise<Buffer> {
  const header = readImageHeader(image);
  if (!header) refuse('picture.unreadable');
  if (header.width * header.height > PIXELS_MAX) refuse('picture.too_many_pixels');
  const square = await queue.run(share, () => runWorker({ image, header, size }));
  return square ?? refuse('picture.unreadable');
}

/** Undefined if the image couldn't be decoded in time. */
async function runWorker(input: SquareImageInput): Promise<Buffer | undefined> {
  const worker = new Worker(new URL('./square-image-worker.ts', import.meta.url), {
    workerData: input,
    stdout: true,
    stderr: true,
  });
  // Otherwise the decoders' messages about broken images would be in the server's log.
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
