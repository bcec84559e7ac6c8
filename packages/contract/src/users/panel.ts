import { z } from 'zod';
import { endpoint } from '../api/endpoint.ts';
import { Id } from '../api/fields.ts';
import { SignIn } from './sign-ins.ts';
import { ListedUser } from './users.ts';

/** An admin sees of an invitee only what the team typed. */
export const UserDetails = ListedUser.extend({
  /** Null for the operator, and for members who were never invited. The name of a former member is ''. */
  invited_by: z.object({ id: Id, name: z.string() }).nullable(),
  /** The link by which the user joined, or was invited; null for none. Without a name of its own, its name is ''. */
  invitation_link: z.object({ id: Id, name: z.string() }).nullable(),
  /** Active sessions of the account; 0 unless the user is active in the team. */
  sessions: z.int(),
  /** The last 20 sign-ins, newest first. */
  sign_ins: z.array(SignIn),
  /** Entry of the company directory with the user's email address; '' for none, and unless the user is active. */
  directory_entry_id: z.string(),
  /** Service tokens of the team that the user created. */
  tokens: z.int(),
  /** Links that can still be used: password resets of a member, or links of an invitation. */
  links: z.int(),
  /** The user at the identity provider of the team; null without a link. Times are milliseconds. */
  sso: z
    .object({ provider: z.string(), email: z.string(), linked_at: z.int(), used_at: z.int().nullable() })
    .nullable(),
  /** Users of connected servers who are linked to the account. */
  lives_on: z.array(z.object({ connection_id: Id, server: z.string(), username: z.string() })),
  /** True if the account has a second factor; false unless the user is active. */
  second_factor: z.boolean(),
  /** Active legal holds that cover content of the user. */
  holds: z.array(z.object({ id: Id, name: z.string() })),
});
export type UserDetails = z.infer<typeof UserDetails>;

/** Refuses ids of other teams with `record.not_found`. */
export const getUser = endpoint({
  name: 'getUser',
  method: 'GET',
  path: '/admin/teams/:teamId/users/:userId',
  summary: 'Get one user of a team, with what ends when they leave.',
  params: z.object({ teamId: Id, userId: z.string() }),
  answer: UserDetails,
});
