import { inTransaction } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import type { Origin } from '#platform/http/http.ts';
import { addAuditEvent } from '#workspace/audit/audit.store.ts';
import { replaceIntegrationChannels } from '../integration-channels.store.ts';
import { findIntegration, type IntegrationRow, type Lease, saveLeaseStep } from '../integrations.store.ts';
import { unsealCredentials } from '../providers/zendesk/client/login.ts';
import {
  getVendorTitles,
  keep,
  removeFromVendor,
  toLeftover,
} from '../providers/zendesk/lifecycle/vendor-resources.actions.ts';
import { CLEARED_CONNECTION } from './connect.actions.ts';
import { type Change, withLease } from './lease.actions.ts';

/**
 * Disconnects: from the first step on nothing that is delivered is posted, whatever becomes of the rest. The credentials are
 * forgotten also where the vendor cannot be asked; then the answer says what has to be removed there by hand.
 */
export async function disconnect(deps: Deps, { place, actorId, origin }: Change): Promise<string[]> {
  const found = await findIntegration(deps.db, place);
  if (!found || found.state === 'off') return [];
  return withLease(deps, place, async (lease, row) => {
    if (row.state === 'off') return [];
    await keep(deps, lease, { state: 'disconnecting' });
    return completeDisconnect(deps, { lease, row }, { actorId, origin });
  });
}

/** The rest of it, also when whoever began died. */
export async function completeDisconnect(
  deps: Deps,
  { lease, row }: { lease: Lease; row: IntegrationRow },
  { actorId, origin }: { actorId: string | null; origin: Origin },
): Promise<string[]> {
  const warnings = await takeDown(deps, row);
  await inTransaction(deps.db, async (trx) => {
    if (!(await saveLeaseStep(trx, lease, { state: 'off', ...CLEARED_CONNECTION, warnings, broken: false })))
      refuse('integrations.busy');
    // Without triggers there is nothing to post; whoever connects again chooses where.
    await replaceIntegrationChannels(trx, lease, []);
    const { teamId, integrationId: target } = lease;
    const details = { domain: row.domain, left_behind: warnings.length > 0 };
    await addAuditEvent(trx, { action: 'integrations.disconnected', teamId, actorId, target, details }, origin);
  });
  return warnings;
}

async function takeDown(deps: Deps, row: IntegrationRow): Promise<string[]> {
  const belongings = toLeftover(deps, row);
  if (!belongings) {
    const { webhook } = await getVendorTitles(deps, row.team_id);
    return [
      `Zendesk was not asked, since the stored credentials cannot be opened. Please remove at ${row.domain}.zendesk.com by hand what is called “${webhook}”: its triggers, then its webhook.`,
    ];
  }
  const warnings: string[] = [];
  for (const leftover of [belongings, ...(unsealCredentials(deps, row.credentials)?.leftovers ?? [])]) {
    const trouble = await removeFromVendor(deps, row.team_id, leftover);
    if (trouble !== null) warnings.push(trouble);
  }
  return warnings;
}
