import { z } from 'zod';
import type { Deps } from '#platform/deps.ts';
import { defineJob, defineWorker } from '#platform/jobs/jobs.ts';
import { removeOldDeliveries } from '../deliveries.store.ts';

/** Removes every hour what is too old for the log: it holds what tickets say. */
const cleanUpDeliveries = defineJob({
  name: 'integrations.tidy_deliveries',
  payload: z.unknown(),
  retries: 2,
  retrySeconds: 60,
  schedule: '41 * * * *',
});

const BATCH = 1_000;

/** The worker for it. */
export function createCleanUpDeliveriesWorker(deps: Deps) {
  return defineWorker(cleanUpDeliveries, async () => {
    while (await removeOldDeliveries(deps.db, BATCH));
  });
}
