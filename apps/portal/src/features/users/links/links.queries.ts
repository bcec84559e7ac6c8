import {
  addInvitationLink,
  type InvitationLink,
  listInvitationLinks,
  revokeInvitationLink,
} from '@steward/contract/users/invitation-links';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '#platform/api/api.ts';
import type { Failure } from '#platform/api/failure.ts';
import { mutationOptionsFor, queryOptionsFor } from '#platform/api/queries.ts';

export function linksQueryOptions(teamId: string) {
  return queryOptionsFor(listInvitationLinks, { params: { teamId } });
}

export const adding = mutationOptionsFor(addInvitationLink, { refreshes: [listInvitationLinks] });

/** Resolves when the list is updated, even if another admin revoked the link first. */
export function useRevokeLink(teamId: string, { id }: InvitationLink) {
  const client = useQueryClient();
  return useMutation<unknown, Failure, void>({
    mutationFn: () => call(revokeInvitationLink, { params: { teamId, linkId: id } }),
    onSettled: () => client.invalidateQueries({ queryKey: [listInvitationLinks.name] }),
  });
}
