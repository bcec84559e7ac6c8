import { addInvitationLink, listInvitationLinks, revokeInvitationLink } from '@steward/contract/users/invitation-links';
import { mutationOptionsFor, queryOptionsFor } from '#platform/api/queries.ts';

export function linksQueryOptions(teamId: string) {
  return queryOptionsFor(listInvitationLinks, { params: { teamId } });
}

export const adding = mutationOptionsFor(addInvitationLink, { refreshes: [listInvitationLinks] });
export const revoking = mutationOptionsFor(revokeInvitationLink, { reloads: [listInvitationLinks] });
