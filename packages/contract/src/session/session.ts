import { z } from 'zod';
import { endpoint } from '../api/endpoint.ts';
import { Done } from '../api/errors.ts';
import { Email, Id, text } from '../api/fields.ts';
import { PASSWORD_MAX, PASSWORD_MIN, SMALL_BODY_MAX, STATUS_IDS_MAX } from '../api/limits.ts';
import { User } from '../users/users.ts';

/** What a person types to sign in; the password is compared exactly as typed (spec §5). */
export const Credentials = z.object({
  login_id: text(254).min(1, 'is required'),
  password: text(PASSWORD_MAX).min(1, 'is required'),
  device_id: text(200).optional(),
  /** Reserved for a second factor. */
  token: text(200).optional(),
});
export type Credentials = z.infer<typeof Credentials>;

/** A password somebody chooses: length only, no composition rules. */
export const NewPassword = text(PASSWORD_MAX).min(PASSWORD_MIN, `must have at least ${PASSWORD_MIN} characters`);

/** Presence of a person, in Mattermost's shape. */
export const Status = z.object({
  user_id: Id,
  status: z.enum(['online', 'away', 'dnd', 'offline']),
  manual: z.boolean(),
  last_activity_at: z.int(),
});
export type Status = z.infer<typeof Status>;

/** Signs in with email and password; sets the session and the user-id cookie (spec §4). */
export const login = endpoint({
  name: 'login',
  bodyLimit: SMALL_BODY_MAX,
  method: 'POST',
  path: '/users/login',
  summary: 'Sign in with email and password.',
  body: Credentials,
  answer: User,
});

/** Answers who the session cookie belongs to; the user-id cookie alone never signs in (spec §4). */
export const cookieLogin = endpoint({
  name: 'cookieLogin',
  method: 'GET',
  path: '/users/cookie_login',
  summary: 'Sign in with the session cookie of an earlier sign-in.',
  answer: User,
});

/** The signed-in person, at the address that clients of Mattermost's API use. */
export const getMe = endpoint({
  name: 'getMe',
  method: 'GET',
  path: '/users/me',
  summary: 'The signed-in person.',
  answer: User,
});

/** Ends this session only, and both cookies; may be repeated (spec §4). */
export const logout = endpoint({
  name: 'logout',
  method: 'POST',
  path: '/users/logout',
  summary: 'End this session.',
  answer: Done,
});

/** Presence of up to 100 people who share a team with the caller; others are left out (spec §7). */
export const listStatuses = endpoint({
  name: 'listStatuses',
  method: 'POST',
  path: '/users/status/ids',
  summary: 'Presence of people who share a team with you.',
  body: z.array(Id).max(STATUS_IDS_MAX, `must have at most ${STATUS_IDS_MAX} ids`),
  answer: z.array(Status),
});

/** Mails a reset link when the address belongs to an active account; the answer never tells (spec §7). */
export const sendPasswordReset = endpoint({
  name: 'sendPasswordReset',
  bodyLimit: SMALL_BODY_MAX,
  method: 'POST',
  path: '/users/password/reset/send',
  summary: 'Mail a link for choosing a new password.',
  body: z.object({ email: Email }),
  answer: Done,
});

/** Sets a new password by a mailed one-time link and ends every session of the person. */
export const resetPassword = endpoint({
  name: 'resetPassword',
  bodyLimit: SMALL_BODY_MAX,
  method: 'POST',
  path: '/users/password/reset',
  summary: 'Choose a new password with a mailed link.',
  body: z.object({ token: text(200).min(1, 'is required'), new_password: NewPassword }),
  answer: Done,
});
