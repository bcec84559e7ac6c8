import { z } from 'zod';
import { inTransaction } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { defineJob, defineWorker } from '#platform/jobs/jobs.ts';
import { listStalledJoins } from './channel-joins.store.ts';
import { join } from './join-channels.job.ts';

/** Restarts stalled runs: a run that never ends would block every other one of its team. */
const resumeJoins = defineJob({
  name: 'channels.resume_joins',
  payload: z.unknown(),
  retries: 3,
  retrySeconds: 5,
  schedule: '*/5 * * * *',
});

/** Its worker. If a run is still being worked on, the second job finds nothing to do. */
export function createResumeJoinsWorker(deps: Deps) {
  return defineWorker(resumeJoins, async () => {
    for (const { teamId, joinId } of await listStalledJoins(deps.db))
      await inTransaction(deps.db, (trx) => deps.jobs.send(trx, join, { team_id: teamId, join_id: joinId }));
  });
}
