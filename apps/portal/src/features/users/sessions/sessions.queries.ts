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

/** Where somebody is signed in: asked for each time, and then left alone, so that no row moves under somebody's hand. */
export function sessionsQueryOptions(holder: Holder) {
  return {
    ...queryOptionsFor(listSessions, { params: holder }),
    refetchOnMount: 'always' as const,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  };
}

/** Ends sessions one by one, and keeps which of them ended: here, or elsewhere shortly before. */
export function useEndSession(holder: Holder) {
  const [ended, setEnded] = useState<readonly Session[]>([]);
  const [failure, setFailure] = useState<Failure>();
  const { mutate, isPending, variables } = useMutation(mutationOptionsFor(revokeSession));
  const end = (session: Session) => {
    const done = () => setEnded((before) => [...before, session]);
    setFailure(undefined);
    mutate(
      { params: holder, body: { session_id: session.id } },
      // What is not there any more has ended, whoever did it.
      { onSuccess: done, onError: (why) => (why.id === 'record.not_found' ? done() : setFailure(why)) },
    );
  };
  return { ended, failure, end, endingId: isPending ? variables.body.session_id : undefined };
}

/** What the receipt names. */
export type Receipt = readonly Pick<EndedSession, 'device' | 'address'>[];
