import { z } from 'zod';
import { endpoint } from '../api/endpoint.ts';
import { Done } from '../api/errors.ts';
import { Email, Flag, Id } from '../api/fields.ts';
import { USERS_PER_CALL, USERS_PER_CALL_BYTES } from '../api/limits.ts';
import { AccountType } from './roles.ts';
import { Profile } from './users.ts';

/** Account types as files have them; null keeps what a user has. */
const WORDS: Readonly<Record<string, AccountType | null>> = {
  '1': 1,
  '2': 2,
  'Team Admin': 1,
  'Team User': 2,
  // An owner stays one: for anybody else it would mean Team Admin.
  'Team Owner': 1,
  'Pending Invitee': null,
  Zendesk: null,
};

/**
 * One user to add or edit. `account_type` takes 1 and 2, or the words of the users file; without it a user keeps what they have,
 * and a new one becomes a Team User.
 */
export const UserRow = z.object({
  email: Email,
  ...Profile.partial().shape,
  account_type: z
    .union([z.number(), z.string().trim()])
    .transform(String)
    .refine((word) => Object.hasOwn(WORDS, word), 'must be Team Admin or Team User')
    .transform((word) => WORDS[word] ?? null)
    .optional(),
});
export type UserRow = z.infer<typeof UserRow>;

/** A row that wasn't saved, as it was sent, with the reason and its place in the list that was sent, from 0. */
export const UserRowError = z.looseObject({ error: z.string(), row: z.int() });
export type UserRowError = z.infer<typeof UserRowError>;

/** What a row does. */
export const UserRowOutcome = z.enum(['invited', 'changed', 'unchanged', 'failed']);
export type UserRowOutcome = z.infer<typeof UserRowOutcome>;

/** What a row would change, as it is stored now. */
export const UserRowBefore = z.object({
  /** Place of the row in the list that was sent, from 0. */
  row: z.int(),
  first_name: z.string(),
  last_name: z.string(),
  account_type: AccountType,
});
export type UserRowBefore = z.infer<typeof UserRowBefore>;

/**
 * Adds or edits up to 2,000 users by email; each row as `saveUser` would. A row that can't be saved never stops the others.
 * With `preview=1` nothing changes, and `preview` tells of each row what it would do. The four counts add up to the rows; a second
 * row of an address is an error.
 */
export const saveUsers = endpoint({
  name: 'saveUsers',
  bodyLimit: USERS_PER_CALL_BYTES,
  method: 'POST',
  path: '/admin/teams/:teamId/users/multi',
  summary: 'Add or edit many users by email.',
  params: z.object({ teamId: Id }),
  query: z.object({ preview: Flag }),
  // Rows are checked one by one, so that a bad one doesn't stop the others.
  body: z.array(z.unknown()).min(1, 'must have a row').max(USERS_PER_CALL, `must have at most ${USERS_PER_CALL} rows`),
  answer: Done.extend({
    invited: z.int(),
    changed: z.int(),
    unchanged: z.int(),
    errors: z.array(UserRowError),
    preview: z
      .object({
        /** In the order sent. */
        outcomes: z.array(UserRowOutcome),
        /** Of the first users that would change. */
        before: z.array(UserRowBefore),
        /** Names with ? for characters that the file's encoding lacks; the stored names are kept. */
        kept_names: z.int(),
      })
      .optional(),
  }),
});
