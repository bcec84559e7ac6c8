import { z } from 'zod';
import { EXPORT } from '../api/costs.ts';
import { endpoint } from '../api/endpoint.ts';
import { Id, listAnswer, listQuery, Moment } from '../api/fields.ts';

/** How an attempt to sign in ended. The names are stored: they are never renamed. */
export const SignInOutcome = z.enum(['ok', 'bad_password', 'throttled', 'second_factor', 'deactivated', 'sso_refused']);
export type SignInOutcome = z.infer<typeof SignInOutcome>;

/** How someone tried to sign in. */
export const SignInMethod = z.enum(['password', 'passkey', 'sso']);
export type SignInMethod = z.infer<typeof SignInMethod>;

/** One attempt of a user to sign in, successful or refused. Times are milliseconds since 1970. */
export const SignIn = z.object({
  id: Id,
  at: z.int(),
  user_id: Id,
  email: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  outcome: SignInOutcome,
  method: SignInMethod,
  /** Network address that it came from. */
  address: z.string(),
  /** Browser and operating system, such as 'Firefox on Linux'. */
  device: z.string(),
  /** Finds the line in the server's log. */
  request_id: z.string(),
});
export type SignIn = z.infer<typeof SignIn>;

/** Filters of the sign-in log; `from` is inclusive, `to` exclusive. */
export const SignInFilters = z.object({
  user_id: Id.optional(),
  outcome: SignInOutcome.optional(),
  method: SignInMethod.optional(),
  from: Moment.optional(),
  to: Moment.optional(),
});
export type SignInFilters = z.infer<typeof SignInFilters>;

/** Sign-ins of the team's members since they joined, deactivated ones included, newest first; kept for 90 days. */
export const listSignIns = endpoint({
  name: 'listSignIns',
  costs: [EXPORT],
  method: 'GET',
  path: '/admin/teams/:teamId/sign_ins',
  summary: "List the sign-ins of the team's users, successful and refused.",
  params: z.object({ teamId: Id }),
  query: SignInFilters.extend({ last_key: listQuery.last_key, limit: listQuery.limit }),
  answer: listAnswer(SignIn),
});
