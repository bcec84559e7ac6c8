import { z } from 'zod';
import { inTransaction } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { defineJob, defineWorker } from '#platform/jobs/jobs.ts';
import { listStalledJoins } from './channel-joins.store.ts';
import { join } from './join-channels.job.ts';

/** Sends again what may have been left behind: a join that never ends would refuse every other one of its team. */
const resumeJoins = defineJob({
  name: 'channels.resume_joins',
  payload: z.unknown(),
  retries: 0,
  retrySeconds: 1,
  schedule: '*/5 * * * *',
});

/** The worker for it. Where somebody is at it still, the job that comes second finds nothing to do. */
export function createResumeJoinsWorker(deps: Deps) {
  return defineWorker(resumeJoins, async () => {
    for (const { teamId, joinId } of await listStalledJoins(deps.db))
      await inTransaction(deps.db, (trx) => deps.jobs.send(trx, join, { team_id: teamId, join_id: joinId }));
  });
}
