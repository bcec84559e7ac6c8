import * as calls from '@steward/contract/channels/compliance';
import { listTeamChannels } from '@steward/contract/channels/defaults';
import { listUsers } from '@steward/contract/users';
import { keepPreviousData, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '#platform/api/api.ts';
import type { Failure } from '#platform/api/failure.ts';
import { mutationOptionsFor, queryOptionsFor } from '#platform/api/queries.ts';

/** A field offers this many matches; typing finds more. */
const OFFERED = '20';

/** The access that ends next comes first. */
export function accessQueryOptions(teamId: string) {
  return queryOptionsFor(calls.listTeamComplianceAccess, { params: { teamId } });
}

export function privateChannelsQueryOptions(teamId: string, search: string) {
  const query = { type: 'P' as const, per_page: OFFERED, search };
  return { ...queryOptionsFor(listTeamChannels, { params: { teamId }, query }), placeholderData: keepPreviousData };
}

export function readersQueryOptions(teamId: string, search: string) {
  const query = { limit: OFFERED, ...(search === '' ? {} : { search }) };
  return { ...queryOptionsFor(listUsers, { params: { teamId }, query }), placeholderData: keepPreviousData };
}

export const granting = mutationOptionsFor(calls.grantComplianceAccess, {
  refreshes: [calls.listTeamComplianceAccess],
});

/** Resolves when the list is updated, even if the access had already ended. */
export function useEndAccess(teamId: string, { channel_id, user_id }: calls.ComplianceAccess) {
  const client = useQueryClient();
  return useMutation<unknown, Failure, void>({
    mutationFn: () =>
      call(calls.endComplianceAccess, { params: { teamId, channelId: channel_id }, query: { user_id } }),
    onSettled: () => client.invalidateQueries({ queryKey: [calls.listTeamComplianceAccess.name] }),
  });
}
