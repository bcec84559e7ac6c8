import { listFailedInvitations } from '@steward/contract/users/invitations';
import { queryOptionsFor } from '#platform/api/queries.ts';

/** Invitations that did not arrive. Beside the list of people they are an extra: no answer is as good as none of them. */
export function failedInvitationsQueryOptions(teamId: string) {
  return {
    ...queryOptionsFor(listFailedInvitations, { params: { teamId } }),
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  };
}
