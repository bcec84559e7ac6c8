import { z } from 'zod';
import { inTransaction } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { defineJob, defineWorker } from '#platform/jobs/jobs.ts';
import { listDueReconciliations, type Place, recordReconcile } from '../integrations.store.ts';
import { reconcile } from './reconcile.actions.ts';

/** Compares one integration with the service. */
const reconcileOne = defineJob({
  name: 'integrations.look',
  payload: z.object({ team_id: z.string(), integration_id: z.string() }),
  retries: 1,
  retrySeconds: 120,
});

/** Begins, every five minutes, the reconciles that are due: each integration's once a day, and those of changes that died. */
const runDueWork = defineJob({
  name: 'integrations.looks',
  payload: z.unknown(),
  retries: 0,
  retrySeconds: 1,
  schedule: '*/5 * * * *',
});

/** Reconciles begun at once; more follow five minutes later. */
const MAX_AT_ONCE = 500;

/** Reconciles an integration in the background, unless that was done recently. */
export async function reconcileSoon(deps: Deps, place: Place): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    if (!(await recordReconcile(trx, place))) return;
    await deps.jobs.send(trx, reconcileOne, { team_id: place.teamId, integration_id: place.integrationId });
  });
}

/** The worker for one of them. */
export function createReconcileWorker(deps: Deps) {
  return defineWorker(reconcileOne, ({ team_id, integration_id }) =>
    reconcile(deps, { teamId: team_id, integrationId: integration_id }),
  );
}

/** The worker that begins them; each integration's is a job of its own, so that none waits for another. */
export function createReconcileSweepWorker(deps: Deps) {
  return defineWorker(runDueWork, async () => {
    for (const place of await listDueReconciliations(deps.db, MAX_AT_ONCE)) await reconcileSoon(deps, place);
  });
}
