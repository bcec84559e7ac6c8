import type { EndedSession } from '@steward/contract/users';
import { listSessions, revokeSession, type Session } from '@steward/contract/users/sessions';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Failure } from '#platform/api/failure.ts';
import { mutationOptionsFor, queryOptionsFor } from '#platform/api/queries.ts';

export interface Holder {
  teamId: string;
  userId: string;
}

/** The sessions are fetched each time a dialog opens, but not while it is open, so that no row moves. */
export function sessionsQueryOptions(holder: Holder) {
  return {
    ...queryOptionsFor(listSessions, { params: holder }),
    refetchOnMount: 'always' as const,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  };
}

/** Sessions are revoked one by one. The result includes sessions that ended elsewhere shortly before. */
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

export type Receipt = readonly Pick<EndedSession, 'device' | 'address'>[];
