import type { User } from '@steward/contract/users';

/** A team in which the signed-in user is admin or owner. */
export interface AdminTeam {
  id: string;
  display_name: string;
  roles: readonly string[];
}

/** Who is signed in, the teams they may manage, and the one they manage now. */
export interface Session {
  user: User;
  teams: readonly AdminTeam[];
  currentTeam: AdminTeam;
}

let current: Session | null = null;
const watchers = new Set<() => void>();

/** The session of this page. In memory only, so that nothing of it outlives the tab. */
export function currentSession(): Session | null {
  return current;
}

export function setSession(session: Session | null): void {
  current = session;
  for (const watcher of watchers) watcher();
}

export function subscribeToSession(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}
