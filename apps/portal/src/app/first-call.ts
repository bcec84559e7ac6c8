import { canSignInWithCookie, startCookieSignIn } from '#workspace/session/session.ts';
import { needsSession } from './first-screen.ts';

// Imported before React and the code of the screen: the server answers while the browser evaluates them.
if (canSignInWithCookie() && needsSession()) startCookieSignIn();
