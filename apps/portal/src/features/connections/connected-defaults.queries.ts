import { DEFAULT_CHANNELS_MAX } from '@steward/contract/api/limits';
import { listConnectedChannels, listConnectedUsers, saveConnectedDefaults } from '@steward/contract/connections';
import { keepPreviousData } from '@tanstack/react-query';
import { mutationOptionsFor, queryOptionsFor } from '#platform/api/queries.ts';
import type { Place } from './connections.queries.ts';

export function defaultsQueryOptions({ teamId, connectionId }: Place) {
  const query = { defaults: '1' as const, limit: String(DEFAULT_CHANNELS_MAX) };
  return { ...queryOptionsFor(listConnectedChannels, { params: { teamId, connectionId }, query }), staleTime: 0 };
}

const OFFERED = '50';

/** Public channels that aren't archived. */
export function foundChannelsQueryOptions({ teamId, connectionId }: Place, search: string) {
  const query = { open: '1' as const, limit: OFFERED, search };
  return {
    ...queryOptionsFor(listConnectedChannels, { params: { teamId, connectionId }, query }),
    placeholderData: keepPreviousData,
  };
}

/** Without default channels, users can't be added to them. */
export const savingDefaults = mutationOptionsFor(saveConnectedDefaults, {
  refreshes: [listConnectedChannels, listConnectedUsers],
});
