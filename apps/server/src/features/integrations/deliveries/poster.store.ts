import type { Trx } from '#platform/database/database.ts';
import type { IntegrationRow, Place } from '../integrations.store.ts';

/** The columns of an integration that posting needs. */
export type PosterIntegration = Pick<IntegrationRow, 'state' | 'code' | 'user_id'>;

const selectPoster = (trx: Trx, { teamId, integrationId }: Place) =>
  trx
    .selectFrom('integrations')
    .select(['state', 'code', 'user_id'])
    .where('team_id', '=', teamId)
    .where('id', '=', integrationId);

/** The current state of an integration; undefined if it was never connected. */
export function findPosterIntegration(trx: Trx, place: Place): Promise<PosterIntegration | undefined> {
  return selectPoster(trx, place).executeTakeFirst();
}

/**
 * The same, locked until the transaction ends. Storing, finishing and retrying deliveries of one integration run one at a
 * time, so that none is left waiting without a job.
 */
export function lockPoster(trx: Trx, place: Place): Promise<PosterIntegration | undefined> {
  return selectPoster(trx, place).forNoKeyUpdate().executeTakeFirst();
}

/** Whether deliveries are accepted and posted. */
export function isOpen(state: PosterIntegration['state'] | undefined): boolean {
  return state === 'on' || state === 'connecting';
}
