import * as calls from '@steward/contract/channels/compliance';
import { listTeamChannels } from '@steward/contract/channels/defaults';
import { listUsers } from '@steward/contract/users';
import { keepPreviousData } from '@tanstack/react-query';
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
export const ending = mutationOptionsFor(calls.endComplianceAccess, { reloads: [calls.listTeamComplianceAccess] });
