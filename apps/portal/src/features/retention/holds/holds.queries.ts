import { listTeamChannels } from '@steward/contract/channels/defaults';
import { listConnectedChannels, listConnectedUsers } from '@steward/contract/connections';
import { getRetention, getRetentionStored, listRetentionRuns } from '@steward/contract/retention';
import { getRetentionAges, getRetentionForecast } from '@steward/contract/retention/foresight';
import * as calls from '@steward/contract/retention/holds';
import { keepPreviousData } from '@tanstack/react-query';
import { mutationOptionsFor, queryOptionsFor } from '#platform/api/queries.ts';

/** A field offers this many matches; typing finds more. */
const OFFERED = '20';

export function channelOptionsQueryOptions(teamId: string, search: string) {
  const query = { per_page: OFFERED, search };
  return { ...queryOptionsFor(listTeamChannels, { params: { teamId }, query }), placeholderData: keepPreviousData };
}

interface Connected {
  teamId: string;
  connectionId: string;
}

export function connectedUserOptionsQueryOptions(params: Connected, search: string) {
  const query = { limit: OFFERED, search, former: '1' as const };
  return {
    ...queryOptionsFor(listConnectedUsers, { params: { ...params }, query }),
    placeholderData: keepPreviousData,
  };
}

export function connectedChannelOptionsQueryOptions(params: Connected, search: string) {
  const query = { limit: OFFERED, search };
  return {
    ...queryOptionsFor(listConnectedChannels, { params: { ...params }, query }),
    placeholderData: keepPreviousData,
  };
}

/** These queries include counts that a hold changes. */
const AFFECTED = [
  calls.listHolds,
  getRetention,
  getRetentionStored,
  listRetentionRuns,
  getRetentionAges,
  getRetentionForecast,
];

export const addingHold = mutationOptionsFor(calls.addHold, { refreshes: AFFECTED });
export const savingHold = mutationOptionsFor(calls.saveHold, { refreshes: AFFECTED });
export const releasingHold = mutationOptionsFor(calls.releaseHold, { refreshes: AFFECTED });
export const exportingHold = mutationOptionsFor(calls.exportHold, { refreshes: [calls.listHolds] });
