import type { EndedSession } from '@steward/contract/users';
import { listSessions, revokeSession, type Session } from '@steward/contract/users/sessions';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Failure } from '#platform/api/failure.ts';
import { mutationOptionsFor, queryOptionsFor } from '#platform/api/queries.ts';

/** Whose sessions. */
export interface Holder {
  teamId: string;
  userId: string;
}

/** The active sessions of a user: fetched each time a dialog opens, and then left alone so that no row moves. */
export function sessionsQueryOptions(holder: Holder) {
  return {
    ...queryOptionsFor(listSessions, { params: holder }),
    refetchOnMount: 'always' as const,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  };
}

/** Revokes sessions one by one, and remembers which are gone: here, or elsewhere shortly before. */
export function useRevokeSession(holder: Holder) {
  const [ended, setEnded] = useState<readonly Session[]>([]);
  const [failure, setFailure] = useState<Failure>();
  const { mutate, isPending, variables } = useMutation(mutationOptionsFor(revokeSession));
  const end = (session: Session) => {
    const done = () => setEnded((before) => [...before, session]);
    setFailure(undefined);
    mutate(
      { params: holder, body: { session_id: session.id } },
      // A session that no longer exists has ended, no matter who ended it.
      { onSuccess: done, onError: (why) => (why.id === 'record.not_found' ? done() : setFailure(why)) },
    );
  };
  return { ended, failure, end, endingId: isPending ? variables.body.session_id : undefined };
}

/** The sessions that a receipt lists. */
export type Receipt = readonly Pick<EndedSession, 'device' | 'address'>[];
