import { z } from 'zod';
import type { Deps } from '#platform/deps.ts';
import { defineJob, defineWorker } from '#platform/jobs/jobs.ts';
import { removeOldSignUps } from './signups.store.ts';

/** Removes expired sign-ups every hour: they hold addresses of people who may never have signed up. */
const cleanUpSignUps = defineJob({
  name: 'signup.tidy',
  payload: z.unknown(),
  retries: 2,
  retrySeconds: 60,
  schedule: '27 * * * *',
});

/** The worker for it. */
export function createCleanUpSignUpsWorker(deps: Deps) {
  return defineWorker(cleanUpSignUps, () => removeOldSignUps(deps.db));
}
