import { listUsers, type User } from '@steward/contract/users';
import { cancelInvitation, getInvitation, resendInvitation } from '@steward/contract/users/invitations';
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '#platform/api/api.ts';
import type { Failure } from '#platform/api/failure.ts';
import { queryFor } from '#platform/api/queries.ts';
import { createRepeatKeys } from '#platform/api/repeat-key.ts';
import { mendLists, type Pages } from '#platform/tables/kept-lists.ts';
import { failedInvitationsOf } from './failed-invitations.queries.ts';

/** Somebody who was invited, as a member of a team. */
interface Invited {
  teamId: string;
  userId: string;
}

/** How an invitation stands; asked for anew whenever its dialog opens. */
export function invitationOf(invited: Invited) {
  return { ...queryFor(getInvitation, { params: invited }), staleTime: 0, gcTime: 0 };
}

/** Mails an invitation once more. */
export function useResend(invited: Invited) {
  return useInvitationCall(resendInvitation, invited, () => undefined);
}

/** Withdraws an invitation: the person leaves the lists. */
export function useCancel(invited: Invited) {
  return useInvitationCall(cancelInvitation, invited, (client) => takeOut(client, invited));
}

function useInvitationCall(
  endpoint: typeof resendInvitation | typeof cancelInvitation,
  invited: Invited,
  show: (client: QueryClient) => Promise<void> | undefined,
) {
  const client = useQueryClient();
  // Made once for each dialog, so that a lost answer and a second press mail one letter.
  const [keyFor] = useState(createRepeatKeys);
  return useMutation<unknown, Failure, void>({
    mutationFn: () => call(endpoint, { params: invited }, { idempotencyKey: keyFor(invited) }),
    onSuccess: () => show(client),
    onError: (failure) => showSettled(client, invited, failure),
    // Awaited, so that a dialog that lists them has them up to date before it has the focus again.
    onSettled: () => client.invalidateQueries({ queryKey: failedInvitationsOf(invited.teamId).queryKey }),
  });
}

/** Shows in the lists what a refusal says about the person: they have accepted, or are gone. */
export async function showSettled(client: QueryClient, invited: Invited, { id }: Failure): Promise<void> {
  if (id === 'record.not_found') await takeOut(client, invited);
  if (id === 'users.not_pending') await mend(client, invited, (person) => [{ ...person, type: 2 }]);
}

function takeOut(client: QueryClient, invited: Invited): Promise<void> {
  return mend(client, invited, () => []);
}

function mend(client: QueryClient, { teamId, userId }: Invited, become: (person: User) => User[]): Promise<void> {
  const mended = (records: User[]) => records.flatMap((person) => (person.id === userId ? become(person) : [person]));
  return mendLists<User>(client, { endpoint: listUsers, teamId }, (list: Pages<User>) => ({
    ...list,
    pages: list.pages.map((page) => ({ ...page, records: mended(page.records) })),
  }));
}
