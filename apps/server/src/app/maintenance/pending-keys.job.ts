import { indexPendingKeys } from '#platform/database/search.ts';
import type { Deps } from '#platform/deps.ts';
import { defineJob, defineWorker } from '#platform/jobs/jobs.ts';

/** Keeps searches of users and the directory fast while rows are added and changed; otherwise they take 3 to 4 ms longer. */
const pendingKeys = defineJob({
  name: 'workspace.pending_keys',
  retries: 2,
  retrySeconds: 60,
  schedule: '*/2 * * * *',
});

export function createPendingKeysWorker(deps: Deps) {
  return defineWorker(pendingKeys, async () => {
    await indexPendingKeys(deps.slowQueryPool);
  });
}
