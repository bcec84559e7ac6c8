import { z } from 'zod';
import { endpoint } from '../api/endpoint.ts';
import { Done } from '../api/errors.ts';
import { text } from '../api/fields.ts';
import { SMALL_BODY_MAX } from '../api/limits.ts';

/** Names the cookie of a sign-in, so that several can wait in one browser. */
const WaitingId = text(100);

/** Either may be '', if the provider sent none. */
const Account = z.object({ name: z.string(), email: z.string() });

export const WaitingSignIn = z.object({
  id: z.string(),
  /** The account that the sign-in opens; for a new user as the provider names them. */
  account: Account,
  team_name: z.string(),
  /** Name of the identity provider for its users. */
  provider: z.string(),
  /** The account of the session that would end. */
  current: Account.nullable(),
});
export type WaitingSignIn = z.infer<typeof WaitingSignIn>;

/**
 * Describes the single sign-on of this browser that would replace a session of another account, or one that isn't for the same
 * team alone. Only the browser in which it began has its cookie. Refuses with `sso.expired` after ten minutes.
 */
export const getWaitingSignIn = endpoint({
  name: 'getWaitingSignIn',
  method: 'GET',
  path: '/users/sso/waiting',
  summary: 'Describe the single sign-on that waits for the user to continue.',
  query: z.object({ id: WaitingId }),
  answer: WaitingSignIn,
});

/** Ends the browser's session and starts the new one. `path` is the page that the sign-in leads to. */
export const finishSignIn = endpoint({
  name: 'finishSignIn',
  bodyLimit: SMALL_BODY_MAX,
  method: 'POST',
  path: '/users/sso/waiting',
  summary: 'Continue the single sign-on that was described.',
  body: z.object({ id: WaitingId }),
  answer: Done.extend({ path: z.string() }),
});
