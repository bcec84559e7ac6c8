import { z } from 'zod';
import { endpoint } from '../api/endpoint.ts';
import { Done } from '../api/errors.ts';
import { Email, text } from '../api/fields.ts';
import { PASSWORD_MAX, SMALL_BODY_MAX } from '../api/limits.ts';

/**
 * Emails a link to a new address, which works for 24 hours; an earlier link ends. The current address stays until the link is
 * used, and gets an email. An address that has an account gets a notice instead, and the answer is the same. A wrong password is
 * refused with `password.wrong` and counts as a failed sign-in. A user who is active in no team gets `email.needs_team`.
 */
export const requestEmailChange = endpoint({
  name: 'requestEmailChange',
  bodyLimit: SMALL_BODY_MAX,
  method: 'POST',
  path: '/users/me/email',
  summary: 'Change your email address; the new one gets a link.',
  body: z.object({ email: Email, password: text(PASSWORD_MAX).min(1, 'is required') }),
  answer: Done,
});

/**
 * Changes the address with the emailed link, and emails the old one. Sessions go on; password reset links end. Refuses with
 * `link.invalid`, with `email.needs_team`, or with `email.taken` for an address that got an account since the link was sent.
 */
export const confirmEmail = endpoint({
  name: 'confirmEmail',
  bodyLimit: SMALL_BODY_MAX,
  method: 'POST',
  path: '/users/email/confirm',
  summary: 'Confirm a new email address with an emailed link.',
  body: z.object({ token: text(200).min(1, 'is required') }),
  answer: Done.extend({ email: z.string() }),
});
