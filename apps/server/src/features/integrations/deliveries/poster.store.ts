import { sql } from 'kysely';
import type { Trx } from '#platform/database/database.ts';
import type { IntegrationRow, Place } from '../integrations.store.ts';

/** The columns of an integration that posting needs. */
export type PosterIntegration = Pick<IntegrationRow, 'state' | 'code' | 'user_id'>;

const at = ({ teamId, integrationId }: Place) => sql`team_id = ${teamId} and id = ${integrationId}`;

/** The current state of an integration; undefined if it was never connected. */
export async function findPosterIntegration(trx: Trx, place: Place): Promise<PosterIntegration | undefined> {
  const { rows } =
    await sql<PosterIntegration>`select state, code, user_id from integrations where ${at(place)}`.execute(trx);
  return rows[0];
}

/**
 * The same, locked until the transaction ends. Storing, finishing and retrying deliveries of one integration run one at a
 * time, so that none is left waiting without a job.
 */
export async function lockPoster(trx: Trx, place: Place): Promise<PosterIntegration | undefined> {
  const { rows } = await sql<PosterIntegration>`select state, code, user_id from integrations where ${at(place)}
    for no key update`.execute(trx);
  return rows[0];
}

/** Whether deliveries are accepted and posted. */
export function isOpen(state: PosterIntegration['state'] | undefined): boolean {
  return state === 'on' || state === 'connecting';
}
