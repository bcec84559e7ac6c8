import { z } from 'zod';
import { inTransaction } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { defineJob, defineWorker } from '#platform/jobs/jobs.ts';
import { bulk } from './bulk.job.ts';
import { listStalledJobs } from './user-jobs.store.ts';

/** Restarts stalled jobs, since one that never ends would block every other one of its team. */
const resumeBulk = defineJob({
  name: 'users.tidy_jobs',
  payload: z.unknown(),
  retries: 3,
  retrySeconds: 5,
  schedule: '*/5 * * * *',
});

/** Its worker. If a job is still being worked on, the second worker finds nothing to do. */
export function createResumeBulkWorker(deps: Deps) {
  return defineWorker(resumeBulk, async () => {
    for (const { teamId, jobId } of await listStalledJobs(deps.db))
      await inTransaction(deps.db, (trx) => deps.jobs.send(trx, bulk, { team_id: teamId, job_id: jobId }));
  });
}
