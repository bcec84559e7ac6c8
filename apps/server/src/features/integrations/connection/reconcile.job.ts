import { z } from 'zod';
import { inTransaction } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { defineJob, defineWorker } from '#platform/jobs/jobs.ts';
import { listDueReconciliations, type Place, recordReconcile } from '../integrations.store.ts';
import { look } from './reconcile.actions.ts';

/** Compares one integration with the vendor's side. */
const lookAt = defineJob({
  name: 'integrations.look',
  payload: z.object({ team_id: z.string(), integration_id: z.string() }),
  retries: 1,
  retrySeconds: 120,
});

/** Looks every five minutes what is due: each integration once a day, and changes that died on their way. */
const runDueWork = defineJob({
  name: 'integrations.looks',
  payload: z.unknown(),
  retries: 0,
  retrySeconds: 1,
  schedule: '*/5 * * * *',
});

/** Looks begun at once; more follow five minutes later. */
const AT_ONCE = 500;

/** Has an integration looked at in the background, unless that was done just now. */
export async function reconcileSoon(deps: Deps, place: Place): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    if (!(await recordReconcile(trx, place))) return;
    await deps.jobs.send(trx, lookAt, { team_id: place.teamId, integration_id: place.integrationId });
  });
}

/** The worker for one of them. */
export function createReconcileWorker(deps: Deps) {
  return defineWorker(lookAt, ({ team_id, integration_id }) =>
    look(deps, { teamId: team_id, integrationId: integration_id }),
  );
}

/** The worker that begins them; each team's is a job of its own, so that none waits for another. */
export function createReconcileSweepWorker(deps: Deps) {
  return defineWorker(runDueWork, async () => {
    for (const place of await listDueReconciliations(deps.db, AT_ONCE)) await reconcileSoon(deps, place);
  });
}
