import { setTimeout as pause } from 'node:timers/promises';
import { newId } from '#platform/database/ids.ts';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import type { Authorize, Origin } from '#platform/http/http.ts';
import type { SignedIn } from '#workspace/access/enter-team.ts';
import {
  endLease,
  findIntegration,
  type IntegrationKey,
  type IntegrationRow,
  type Lease,
  RECONCILE_HOLDER,
  takeLease,
} from '../integrations.store.ts';

export interface Change {
  place: IntegrationKey;
  actorId: string;
  authorize: Authorize<SignedIn>;
  origin: Origin;
}

function createLease(place: IntegrationKey): Lease {
  return { teamId: place.teamId, integrationId: place.integrationId, holder: newId() };
}

/** Admins' changes wait for a reconcile's lease. */
export function createReconcileLease(place: IntegrationKey): Lease {
  return { teamId: place.teamId, integrationId: place.integrationId, holder: `${RECONCILE_HOLDER}${newId()}` };
}

/** Longer than a reconcile takes; together with the change itself, less than a proxy's response timeout. */
const WAIT_MS = 20_000;
const POLL_MS = 100;

/**
 * Changes an integration under an exclusive lease. Waits for a reconcile in the background, but not for another admin's
 * change. The change calls the service, so it is not one transaction: after a crash the lease expires, and the row shows how
 * far the change got.
 */
export async function withLease<T>(
  { db, take = takeLease }: Pick<Deps, 'db'> & { take?: typeof takeLease },
  place: IntegrationKey,
  change: (lease: Lease, row: IntegrationRow) => Promise<T>,
): Promise<T> {
  const lease = createLease(place);
  const row = await takeAfterReconcile(db, lease, take);
  try {
    return await change(lease, row);
  } finally {
    await endLease(db, lease);
  }
}

async function takeAfterReconcile(db: Deps['db'], lease: Lease, take: typeof takeLease): Promise<IntegrationRow> {
  const end = performance.now() + WAIT_MS;
  for (;;) {
    const row = await take(db, lease);
    if (row) return row;
    // Another request added the integration first.
    if (take !== takeLease) refuse('helpdesk.busy');
    const found = await findIntegration(db, lease);
    if (!found || (found.is_busy && !found.is_reconciling) || performance.now() > end) refuse('helpdesk.busy');
    await pause(POLL_MS);
  }
}
