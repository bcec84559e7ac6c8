import { z } from 'zod';
import { endpoint } from '../api/endpoint.ts';
import { Done } from '../api/errors.ts';
import { Email, Id, text } from '../api/fields.ts';
import { SMALL_BODY_MAX, STATUS_IDS_MAX } from '../api/limits.ts';
import { normalizeCode } from '../factors/typed-code.ts';
import { User } from '../users/users.ts';
import { NewPassword, Password } from './passwords.ts';

/** The password is compared in its normalized form, with its blanks. */
export const Credentials = z.object({
  login_id: text(254).min(1, 'is required'),
  password: Password,
  device_id: text(200).optional(),
  /** Code of an authenticator app or a recovery code, if the account has a second factor, as typed. */
  token: text(200).overwrite(normalizeCode).optional(),
});
export type Credentials = z.infer<typeof Credentials>;

export const SessionMethod = z.enum(['password', 'passkey', 'sso']);
export type SessionMethod = z.infer<typeof SessionMethod>;

/** Presence in Mattermost's format. */
export const Status = z.object({
  user_id: Id,
  status: z.enum(['online', 'away', 'dnd', 'offline']),
  manual: z.boolean(),
  last_activity_at: z.int(),
  /** Only in the caller's own row: a value that changes with their teams, the name of a team or their roles. */
  teams_version: z.string().optional(),
});
export type Status = z.infer<typeof Status>;

/**
 * Signs in with email and password; sets the session and the user-id cookie. If the account has a second factor, a correct password
 * without `token` is refused with `mfa.required`, a wrong one with `mfa.wrong`, and after five codes all with `mfa.throttled`.
 */
export const login = endpoint({
  name: 'login',
  bodyLimit: SMALL_BODY_MAX,
  method: 'POST',
  path: '/users/login',
  summary: 'Sign in with email and password, and a code if there is a second factor.',
  body: Credentials,
  answer: User,
});

/** Returns the user of the session cookie; the user-id cookie alone never signs in. */
export const cookieLogin = endpoint({
  name: 'cookieLogin',
  method: 'GET',
  path: '/users/cookie_login',
  summary: 'Sign in with the session cookie of an earlier sign-in.',
  answer: User,
});

/** The signed-in user, at the path that clients of Mattermost's API use. */
export const getMe = endpoint({
  name: 'getMe',
  method: 'GET',
  path: '/users/me',
  summary: 'Get the signed-in user.',
  answer: User,
});

/**
 * Ends only this session and removes both cookies; succeeds without a session too. A user who signed in by single sign-on stays
 * signed in at the identity provider, which the response names.
 */
export const logout = endpoint({
  name: 'logout',
  method: 'POST',
  path: '/users/logout',
  summary: 'Sign out of this session.',
  answer: Done.extend({ sso_provider: z.string().optional() }),
});

/**
 * Presence of users who share a team with the caller; others are left out. A client that polls its own row lists its teams again
 * only when `teams_version` has changed.
 */
export const listStatuses = endpoint({
  name: 'listStatuses',
  method: 'POST',
  path: '/users/status/ids',
  summary: 'Get the presence of people who share a team with you.',
  body: z.array(Id).max(STATUS_IDS_MAX, `must have at most ${STATUS_IDS_MAX} ids`),
  answer: z.array(Status),
});

/** Emails a reset link if the address belongs to an active account; the response is the same either way. */
export const sendPasswordReset = endpoint({
  name: 'sendPasswordReset',
  bodyLimit: SMALL_BODY_MAX,
  method: 'POST',
  path: '/users/password/reset/send',
  summary: 'Email a link for choosing a new password.',
  body: z.object({ email: Email }),
  answer: Done,
});

/** Either may be ''. */
export const AccountName = z.object({ name: z.string(), email: z.string() });
export type AccountName = z.infer<typeof AccountName>;

const ResetToken = text(200).min(1, 'is required');

/**
 * Says whether a reset link works, before anyone chooses a password, and for which account. Changes nothing. Refuses with
 * `link.used`, `link.replaced` by a newer one, `link.expired` or `link.invalid`.
 */
export const checkResetLink = endpoint({
  name: 'checkResetLink',
  bodyLimit: SMALL_BODY_MAX,
  method: 'POST',
  path: '/users/password/reset/check',
  summary: 'Show the account whose password a link resets.',
  body: z.object({ token: ResetToken }),
  answer: z.object({
    email: z.string(),
    /** The account of the session, if it is another one. */
    signed_in_as: AccountName.nullable(),
  }),
});
export type CheckedResetLink = z.infer<typeof checkResetLink.answer>;

/** The link works once. All sessions of the user end. Refuses like its check. */
export const resetPassword = endpoint({
  name: 'resetPassword',
  bodyLimit: SMALL_BODY_MAX,
  method: 'POST',
  path: '/users/password/reset',
  summary: 'Choose a new password with an emailed link.',
  body: z.object({ token: ResetToken, new_password: NewPassword }),
  answer: Done,
});
