import { inTransaction } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import type { Origin } from '#platform/http/http.ts';
import { inAuthorizedTransaction } from '#workspace/access/authorized-transaction.ts';
import { addAuditEvent } from '#workspace/audit/audit.store.ts';
import { replaceIntegrationChannels } from '../integration-channels.store.ts';
import { findIntegration, saveLeaseStep } from '../integrations.store.ts';
import { saveStep } from '../lease-step.ts';
import type { Held } from '../providers/provider.ts';
import { getProvider } from '../providers/registry.ts';
import { CLEARED_CONNECTION } from './connect.actions.ts';
import { type Change, withLease } from './lease.actions.ts';

/**
 * Disconnects. From the first step on, deliveries are no longer posted. The credentials are deleted even if the service can't
 * be reached; the warnings then list what the admin has to remove there.
 */
export async function disconnect(deps: Deps, { place, actorId, authorize, origin }: Change): Promise<string[]> {
  const found = await findIntegration(deps.db, place);
  if (!found || found.state === 'off') return [];
  return withLease(deps, place, async (lease, row) => {
    if (row.state === 'off') return [];
    await inAuthorizedTransaction({ db: deps.db, authorize }, (trx) =>
      saveStep({ db: trx }, lease, { state: 'disconnecting' }),
    );
    return completeDisconnect(deps, { lease, row }, { actorId, origin });
  });
}

/** Completes a disconnect; a reconcile also calls this after a crash. */
export async function completeDisconnect(
  deps: Deps,
  { lease, row }: Held,
  { actorId, origin }: { actorId: string | null; origin: Origin },
): Promise<string[]> {
  const warnings = await getProvider(row.code).disconnect(deps, row);
  await inTransaction(deps.db, async (trx) => {
    if (!(await saveLeaseStep(trx, lease, { state: 'off', ...CLEARED_CONNECTION, warnings, broken: false })))
      refuse('helpdesk.busy');
    // Channels are chosen again after reconnecting.
    await replaceIntegrationChannels(trx, lease, []);
    const { teamId, integrationId: target } = lease;
    const details = { domain: row.domain, left_behind: warnings.length > 0 };
    await addAuditEvent(trx, deps, { action: 'integrations.disconnected', teamId, actorId, target, details, origin });
  });
  return warnings;
}
