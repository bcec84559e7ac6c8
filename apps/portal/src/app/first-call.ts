import { canSignInWithCookie, startCookieSignIn } from '#workspace/session/session.ts';
import { needsSession } from './first-screen.ts';

// This module is imported before React and the code of the screen, so that the server answers while the browser evaluates them.
if (canSignInWithCookie() && needsSession()) startCookieSignIn();
