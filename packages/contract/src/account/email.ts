import { z } from 'zod';
import { endpoint } from '../api/endpoint.ts';
import { Done } from '../api/errors.ts';
import { Email, text } from '../api/fields.ts';
import { SMALL_BODY_MAX } from '../api/limits.ts';
import { Password } from '../session/passwords.ts';
import { AccountName } from '../session/session.ts';

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
  body: z.object({ email: Email, password: Password }),
  answer: Done,
});

const token = text(200).min(1, 'is required');

/**
 * Says whose address the emailed link changes, so that its reader can tell if that is their own account. Changes nothing.
 * Refuses with `link.used`, `link.replaced` by a newer one, `link.expired` or `link.invalid`.
 */
export const checkEmailLink = endpoint({
  name: 'checkEmailLink',
  bodyLimit: SMALL_BODY_MAX,
  method: 'POST',
  path: '/users/email/check',
  summary: 'Show the account whose email address a link changes.',
  body: z.object({ token }),
  answer: z.object({
    /** The account whose address changes, with its present address. */
    account: AccountName,
    /** The address that it gets. */
    email: z.string(),
    /** The account of the session, if it is another one: it can't use the link. */
    signed_in_as: AccountName.nullable(),
  }),
});
export type CheckedEmailLink = z.infer<typeof checkEmailLink.answer>;

/**
 * Changes the address with the emailed link, and emails the old one. Only a session of the account itself can do that, because
 * anyone can enter any address, and its owner must not give it to an account of someone else. Sessions go on; password reset
 * links end. Refuses like the check, with `email.other_account`, with `email.needs_team`, or with `email.taken` for an
 * address that got an account since the link was sent.
 */
export const confirmEmail = endpoint({
  name: 'confirmEmail',
  bodyLimit: SMALL_BODY_MAX,
  method: 'POST',
  path: '/users/email/confirm',
  summary: 'Confirm a new email address with an emailed link.',
  body: z.object({ token }),
  answer: Done.extend({ email: z.string() }),
});
