import type { User } from '@steward/contract/users';
import { createContext, useContext, useSyncExternalStore } from 'react';
import { currentSession, type Session, subscribeToSession } from './session-state.ts';

/** Available inside the protected layout only. */
export const SessionContext = createContext<Session | null>(null);

/** Returns null without a signed-in user. It is for components outside the protected layout. */
export function useSession(): Session | null {
  return useSyncExternalStore(subscribeToSession, currentSession);
}

export function useProtectedSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('This component must be inside the protected layout.');
  return session;
}

export function useSignedInUser(): User {
  return useProtectedSession().user;
}
