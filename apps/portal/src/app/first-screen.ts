import { canSignInWithCookie } from '#workspace/session/session.ts';

const SIGN_IN = '/login';

/**
 * Whether this page is a visitor's who has to sign in first: at the sign-in form, or at a screen that the server says needs a session.
 * The address is then that of the form, which leads back.
 */
export function startsWithSignIn(): boolean {
  if (canSignInWithCookie()) return false;
  const { pathname, search, hash } = location;
  if (pathname === SIGN_IN) return true;
  if (document.querySelector('meta[name="sign-in-first"]') === null) return false;
  history.replaceState({ from: pathname + search + hash }, '', SIGN_IN);
  return true;
}
