import { z } from 'zod';
import { PREVIEW } from '../api/costs.ts';
import { endpoint } from '../api/endpoint.ts';
import { Done } from '../api/errors.ts';
import { Flag, Id, IfExists } from '../api/fields.ts';
import { USERS_PER_CALL, USERS_PER_CALL_BYTES } from '../api/limits.ts';
import { AccountType } from './roles.ts';
import { ExistingUser, PROFILE_FIELDS, Profile } from './users.ts';

/** An invalid row, with its values as they were sent, and its index in the request, from 0. */
export const UserRowError = z.looseObject({ error: z.string(), row: z.int() });
export type UserRowError = z.infer<typeof UserRowError>;

export const UserRowOutcome = z.enum(['invited', 'changed', 'unchanged', 'failed']);
export type UserRowOutcome = z.infer<typeof UserRowOutcome>;

/** The stored values of a user that a row would change. */
export const UserRowBefore = z.object({
  /** Index of the row in the request, from 0. */
  row: z.int(),
  ...Profile.shape,
  account_type: AccountType,
  ends_on: z.string().nullable(),
});
export type UserRowBefore = z.infer<typeof UserRowBefore>;

/**
 * Invites or edits up to 2,000 users by email; a wrong row never stops the others. The four counts add up to the rows, with
 * errors in the order sent. A second row for an address is an error. `account_type` is 1, 2 or a word of the user list:
 * `Team Owner` keeps an owner, `Zendesk` and `Pending Invitee` keep what the user has. Without it a user keeps theirs, and a new
 * one becomes a Team User. An empty or absent `ends_on`
 * keeps the end date. `if_exists` means the same as when one user is saved. With `preview=1` nothing is written, and `preview` says what each row would do.
 */
export const saveUsers = endpoint({
  name: 'saveUsers',
  costs: [PREVIEW],
  method: 'POST',
  path: '/admin/teams/:teamId/users/multi',
  summary: 'Invite and edit up to 2,000 users by email; a wrong row never stops the others.',
  params: z.object({ teamId: Id }),
  query: z.object({ preview: Flag, if_exists: IfExists.optional() }),
  // Rows are checked one by one, because an error in a row concerns that row alone.
  body: z
    .array(
      z.unknown().meta({
        description: `${['email', ...PROFILE_FIELDS, 'ends_on'].join(', ')} as text; account_type: 1, 2 or a word`,
      }),
    )
    .min(1, 'must hold at least one row')
    .max(USERS_PER_CALL, `must hold at most ${USERS_PER_CALL} rows`),
  bodyLimit: USERS_PER_CALL_BYTES,
  answer: Done.extend({
    invited: z.int(),
    changed: z.int(),
    unchanged: z.int(),
    errors: z.array(UserRowError),
    /** With `if_exists=keep`, the users who were there already; they count as unchanged. */
    existing: z.array(ExistingUser).optional(),
    preview: z
      .object({
        /** One for each row, in the order sent. */
        outcomes: z.array(UserRowOutcome),
        /** The first users that would change. */
        before: z.array(UserRowBefore),
        /** Names with ? for characters that the file's encoding lacks; the stored names are kept. */
        kept_names: z.int(),
      })
      .optional(),
  }),
});
