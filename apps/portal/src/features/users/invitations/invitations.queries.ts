import { type ListedUser, listUsers } from '@steward/contract/users';
import { cancelInvitation, getInvitation, resendInvitation } from '@steward/contract/users/invitations';
import { REAL_ACCOUNT } from '@steward/contract/users/roles';
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '#platform/api/api.ts';
import type { Failure } from '#platform/api/failure.ts';
import { createIdempotencyKeys } from '#platform/api/idempotency-key.ts';
import { queryOptionsFor } from '#platform/api/queries.ts';
import { type Pages, updateCachedLists } from '#platform/tables/cached-lists.ts';
import { failedInvitationsQueryOptions } from './failed-invitations.queries.ts';

interface Invitee {
  teamId: string;
  userId: string;
}

/** The status is fetched each time the dialog opens. */
export function invitationQueryOptions(invitee: Invitee) {
  return { ...queryOptionsFor(getInvitation, { params: invitee }), staleTime: 0, gcTime: 0 };
}

export function useResendInvitation(invitee: Invitee) {
  return useInvitationCall(resendInvitation, invitee, () => undefined);
}

/** The user is removed from the lists. */
export function useCancelInvitation(invitee: Invitee) {
  return useInvitationCall(cancelInvitation, invitee, (client) => removeFromLists(client, invitee));
}

function useInvitationCall(
  endpoint: typeof resendInvitation | typeof cancelInvitation,
  invitee: Invitee,
  show: (client: QueryClient) => Promise<void> | undefined,
) {
  const client = useQueryClient();
  // One key per dialog makes a repeated request send only one email.
  const [idempotencyKeyFor] = useState(createIdempotencyKeys);
  return useMutation<unknown, Failure, void>({
    mutationFn: () => call(endpoint, { params: invitee }, { idempotencyKey: idempotencyKeyFor(invitee) }),
    onSuccess: () => show(client),
    onError: (failure) => refreshInvitee(client, invitee, failure),
    // This is awaited, so that the dialog of undelivered invitations is up to date before it gets the focus back.
    onSettled: () => client.invalidateQueries({ queryKey: failedInvitationsQueryOptions(invitee.teamId).queryKey }),
  });
}

/** A refusal means that the user has accepted or is no longer in the team. */
export async function refreshInvitee(client: QueryClient, invitee: Invitee, { id }: Failure): Promise<void> {
  if (id === 'record.not_found') await removeFromLists(client, invitee);
  if (id === 'users.not_pending') await updateLists(client, invitee, (user) => [withoutInvitation(user)]);
}

function removeFromLists(client: QueryClient, invitee: Invitee): Promise<void> {
  return updateLists(client, invitee, () => []);
}

/** Until the list is fetched again, the user only loses the actions of the invitation. */
function withoutInvitation(user: ListedUser): ListedUser {
  const abilities = user.abilities.filter((name) => name !== 'resend_invitation' && name !== 'cancel_invitation');
  return { ...user, type: REAL_ACCOUNT, abilities, refusals: {} };
}

function updateLists(
  client: QueryClient,
  { teamId, userId }: Invitee,
  update: (user: ListedUser) => ListedUser[],
): Promise<void> {
  const updateAll = (records: ListedUser[]) => records.flatMap((user) => (user.id === userId ? update(user) : [user]));
  return updateCachedLists<ListedUser>(client, { endpoint: listUsers, teamId }, (list: Pages<ListedUser>) => ({
    ...list,
    pages: list.pages.map((page) => ({ ...page, records: updateAll(page.records) })),
  }));
}
