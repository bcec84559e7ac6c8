import { toSafePath } from '#platform/product/safe-path.ts';

const DEFAULT = '/users/users';

/** Screens that are no place to return to after a sign-in; home holds nothing to do, so the first room is opened instead. */
const EXCLUDED_DESTINATIONS = new Set([
  '/',
  '/login',
  '/logout',
  '/permission_error',
  '/forgot_password',
  '/reset_password',
  '/signup',
  '/signup_confirm',
  '/setup',
  '/second_factor',
  '/team_closed',
  '/identity_confirmed',
]);

/** Where a sign-in leads: the own path the person came from, else Manage Users (spec §2, /login). */
export function destination(from: unknown): string {
  const path = toSafePath(from);
  if (path === undefined) return DEFAULT;
  return EXCLUDED_DESTINATIONS.has(path.split(/[?#]/, 1)[0] ?? '') ? DEFAULT : path;
}
