import type { Deps } from '#platform/deps.ts';
import { mapConcurrently } from '#platform/jobs/fair-queue.ts';
import { listUnreferencedBlobs, untrackBlobs } from '#workspace/content/unreferenced-blobs.store.ts';

const BATCH = 500;
const AT_ONCE = 8;
/** After this time the rest waits for the next run, because the queue gives a job that takes too long to another node. */
const LONG_MS = 200_000;

/** Removes blobs that no row has referenced for an hour. */
export async function removeUnreferencedBlobs(deps: Deps): Promise<void> {
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
}

async function removeAll({ blobs, log }: Deps, keys: readonly string[]): Promise<string[]> {
  const removed = await mapConcurrently(keys, AT_ONCE, (key) =>
    blobs.remove(key).then(
      () => [key],
      (error: unknown) => {
        log.warn({ err: error, key }, 'content: could not remove an unreferenced blob');
        return [];
      },
    ),
  );
  return removed.flat();
}
