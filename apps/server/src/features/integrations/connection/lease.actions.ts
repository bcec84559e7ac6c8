import { setTimeout as pause } from 'node:timers/promises';
import { newId } from '#platform/database/ids.ts';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import type { Origin } from '#platform/http/http.ts';
import {
  endLease,
  findIntegration,
  type IntegrationRow,
  type Lease,
  type Place,
  RECONCILE_HOLDER,
  takeLease,
} from '../integrations.store.ts';

/** Who changes which integration, for the audit log. */
export interface Change {
  place: Place;
  actorId: string;
  origin: Origin;
}

/** A lease of an admin's change that nobody has taken yet. */
function createLease(place: Place): Lease {
  return { teamId: place.teamId, integrationId: place.integrationId, holder: newId() };
}

/** The same for a reconcile, which admins wait for. */
export function createReconcileLease(place: Place): Lease {
  return { teamId: place.teamId, integrationId: place.integrationId, holder: `${RECONCILE_HOLDER}${newId()}` };
}

/** Longer than a reconcile takes; with the change itself still less than a proxy waits for an answer. */
const WAIT_MS = 20_000;
const POLL_MS = 100;

/**
 * Makes a change while nobody else can change the same integration. A reconcile in the background is waited for; the change
 * of another admin is not. The service is called in between, so this is no transaction: whoever dies leaves a lease that
 * expires, and a row that tells how far the change came.
 */
export async function withLease<T>(
  { db, take = takeLease }: Pick<Deps, 'db'> & { take?: typeof takeLease },
  place: Place,
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
    // Somebody else added it at the same moment.
    if (take !== takeLease) refuse('helpdesk.busy');
    const found = await findIntegration(db, lease);
    if (!found || (found.is_busy && !found.is_reconciling) || performance.now() > end) refuse('helpdesk.busy');
    await pause(POLL_MS);
  }
}
