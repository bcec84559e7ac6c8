import { z } from 'zod';
import { endpoint } from '../api/endpoint.ts';
import { Done } from '../api/errors.ts';
import { Email, Flag, Id } from '../api/fields.ts';
import { USERS_PER_CALL, USERS_PER_CALL_BYTES } from '../api/limits.ts';
import type { AccountType } from './roles.ts';
import { Profile } from './users.ts';

/** Account types as files have them; `undefined` keeps what a user has. */
const WORDS: Readonly<Record<string, AccountType | undefined>> = {
  '1': 1,
  '2': 2,
  'Team Admin': 1,
  'Team User': 2,
  // An owner stays one: for anybody else it would mean Team Admin.
  'Team Owner': 1,
  'Pending Invitee': undefined,
  Zendesk: undefined,
};

/** One user to add or edit. `account_type` takes 1 and 2, or the words of the users file. */
export const UserRow = z.object({
  email: Email,
  ...Profile.partial().shape,
  account_type: z
    .union([z.number(), z.string().trim()])
    .transform(String)
    .refine((word) => Object.hasOwn(WORDS, word), 'must be Team Admin or Team User')
    .transform((word) => WORDS[word]),
});
export type UserRow = z.infer<typeof UserRow>;

/** A row that wasn't saved, as it was sent, with the reason. */
export const UserRowError = z.looseObject({ error: z.string() });
export type UserRowError = z.infer<typeof UserRowError>;

/**
 * Adds or edits up to 2,000 users by email; each row as `saveUser` would. A row that can't be saved never stops the others.
 * With `preview=1` nothing changes. The four counts add up to the rows; a second row of an address is an error.
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
  }),
});
