import { z } from 'zod';
import type { Deps } from '#platform/deps.ts';
import { defineJob, defineWorker } from '#platform/jobs/jobs.ts';
import { removeOldLoggedCalls } from '#workspace/provisioning/provisioning-log.store.ts';

/** Removes old calls of identity providers from the log every hour, since they contain personal data. */
const cleanUpLog = defineJob({
  name: 'scim.tidy_log',
  payload: z.unknown(),
  retries: 2,
  retrySeconds: 60,
  schedule: '23 * * * *',
});

const BATCH = 1_000;

/** Its worker. */
export function createCleanUpScimLogWorker(deps: Deps) {
  return defineWorker(cleanUpLog, async () => {
    while (await removeOldLoggedCalls(deps.db, BATCH));
  });
}
