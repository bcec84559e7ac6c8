import { z } from 'zod';
import { endpoint } from './api/endpoint.ts';
import { Done } from './api/errors.ts';
import { Email, text } from './api/fields.ts';
import { INVITEES_MAX, NAME_MAX, SMALL_BODY_MAX } from './api/limits.ts';
import { NewPassword, RepeatedPassword } from './session/passwords.ts';
import { TeamName, TimeZone } from './session/teams.ts';

/** Token of an emailed link. Any other text is refused as an unknown link. */
const LinkToken = text(200).min(1, 'is required');

/** A repeated invitee is invited once, the owner not at all. */
export const SignUpRequest = z.object({
  team_name: TeamName,
  owner_email: Email,
  invitees: z.array(Email).max(INVITEES_MAX, `must have at most ${INVITEES_MAX} addresses`).default([]),
  time_zone: TimeZone.default('UTC'),
});
export type SignUpRequest = z.infer<typeof SignUpRequest>;

/**
 * Sign-up of teams: open to everyone, to addresses in certain domains, or to no one. The page of the portal has it in
 * `<meta name="sign-up">`, without the domains: they would tell strangers whose server it is.
 */
export const SIGN_UP_ACCESS = ['open', 'domains', 'off'] as const;
export type SignUpAccess = (typeof SIGN_UP_ACCESS)[number];

/**
 * Stores a request and emails the owner a link that works for 24 hours. The response is the same for every address, whether
 * it has an account or not, and whether the email was sent or the limit of three an hour was reached. Refuses with
 * `signup.closed` or, for an address in another domain, `signup.domain`.
 */
export const signUp = endpoint({
  name: 'signUp',
  bodyLimit: SMALL_BODY_MAX,
  method: 'POST',
  path: '/signup',
  summary: 'Sign up a new team; its owner gets a link by email.',
  body: SignUpRequest,
  answer: Done,
});

/**
 * Next step after opening an emailed link. `1`: the address has an account, and the user signs in as usual; for a sign-up,
 * that creates the team. `2`: the user must enter a name and password.
 */
export const SignUpMode = z.enum(['1', '2']);
export type SignUpMode = z.infer<typeof SignUpMode>;

/**
 * Checks the link of a sign-up or an invitation. It creates nothing and doesn't consume the link, so a reload or a mail scanner
 * can repeat it. The team of a sign-up whose owner has an account is created when that account next signs in with a password
 * or a passkey, within a day of the first check. Invalid, used and expired links get the same refusal, `signup.link_invalid`.
 */
export const checkSignUp = endpoint({
  name: 'checkSignUp',
  bodyLimit: SMALL_BODY_MAX,
  method: 'POST',
  path: '/signup_check',
  summary: 'Check an emailed link.',
  body: z.object({ token: LinkToken }),
  answer: z.object({
    mode: SignUpMode,
    email: z.string(),
    team_name: z.string(),
    /** True for an invitation to an existing team. */
    invited: z.boolean(),
    /** Name of the user who sent the invitation, or their address if they have no name. Absent for the operator and for a sign-up. */
    invited_by: z.object({ name: z.string() }).optional(),
    /** The name that the inviter entered; '' for none. */
    first: z.string(),
    last: z.string(),
    /** Only while a sign-up waits for the sign-in of its owner: when that ends, in milliseconds, and how many will be invited. */
    sign_in_until: z.int().optional(),
    invitees: z.int().optional(),
  }),
});

const PersonName = text(NAME_MAX).normalize('NFC').trim().min(1, 'is required');

/**
 * Creates the account of a link whose check returned mode 2: the owner with the team and its invitations, or the invitee.
 * Of several concurrent calls one succeeds; no one is signed in. Refuses with `signup.passwords_differ`,
 * `password.too_common` or `signup.link_invalid`.
 */
export const finishSignUp = endpoint({
  name: 'finishSignUp',
  bodyLimit: SMALL_BODY_MAX,
  method: 'POST',
  path: '/signup_final',
  summary: 'Finish a sign-up or accept an invitation with name and password.',
  body: z.object({
    token: LinkToken,
    first: PersonName,
    last: PersonName,
    password: NewPassword,
    password2: RepeatedPassword,
  }),
  answer: Done,
});

/**
 * Creates the first team of a server and its owner with the token that the server prints when it starts. Of several concurrent
 * calls one succeeds; no one is signed in. Refuses with `setup.link_invalid` or `password.too_common`.
 */
export const setUp = endpoint({
  name: 'setUp',
  bodyLimit: SMALL_BODY_MAX,
  method: 'POST',
  path: '/setup',
  summary: 'Create the first team with the printed link.',
  body: z.object({
    token: LinkToken,
    team_name: TeamName,
    time_zone: TimeZone.default('UTC'),
    email: Email,
    first: PersonName,
    last: PersonName,
    password: NewPassword,
  }),
  answer: Done,
});
