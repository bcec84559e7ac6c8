import { z } from 'zod';
import { EXPORT } from '../api/costs.ts';
import { endpoint } from '../api/endpoint.ts';
import { Id, listAnswer, listQuery, Moment } from '../api/fields.ts';

/** The names are stored, so they are never renamed. */
export const SignInOutcome = z.enum(['ok', 'bad_password', 'throttled', 'second_factor', 'deactivated', 'sso_refused']);
export type SignInOutcome = z.infer<typeof SignInOutcome>;

export const SignInMethod = z.enum(['password', 'passkey', 'sso']);
export type SignInMethod = z.infer<typeof SignInMethod>;

/** A successful or refused attempt to sign in. Times are milliseconds since 1970. */
export const SignIn = z.object({
  id: Id,
  at: z.int(),
  user_id: Id,
  email: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  outcome: SignInOutcome,
  method: SignInMethod,
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

/** Only attempts since the member joined, also of deactivated members. Newest first, kept for 90 days. */
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
