import * as endpoints from '@steward/contract/retention/recovery';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import { serve } from '#platform/http/http.ts';
import type { Access } from '#workspace/access/access.ts';
import { recently } from '#workspace/access/step-up.ts';
import { serveChange } from '#workspace/changes/change.ts';
import { findRecovery } from '#workspace/content/retention/recovery-setting.store.ts';
import { findRun, startRestore } from '../runs/runs.store.ts';
import { changeRecovery, toAnswer } from './recovery-setting.actions.ts';
import { restoreJob } from './restore.job.ts';
import { lockRecoverableRun } from './restores.store.ts';

/** Admins set the number of days. Only owners restore. */
export function recoveryRoutes(app: FastifyInstance, deps: Deps, access: Access): void {
  serve(app, endpoints.getRecovery, access.teamAdmin, async ({ who }) =>
    toAnswer((await findRecovery(deps.db, who.teamId)).state),
  );
  serveChange({ app, deps }, endpoints.saveRecovery, access.teamAdmin, (trx, { who, body }) =>
    changeRecovery(trx, deps, { who, days: body.recoverable_days }),
  );
  serveChange({ app, deps }, endpoints.restoreRun, recently(access.teamOwner), async (trx, { who, params }) => {
    const { teamId, userId } = who;
    const key = { teamId, runId: params.runId };
    const run = (await lockRecoverableRun(trx, key)) ?? refuse('record.not_found');
    const readAnswer = async () => (await findRun(trx, key)) ?? refuse('record.not_found');
    const job = { team_id: teamId, run_id: key.runId };
    if (run.restore_state === 'running') {
      // The first request's job may be lost if the server was killed at each attempt. Two jobs do no harm.
      await deps.jobs.send(trx, restoreJob, job);
      return { answer: await readAnswer(), audit: null };
    }
    if (run.state === 'running') refuse('retention.run_running');
    if (run.objects === 0) refuse('retention.not_recoverable');
    await startRestore(trx, key);
    await deps.jobs.send(trx, restoreJob, job);
    const audit = { action: 'retention.restore_asked', teamId, actorId: userId, target: key.runId } as const;
    return { answer: await readAnswer(), audit };
  });
}
