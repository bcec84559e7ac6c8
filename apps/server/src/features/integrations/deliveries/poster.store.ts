import { sql } from 'kysely';
import type { Trx } from '#platform/database/database.ts';
import type { IntegrationRow, Place } from '../integrations.store.ts';

/** What posts need to know of their integration. */
export type PosterIntegration = Pick<IntegrationRow, 'state' | 'code' | 'user_id'>;

const at = ({ teamId, integrationId }: Place) => sql`team_id = ${teamId} and id = ${integrationId}`;

/** An integration as it is now; undefined where nothing was ever connected. */
export async function findPosterIntegration(trx: Trx, place: Place): Promise<PosterIntegration | undefined> {
  const { rows } =
    await sql<PosterIntegration>`select state, code, user_id from integrations where ${at(place)}`.execute(trx);
  return rows[0];
}

/**
 * The same, held until the transaction ends: deliveries of one integration come in, end, and are sent again one after the
 * other, so that none of them is waiting when nobody will look for it any more.
 */
export async function lockPoster(trx: Trx, place: Place): Promise<PosterIntegration | undefined> {
  const { rows } = await sql<PosterIntegration>`select state, code, user_id from integrations where ${at(place)}
    for no key update`.execute(trx);
  return rows[0];
}

/** Whether deliveries are taken in and posted. */
export function isOpen(state: PosterIntegration['state'] | undefined): boolean {
  return state === 'on' || state === 'connecting';
}
