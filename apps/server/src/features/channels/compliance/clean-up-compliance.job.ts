import { z } from 'zod';
import type { Deps } from '#platform/deps.ts';
import { defineJob, defineWorker } from '#platform/jobs/jobs.ts';
import { removeOldGrants } from './compliance.store.ts';

/** Removes compliance access that has ended, every hour; the audit log keeps who had it. */
const cleanUpCompliance = defineJob({
  name: 'channels.tidy_compliance',
  payload: z.unknown(),
  retries: 2,
  retrySeconds: 60,
  schedule: '37 * * * *',
});

/** The worker for it. */
export function createCleanUpComplianceWorker(deps: Deps) {
  return defineWorker(cleanUpCompliance, () => removeOldGrants(deps.db));
}
