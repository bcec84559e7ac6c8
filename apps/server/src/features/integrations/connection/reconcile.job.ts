import { z } from 'zod';
import { inTransaction } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import { defineJob, defineWorker } from '#platform/jobs/jobs.ts';
import { defuseLinks } from '#platform/mail/email-template.ts';
import { JOB_ORIGIN } from '#workspace/audit/audit.store.ts';
import { notifyManagers } from '#workspace/notices/notify-managers.ts';
import {
  endLease,
  forgetReconcile,
  type IntegrationKey,
  listDueReconciliations,
  recordReconcile,
  removeIntegration,
  saveLeaseStep,
  takeLease,
} from '../integrations.store.ts';
import { saveStep } from '../lease-step.ts';
import type { Held } from '../providers/provider.ts';
import { getProvider } from '../providers/registry.ts';
import { CLEARED_CONNECTION } from './connect.actions.ts';
import { completeDisconnect } from './disconnect.actions.ts';
import { createReconcileLease } from './lease.actions.ts';

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

/**
 * Compares an integration with the service. Missing objects are created again, wrong endpoints are corrected, and objects that
 * an admin turned off or edited there are left alone and reported. An interrupted change is completed or undone.
 */
export async function reconcile(deps: Deps, place: IntegrationKey): Promise<void> {
  const lease = createReconcileLease(place);
  const row = await takeLease(deps.db, lease);
  // An admin is changing it. Opening the settings afterwards starts another reconcile.
  if (!row) return forgetReconcile(deps.db, place);
  try {
    if (row.state === 'connecting') await abandon(deps, { lease, row });
    if (row.state === 'disconnecting')
      await completeDisconnect(deps, { lease, row }, { actorId: null, origin: JOB_ORIGIN });
    if (row.state === 'on') {
      const found = await getProvider(row.code).reconcile(deps, { lease, row });
      if (found) await saveFound(deps, { lease, row }, found);
    }
  } finally {
    await endLease(deps.db, lease);
  }
}

/** Reports a broken connection once. */
async function saveFound(
  deps: Deps,
  { lease, row }: Held,
  found: { warnings: string[]; broken: boolean },
): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    if (!(await saveLeaseStep(trx, lease, found))) refuse('helpdesk.busy');
    if (!found.broken || row.broken) return;
    const reason = found.warnings.map(defuseLinks).join(' ');
    await notifyManagers(trx, deps, {
      teamId: lease.teamId,
      actorId: null,
      kind: 'helpdesk',
      subject: 'help desk connection failed',
      describe: (team) => `The help desk of ${team} can't be used with the stored connection. ${reason}`,
      action: { label: 'View integrations', path: '/dashboard/integrations' },
    });
  });
}

/** Undoes an interrupted connection. Objects that can't be removed now are retried for a day. */
async function abandon(deps: Deps, { lease, row }: Held): Promise<void> {
  const warnings = await getProvider(row.code).disconnect(deps, row);
  if (warnings.length > 0 && !row.is_old) return;
  if (warnings.length === 0 && row.user_id === null && (await removeIntegration(deps.db, lease))) return;
  await saveStep(deps, lease, { state: 'off', ...CLEARED_CONNECTION, warnings, broken: false });
}
