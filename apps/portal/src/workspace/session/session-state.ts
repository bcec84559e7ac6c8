import type { User } from '@steward/contract/users';
import { createContext, useContext } from 'react';
import { createStore, useStore } from '#platform/store.ts';

/** The signed-in user is an admin or owner of this team. */
export interface AdminTeam {
  id: string;
  display_name: string;
  roles: readonly string[];
}

/** Contains the signed-in user, the teams that they may manage, and the current one. */
export interface Session {
  user: User;
  teams: readonly AdminTeam[];
  /** The team of this tab. */
  currentTeam: AdminTeam;
  /** The team that opens without a link to another one. */
  lastTeamId: string;
}

/** The session is kept in memory only, so that nothing of it remains after the tab is closed. */
const session = createStore<Session | null>(null);

export const { get: currentSession, set: setSession } = session;

/** Available inside the protected layout only. */
export const SessionContext = createContext<Session | null>(null);

/** Returns null without a signed-in user. It is for components outside the protected layout. */
export function useSession(): Session | null {
  return useStore(session);
}

export function useProtectedSession(): Session {
  const signedIn = useContext(SessionContext);
  if (signedIn === null) throw new Error('This component must be inside the protected layout.');
  return signedIn;
}

export function useSignedInUser(): User {
  return useProtectedSession().user;
}
