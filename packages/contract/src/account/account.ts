import { z } from 'zod';
import { endpoint, PICTURE_TYPES } from '../api/endpoint.ts';
import { Done } from '../api/errors.ts';
import { Id } from '../api/fields.ts';
import { SMALL_BODY_MAX } from '../api/limits.ts';
import { NewPassword, Password } from '../session/passwords.ts';
import { Session } from '../users/sessions.ts';
import { Names, User } from '../users/users.ts';

export const saveProfile = endpoint({
  name: 'saveProfile',
  bodyLimit: SMALL_BODY_MAX,
  method: 'PUT',
  path: '/users/me',
  summary: 'Change your name.',
  body: Names,
  answer: User,
});

/**
 * Replaces the picture of the signed-in user, in all their teams. The body is a PNG, JPEG or WebP image of at most 5 MB and 40
 * megapixels. Its middle is stored as a square of 256 pixels, without metadata.
 */
export const savePicture = endpoint({
  name: 'savePicture',
  method: 'PUT',
  path: '/users/me/picture',
  summary: 'Change your picture.',
  accepts: PICTURE_TYPES,
  answer: User,
});

export const removePicture = endpoint({
  name: 'removePicture',
  method: 'DELETE',
  path: '/users/me/picture',
  summary: 'Remove your picture.',
  answer: User,
});

/**
 * Changes the password, ends all other sessions and unused password reset links, and tells the user by email. A wrong current
 * password is refused with `password.wrong` and counts as a failed sign-in; after ten, `rate.limited`.
 */
export const changePassword = endpoint({
  name: 'changePassword',
  bodyLimit: SMALL_BODY_MAX,
  method: 'PUT',
  path: '/users/me/password',
  summary: 'Change your password.',
  body: z.object({ current_password: Password, new_password: NewPassword }),
  answer: Done.extend({ revoked: z.int() }),
});

/** The signed-in user's own active sessions, last used first; at most 20. */
export const listOwnSessions = endpoint({
  name: 'listOwnSessions',
  method: 'GET',
  path: '/users/me/sessions',
  summary: 'List your active sessions.',
  answer: z.object({ records: z.array(Session) }),
});

/** Ends another session of the signed-in user. Refuses the session of the request, which ends by signing out. */
export const endOwnSession = endpoint({
  name: 'endOwnSession',
  method: 'DELETE',
  path: '/users/me/sessions/:sessionId',
  summary: 'Sign out one of your other devices.',
  params: z.object({ sessionId: Id }),
  answer: Done,
});

export const endOtherSessions = endpoint({
  name: 'endOtherSessions',
  method: 'DELETE',
  path: '/users/me/sessions',
  summary: 'Sign out all your other devices.',
  answer: Done.extend({ revoked: z.int() }),
});
