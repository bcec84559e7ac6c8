import { z } from 'zod';
import type { Deps } from '#platform/deps.ts';
import { defineJob, defineWorker } from '#platform/jobs/jobs.ts';
import { removeOldLogouts } from './logout/logouts.store.ts';
import { removeOldTransactions } from './signin/transactions.store.ts';

/** Removes sign-ins that nobody completed, and logout tokens that have expired, every hour. */
const cleanUp = defineJob({
  name: 'sso.clean_up',
  payload: z.unknown(),
  retries: 2,
  retrySeconds: 60,
  schedule: '23 * * * *',
});

/** Its worker. */
export function createCleanUpSsoWorker({ db }: Deps) {
  return defineWorker(cleanUp, async () => {
    await removeOldTransactions(db);
    await removeOldLogouts(db);
  });
}
