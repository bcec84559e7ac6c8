import { z } from 'zod';
import { inTransaction } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { defineJob, defineWorker } from '#platform/jobs/jobs.ts';
import { bulk } from './bulk.job.ts';
import { listStalledJobs, removeOldJobs } from './user-jobs.store.ts';

/** Restarts stalled jobs, since one that never ends would block every other one of its team, and removes old ones. */
const tidyJobs = defineJob({
  name: 'users.tidy_jobs',
  payload: z.unknown(),
  retries: 3,
  retrySeconds: 5,
  schedule: '*/5 * * * *',
});

/** Its worker. If a job is still being worked on, the second worker finds nothing to do. */
export function createTidyJobsWorker(deps: Deps) {
  return defineWorker(tidyJobs, async () => {
    for (const { teamId, jobId } of await listStalledJobs(deps.db))
      await inTransaction(deps.db, (trx) => deps.jobs.send(trx, bulk, { team_id: teamId, job_id: jobId }));
    await removeOldJobs(deps.db);
  });
}
