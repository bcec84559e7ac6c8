import { z } from 'zod';
import { takeUpPendingKeys } from '#platform/database/pending-keys.ts';
import type { Deps } from '#platform/deps.ts';
import { defineJob, workerFor } from '#platform/jobs/jobs.ts';

/** Keeps searches of people and of the directory quick while rows are added and changed: they cost 3 to 4 ms more otherwise. */
const pendingKeys = defineJob({
  name: 'workspace.pending_keys',
  payload: z.unknown(),
  retries: 2,
  retrySeconds: 60,
  schedule: '*/2 * * * *',
});

/** The worker for it. */
export function pendingKeysWorker(deps: Deps) {
  return workerFor(pendingKeys, async () => {
    await takeUpPendingKeys(deps.patientDb);
  });
}
