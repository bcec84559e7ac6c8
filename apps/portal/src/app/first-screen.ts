import { canSignInWithCookie } from '#workspace/session/session.ts';

const SIGN_IN = '/login';

function needsSession(): boolean {
  return document.querySelector('meta[name="needs-session"]') !== null;
}

/**
 * True for a visitor who has to sign in first, at the sign-in form or at a screen that needs a session. The address is then that
 * of the form, with a path back.
 */
export function startsWithSignIn(): boolean {
  if (canSignInWithCookie()) return false;
  const { pathname, search, hash } = location;
  if (pathname === SIGN_IN) return true;
  if (!needsSession()) return false;
  history.replaceState({ from: pathname + search + hash }, '', SIGN_IN);
  return true;
}
