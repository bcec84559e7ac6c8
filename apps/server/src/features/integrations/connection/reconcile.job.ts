import { z } from 'zod';
import { inTransaction } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { defineJob, defineWorker } from '#platform/jobs/jobs.ts';
import { type IntegrationKey, listDueReconciliations, recordReconcile } from '../integrations.store.ts';
import { reconcile } from './reconcile.actions.ts';

const reconcileOne = defineJob({
  name: 'integrations.look',
  payload: z.object({ team_id: z.string(), integration_id: z.string() }),
  retries: 1,
  retrySeconds: 120,
});

/** Starts the reconciles that are due, every five minutes: each integration once a day, and after an interrupted change. */
const runDueWork = defineJob({
  name: 'integrations.looks',
  schedule: '*/5 * * * *',
});

const MAX_AT_ONCE = 500;

/** Reconciles an integration in the background, unless that was done recently. */
export async function reconcileSoon(deps: Deps, place: IntegrationKey): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    if (!(await recordReconcile(trx, place))) return;
    await deps.jobs.send(trx, reconcileOne, { team_id: place.teamId, integration_id: place.integrationId });
  });
}

export function createReconcileWorker(deps: Deps) {
  return defineWorker(reconcileOne, ({ team_id, integration_id }) =>
    reconcile(deps, { teamId: team_id, integrationId: integration_id }),
  );
}

/** Each due reconcile is its own job, so none waits for another. */
export function createReconcileSweepWorker(deps: Deps) {
  return defineWorker(runDueWork, async () => {
    for (const place of await listDueReconciliations(deps.db, MAX_AT_ONCE)) await reconcileSoon(deps, place);
  });
}
