import { newId } from '#platform/database/ids.ts';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import type { Origin } from '#platform/http/http.ts';
import { endLease, type IntegrationRow, type Lease, type Place, takeLease } from '../integrations.store.ts';

/** Who changes which integration, for the audit log. */
export interface Change {
  place: Place;
  actorId: string;
  origin: Origin;
}

/** A right to change an integration that nobody has taken yet. */
export function createLease(place: Place): Lease {
  return { teamId: place.teamId, integrationId: place.integrationId, holder: newId() };
}

/**
 * Does a change while nobody else may change the same integration. The vendor is called in between, so this is no
 * transaction: who dies leaves a lease that ends by itself, and a row that says how far it came.
 */
export async function withLease<T>(
  { db, take = takeLease }: Pick<Deps, 'db'> & { take?: typeof takeLease },
  place: Place,
  change: (lease: Lease, row: IntegrationRow) => Promise<T>,
): Promise<T> {
  const lease = createLease(place);
  const row = await take(db, lease);
  if (!row) refuse('integrations.busy');
  try {
    return await change(lease, row);
  } finally {
    await endLease(db, lease);
  }
}
