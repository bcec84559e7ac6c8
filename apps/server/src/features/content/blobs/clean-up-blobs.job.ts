import { z } from 'zod';
import type { Deps } from '#platform/deps.ts';
import { createConcurrencyLimiter } from '#platform/jobs/concurrency-limiter.ts';
import { defineJob, defineWorker } from '#platform/jobs/jobs.ts';
import { listUnreferencedBlobs, untrackBlobs } from '#workspace/content/unreferenced-blobs.store.ts';

/** Removes blobs that no row has referenced for an hour. */
export const cleanUpBlobs = defineJob({
  name: 'content.tidy_blobs',
  payload: z.unknown(),
  retries: 2,
  retrySeconds: 60,
  schedule: '37 * * * *',
});

const BATCH = 500;
const AT_ONCE = 8;
/** The queue gives a job that takes longer than five minutes to another node; the next run does the rest. */
const LONG_MS = 200_000;

/** Its worker. */
export function createCleanUpBlobsWorker(deps: Deps) {
  return defineWorker(cleanUpBlobs, async () => {
    const end = performance.now() + LONG_MS;
    let after = '';
    let failed = 0;
    while (performance.now() < end) {
      const keys = await listUnreferencedBlobs(deps.db, { after, limit: BATCH });
      const gone = await removeAll(deps, keys);
      if (gone.length > 0) await untrackBlobs(deps.db, gone);
      failed += keys.length - gone.length;
      if (keys.length < BATCH) break;
      after = keys.at(-1) ?? '';
    }
    if (failed > 0) throw new Error(`${failed} unreferenced blobs could not be removed`);
  });
}

async function removeAll({ blobs, log }: Deps, keys: readonly string[]): Promise<string[]> {
  const limitConcurrency = createConcurrencyLimiter({ atOnce: AT_ONCE, waiting: keys.length });
  const removed = keys.map((key) =>
    limitConcurrency(() => blobs.remove(key)).then(
      () => [key],
      (error: unknown) => {
        log.warn({ err: error, key }, 'content: could not remove an unreferenced blob');
        return [];
      },
    ),
  );
  return (await Promise.all(removed)).flat();
}
