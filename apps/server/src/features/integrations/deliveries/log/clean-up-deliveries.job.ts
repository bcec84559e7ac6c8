import { z } from 'zod';
import type { Deps } from '#platform/deps.ts';
import { defineJob, defineWorker } from '#platform/jobs/jobs.ts';
import { removeOldDeliveries } from '../deliveries.store.ts';

/** Removes old deliveries from the log every hour, since they contain ticket text. */
const cleanUpDeliveries = defineJob({
  name: 'integrations.tidy_deliveries',
  payload: z.unknown(),
  retries: 2,
  retrySeconds: 60,
  schedule: '41 * * * *',
});

const BATCH = 1_000;

/** The worker that removes old deliveries. */
export function createCleanUpDeliveriesWorker(deps: Deps) {
  return defineWorker(cleanUpDeliveries, async () => {
    while (await removeOldDeliveries(deps.db, BATCH));
  });
}
