import { z } from 'zod';
import { inTransaction } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { defineJob, defineWorker } from '#platform/jobs/jobs.ts';
import { deliver } from './deliver.job.ts';
import { listStalledDeliveries } from './deliveries.store.ts';

/** Queues a job for stalled deliveries: the job queue takes minutes to notice that a worker has died. */
const resumeDeliveries = defineJob({
  name: 'integrations.resume_deliveries',
  payload: z.unknown(),
  retries: 0,
  retrySeconds: 1,
  everySeconds: 5,
});

/** The worker that resumes deliveries. If another worker is still busy, the second job finds nothing to do. */
export function createResumeDeliveriesWorker(deps: Deps) {
  return defineWorker(resumeDeliveries, async () => {
    for (const { teamId, integrationId } of await listStalledDeliveries(deps.db)) {
      const payload = { team_id: teamId, integration_id: integrationId };
      await inTransaction(deps.db, (trx) => deps.jobs.send(trx, deliver, payload));
    }
  });
}
