import type { User } from '@steward/contract/users';
import { createContext, useContext, useSyncExternalStore } from 'react';

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

let current: Session | null = null;
const watchers = new Set<() => void>();

/** The session is kept in memory only, so that nothing of it remains after the tab is closed. */
export function currentSession(): Session | null {
  return current;
}

export function setSession(session: Session | null): void {
  current = session;
  for (const watcher of watchers) watcher();
}

function subscribeToSession(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

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
