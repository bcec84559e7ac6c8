import { redirect } from '@tanstack/react-router';
import { canSignInWithCookie, signInWithCookie } from '#workspace/session/session.ts';
import { currentSession } from '#workspace/session/session-state.ts';

/** Loads the session, so that the other teams are known after a reload too; leads to the sign-in without one. */
export async function loadSession(): Promise<void> {
  if (!canSignInWithCookie()) throw redirect({ to: '/login', replace: true });
  if (currentSession() === null) await signInWithCookie().catch(() => undefined);
}
