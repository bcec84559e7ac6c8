import { ownPath } from '#platform/product/own-path.ts';

const DEFAULT = '/users/users';

/** Screens that are no place to return to after a sign-in; home holds nothing to do, so the first room is opened instead. */
const NOT_RETURNED_TO = new Set([
  '/',
  '/login',
  '/logout',
  '/permission_error',
  '/forgot_password',
  '/reset_password',
  '/signup',
  '/signup_confirm',
]);

/** Where a sign-in leads: the own path the person came from, else Manage Users (spec §2, /login). */
export function destination(from: unknown): string {
  const path = ownPath(from);
  if (path === undefined) return DEFAULT;
  return NOT_RETURNED_TO.has(path.split(/[?#]/, 1)[0] ?? '') ? DEFAULT : path;
}
