import { canSignInWithCookie } from '#workspace/session/session.ts';

const SIGN_IN = '/login';

/** Whether the server says that the screen at this address needs a session. */
export function needsSession(): boolean {
  return document.querySelector('meta[name="needs-session"]') !== null;
}

/**
 * Whether this page is a visitor's who has to sign in first: at the sign-in form, or at a screen that the server says needs a session.
 * The address is then that of the form, which leads back.
 */
export function startsWithSignIn(): boolean {
  if (canSignInWithCookie()) return false;
  const { pathname, search, hash } = location;
  if (pathname === SIGN_IN) return true;
  if (!needsSession()) return false;
  history.replaceState({ from: pathname + search + hash }, '', SIGN_IN);
  return true;
}
