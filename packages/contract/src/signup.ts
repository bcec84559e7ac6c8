import { z } from 'zod';
import { endpoint } from './api/endpoint.ts';
import { Done } from './api/errors.ts';
import { Email, text } from './api/fields.ts';
import { INVITEES_MAX, NAME_MAX, PASSWORD_MAX, SMALL_BODY_MAX } from './api/limits.ts';
import { NewPassword } from './session/session.ts';
import { TeamName } from './session/teams.ts';

/** Token of a mailed link, whether a sign-up's or an invitation's. Whatever it is not, it is refused as unknown. */
const MailedToken = text(200).min(1, 'is required');

/** What the wizard asks for (spec §3, sign-up request). An address that stands twice, and the owner's own, are invited once or not at all. */
export const SignUpRequest = z.object({
  team_name: TeamName,
  owner_email: Email,
  invitees: z.array(Email).max(INVITEES_MAX, `must have at most ${INVITEES_MAX} addresses`).default([]),
});
export type SignUpRequest = z.infer<typeof SignUpRequest>;

/**
 * Stores a request and mails a link to the owner, which works for 24 hours. The answer is the same for every address,
 * whether it has an account or not, and whether a mail was sent or three went to it within the hour (trust G7, G18).
 */
export const signUp = endpoint({
  name: 'signUp',
  bodyLimit: SMALL_BODY_MAX,
  method: 'POST',
  path: '/signup',
  summary: 'Ask for a new team; a link is mailed to its owner.',
  body: SignUpRequest,
  answer: Done,
});

/**
 * How a mailed link goes on (spec §2, sign-up confirm). `1`: the address has an account, which now owns the team; the person
 * signs in as ever. `2`: name and password are still to be given.
 */
export const SignUpMode = z.enum(['1', '2']);
export type SignUpMode = z.infer<typeof SignUpMode>;

/**
 * Looks at the link of a sign-up or an invitation. May be repeated, by a reload or a mail scanner, and answers the same each
 * time: it uses nothing up. Bad, used, foreign and expired links are one refusal, `signup.link_invalid`.
 */
export const checkSignUp = endpoint({
  name: 'checkSignUp',
  bodyLimit: SMALL_BODY_MAX,
  method: 'POST',
  path: '/signup_check',
  summary: 'Learn how a mailed link goes on.',
  body: z.object({ token: MailedToken }),
  answer: z.object({
    mode: SignUpMode,
    email: z.string(),
    team_name: z.string(),
    /** Whether the link is an invitation to a team that exists. */
    invited: z.boolean(),
    /** What whoever invited them typed; '' when nothing. */
    first: z.string(),
    last: z.string(),
  }),
});

const PersonName = text(NAME_MAX).normalize('NFC').trim().min(1, 'is required');

/**
 * Makes the account of a link whose check answered mode 2: the owner with the team and its invitations, or the invited
 * person. Works once, however often it is sent at once; signs nobody in. Refuses `signup.passwords_differ`,
 * `password.too_common` and `signup.link_invalid`.
 */
export const finishSignUp = endpoint({
  name: 'finishSignUp',
  bodyLimit: SMALL_BODY_MAX,
  method: 'POST',
  path: '/signup_final',
  summary: 'Finish a sign-up or accept an invitation with name and password.',
  body: z.object({
    token: MailedToken,
    first: PersonName,
    last: PersonName,
    password: NewPassword,
    password2: text(PASSWORD_MAX),
  }),
  answer: Done,
});
