import { redirect } from '@tanstack/react-router';
import { canSignInWithCookie, signInWithCookie } from '#workspace/session/session.ts';
import { currentSession } from '#workspace/session/session-state.ts';

/** The other teams have to be known after a reload too. Without a session, this redirects to the sign-in page. */
export async function loadSession(): Promise<void> {
  if (!canSignInWithCookie()) throw redirect({ to: '/login', replace: true });
  if (currentSession() === null) await signInWithCookie().catch(() => undefined);
}
