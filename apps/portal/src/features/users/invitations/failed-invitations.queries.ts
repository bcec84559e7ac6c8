import { listFailedInvitations } from '@steward/contract/users/invitations';
import { queryOptionsFor } from '#platform/api/queries.ts';

/** Undelivered invitations are only an addition to the list, so a failed call is ignored. */
export function failedInvitationsQueryOptions(teamId: string) {
  return {
    ...queryOptionsFor(listFailedInvitations, { params: { teamId } }),
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  };
}
