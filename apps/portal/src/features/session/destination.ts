import { toSafePath } from '#platform/product/safe-path.ts';

const DEFAULT = '/users/users';

/** Sign-in never returns to these screens. The home screen has nothing to do, so the default screen is opened instead. */
const EXCLUDED_DESTINATIONS = new Set([
  '/',
  '/login',
  '/logout',
  '/permission_error',
  '/forgot_password',
  '/reset_password',
  '/signup',
  '/signup_confirm',
  '/join',
  '/setup',
  '/second_factor',
  '/team_closed',
  '/identity_confirmed',
  '/continue_as',
]);

/** A user who manages no team may open these too. */
export function isOpenToEveryone(path: string): boolean {
  return path === '/account' || path === '/confirm_email';
}

/** Only paths of the portal are followed; the default is Manage Users. */
export function destination(from: unknown): string {
  const path = toSafePath(from);
  if (path === undefined) return DEFAULT;
  return EXCLUDED_DESTINATIONS.has(path.split(/[?#]/, 1)[0] ?? '') ? DEFAULT : path;
}
