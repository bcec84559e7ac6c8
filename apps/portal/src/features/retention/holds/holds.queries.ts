import { listTeamChannels } from '@steward/contract/channels/defaults';
import { getRetention, getRetentionStored, listRetentionRuns } from '@steward/contract/retention';
import { getRetentionAges, getRetentionForecast } from '@steward/contract/retention/foresight';
import * as calls from '@steward/contract/retention/holds';
import { keepPreviousData } from '@tanstack/react-query';
import { mutationOptionsFor, queryOptionsFor } from '#platform/api/queries.ts';

/** Matches that a field offers at once; more are found by typing. */
const OFFERED = '20';

/** Channels of the team whose name contains the text. */
export function channelOptionsQueryOptions(teamId: string, search: string) {
  const query = { per_page: OFFERED, search };
  return { ...queryOptionsFor(listTeamChannels, { params: { teamId }, query }), placeholderData: keepPreviousData };
}

/** What shows counts that a hold changes. */
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
