import { z } from 'zod';
import type { Deps } from '#platform/deps.ts';
import { defineJob, workerFor } from '#platform/jobs/jobs.ts';
import { removeOldSignUps } from './signups.store.ts';

/** Forgets every hour the sign-ups whose link is over: addresses of people who may never have asked for anything. */
const tidySignUps = defineJob({
  name: 'signup.tidy',
  payload: z.unknown(),
  retries: 2,
  retrySeconds: 60,
  schedule: '27 * * * *',
});

/** The worker for it. */
export function tidySignUpsWorker(deps: Deps) {
  return workerFor(tidySignUps, () => removeOldSignUps(deps.db));
}
