import type { User } from '@steward/contract/users';
import { createContext, useContext, useSyncExternalStore } from 'react';
import { currentSession, type Session, subscribeToSession } from './session-state.ts';

/** The session, provided to everything inside the protected layout. */
export const SessionContext = createContext<Session | null>(null);

/** The session, or null when no one is signed in; for components outside the protected layout. */
export function useSession(): Session | null {
  return useSyncExternalStore(subscribeToSession, currentSession);
}

/** The session of a protected screen. */
export function useProtectedSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('This component must be inside the protected layout.');
  return session;
}

/** The signed-in user. */
export function useSignedInUser(): User {
  return useProtectedSession().user;
}
