import { listUsers, type User } from '@steward/contract/users';
import { cancelInvitation, getInvitation, resendInvitation } from '@steward/contract/users/invitations';
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '#platform/api/api.ts';
import type { Failure } from '#platform/api/failure.ts';
import { createIdempotencyKeys } from '#platform/api/idempotency-key.ts';
import { queryOptionsFor } from '#platform/api/queries.ts';
import { type Pages, updateCachedLists } from '#platform/tables/cached-lists.ts';
import { failedInvitationsQueryOptions } from './failed-invitations.queries.ts';

/** Somebody who was invited, as a member of a team. */
interface Invited {
  teamId: string;
  userId: string;
}

/** How an invitation stands; asked for anew whenever its dialog opens. */
export function invitationQueryOptions(invited: Invited) {
  return { ...queryOptionsFor(getInvitation, { params: invited }), staleTime: 0, gcTime: 0 };
}

/** Mails an invitation once more. */
export function useResendInvitation(invited: Invited) {
  return useInvitationCall(resendInvitation, invited, () => undefined);
}

/** Withdraws an invitation: the person leaves the lists. */
export function useCancelInvitation(invited: Invited) {
  return useInvitationCall(cancelInvitation, invited, (client) => removeFromLists(client, invited));
}

function useInvitationCall(
  endpoint: typeof resendInvitation | typeof cancelInvitation,
  invited: Invited,
  show: (client: QueryClient) => Promise<void> | undefined,
) {
  const client = useQueryClient();
  // Made once for each dialog, so that a lost answer and a second press mail one letter.
  const [idempotencyKeyFor] = useState(createIdempotencyKeys);
  return useMutation<unknown, Failure, void>({
    mutationFn: () => call(endpoint, { params: invited }, { idempotencyKey: idempotencyKeyFor(invited) }),
    onSuccess: () => show(client),
    onError: (failure) => refreshInvitee(client, invited, failure),
    // Awaited, so that a dialog that lists them has them up to date before it has the focus again.
    onSettled: () => client.invalidateQueries({ queryKey: failedInvitationsQueryOptions(invited.teamId).queryKey }),
  });
}

/** Shows in the lists what a refusal says about the person: they have accepted, or are gone. */
export async function refreshInvitee(client: QueryClient, invited: Invited, { id }: Failure): Promise<void> {
  if (id === 'record.not_found') await removeFromLists(client, invited);
  if (id === 'users.not_pending') await mend(client, invited, (person) => [{ ...person, type: 2 }]);
}

function removeFromLists(client: QueryClient, invited: Invited): Promise<void> {
  return mend(client, invited, () => []);
}

function mend(client: QueryClient, { teamId, userId }: Invited, become: (person: User) => User[]): Promise<void> {
  const mended = (records: User[]) => records.flatMap((person) => (person.id === userId ? become(person) : [person]));
  return updateCachedLists<User>(client, { endpoint: listUsers, teamId }, (list: Pages<User>) => ({
    ...list,
    pages: list.pages.map((page) => ({ ...page, records: mended(page.records) })),
  }));
}
