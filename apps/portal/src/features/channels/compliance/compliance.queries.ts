import * as calls from '@steward/contract/channels/compliance';
import { listTeamChannels } from '@steward/contract/channels/defaults';
import { listUsers } from '@steward/contract/users';
import { keepPreviousData, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '#platform/api/api.ts';
import type { Failure } from '#platform/api/failure.ts';
import { mutationOptionsFor, queryOptionsFor } from '#platform/api/queries.ts';

/** Matches that a field offers at once; more are found by typing. */
const OFFERED = '20';

/** The current compliance access in a team, the next to end first. */
export function accessQueryOptions(teamId: string) {
  return queryOptionsFor(calls.listTeamComplianceAccess, { params: { teamId } });
}

/** Private channels of the team whose name contains the text. */
export function privateChannelsQueryOptions(teamId: string, search: string) {
  const query = { type: 'P' as const, per_page: OFFERED, search };
  return { ...queryOptionsFor(listTeamChannels, { params: { teamId }, query }), placeholderData: keepPreviousData };
}

/** Users of the team who match the text. */
export function readersQueryOptions(teamId: string, search: string) {
  const query = { limit: OFFERED, ...(search === '' ? {} : { search }) };
  return { ...queryOptionsFor(listUsers, { params: { teamId }, query }), placeholderData: keepPreviousData };
}

/** Grants access. */
export const granting = mutationOptionsFor(calls.grantComplianceAccess, {
  refreshes: [calls.listTeamComplianceAccess],
});

/** Ends access; resolves when the list is updated, even if it ended before. */
export function useEndAccess(teamId: string, { channel_id, user_id }: calls.ComplianceAccess) {
  const client = useQueryClient();
  return useMutation<unknown, Failure, void>({
    mutationFn: () =>
      call(calls.endComplianceAccess, { params: { teamId, channelId: channel_id }, query: { user_id } }),
    onSettled: () => client.invalidateQueries({ queryKey: [calls.listTeamComplianceAccess.name] }),
  });
}
