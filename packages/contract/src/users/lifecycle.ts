import { z } from 'zod';
import { endpoint } from '../api/endpoint.ts';
import { Done } from '../api/errors.ts';
import { Id } from '../api/fields.ts';
import { EndDate, EndedSession } from './users.ts';

const MemberParams = z.object({ teamId: Id, userId: z.string() });

/** Access that ended with a membership; all zero for a call that changed nothing. */
export const EndedAccess = Done.extend({
  /** Sessions of the account, in every team. */
  revoked: z.int(),
  devices: z.array(EndedSession),
  /** Unused links: password resets of the account, and this team's invitations. */
  links: z.int(),
  /** Service tokens of this team that the user created. */
  tokens: z.int(),
});
export type EndedAccess = z.infer<typeof EndedAccess>;

/**
 * Ends a user's access to the team from the next request on, on every node. Roles and channels stay for a return. Refuses
 * with `users.own_account`, `users.owner_is_locked` (an owner, for admins), `users.not_accepted` or
 * `users.zendesk_has_no_actions`.
 */
export const deactivateUser = endpoint({
  name: 'deactivateUser',
  method: 'POST',
  path: '/admin/teams/:teamId/users/:userId/deactivate',
  summary: 'End the access of a user to the team.',
  params: MemberParams,
  answer: EndedAccess,
});

/**
 * Restores the user's roles and channels, but not sessions and service tokens. `ends_on` sets another end date, and null removes it.
 * Without it, a date that has passed is removed, and a later one stays.
 */
export const reactivateUser = endpoint({
  name: 'reactivateUser',
  method: 'POST',
  path: '/admin/teams/:teamId/users/:userId/reactivate',
  summary: 'Restore the access of a deactivated user.',
  params: MemberParams,
  body: z.object({ ends_on: EndDate.nullable().optional() }).optional(),
  answer: Done,
});

/**
 * Removes a user and their channel memberships from the team; content stays. Ends all that deactivating ends. For a pending
 * invitee it is the same as canceling the invitation. Repeated, it returns `record.not_found`.
 */
export const removeUser = endpoint({
  name: 'removeUser',
  method: 'DELETE',
  path: '/admin/teams/:teamId/users/:userId',
  summary: 'Remove a user from the team.',
  params: MemberParams,
  answer: EndedAccess,
});

/**
 * Makes an active user an owner, or an owner an admin again. Only for owners of the team (`team.owner_required`), never on
 * oneself, and never on the last owner (`users.last_owner`). A user with an end date is refused (`users.owner_has_no_end`).
 */
export const setOwner = endpoint({
  name: 'setOwner',
  method: 'POST',
  path: '/admin/teams/:teamId/users/:userId/owner',
  summary: 'Make a user an owner of the team, or no longer one.',
  params: MemberParams,
  body: z.object({ owner: z.boolean() }),
  answer: Done,
});
