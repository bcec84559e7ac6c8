import { z } from 'zod';
import { endpoint } from '../api/endpoint.ts';
import { Done } from '../api/errors.ts';
import { Email, Flag, Id, listOf, listQuery, text } from '../api/fields.ts';
import { NAME_MAX } from '../api/limits.ts';
import { AccountType, Role } from './roles.ts';

/** A person as lists and sign-in answer it; instants are milliseconds since 1970 (spec §3, user). */
export const User = z.object({
  id: Id,
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  status: z.enum(['online', 'away', 'dnd', 'offline']),
  /** 2 is a real account, anything else a pending invitee. */
  type: z.int(),
  roles: z.array(Role),
  account_type: AccountType,
  last_picture_update: z.int(),
  create_at: z.int(),
  update_at: z.int(),
  /** 0, or when the person was deactivated. */
  delete_at: z.int(),
  /** App name → whether the person may use it. */
  apps: z.record(z.string(), z.boolean()),
});
export type User = z.infer<typeof User>;

/** Filters of the list of people; the three kinds add up (spec §3, user-list filters). */
export const UserFilters = z.object({
  search: listQuery.search,
  primary_owner: Flag,
  workspace_admin: Flag,
  member: Flag,
  deactivated_accounts: Flag,
});
export type UserFilters = z.infer<typeof UserFilters>;

const TeamParams = z.object({ teamId: Id });
const TeamMemberParams = z.object({ teamId: Id, userId: z.string() });

/** People of a team by name; pages follow `last_key` (spec §7). */
export const listUsers = endpoint({
  name: 'listUsers',
  method: 'GET',
  path: '/admin/teams/:teamId/users',
  summary: 'People of the team, searched and filtered, a page at a time.',
  params: TeamParams,
  query: UserFilters.extend({ last_key: listQuery.last_key, limit: listQuery.limit }),
  answer: listOf(User),
});

/** Body of adding or editing a person; the email says who (spec §5, add/update user). */
export const UserForm = z.object({
  email: Email,
  first_name: text(NAME_MAX).trim().optional(),
  last_name: text(NAME_MAX).trim().optional(),
  account_type: AccountType,
});
export type UserForm = z.infer<typeof UserForm>;

/** Invites a new address, lets an existing person join, or edits somebody of the team, by email (spec §7). */
export const saveUser = endpoint({
  name: 'saveUser',
  method: 'POST',
  path: '/admin/teams/:teamId/users',
  summary: 'Add a person by email, or edit the one who has it.',
  params: TeamParams,
  body: UserForm,
  answer: Done,
});

/** A session that was ended: enough to recognise the device, nothing to use it with. */
export const EndedSession = z.object({ device: z.string(), address: z.string(), last_seen_at: z.int() });
export type EndedSession = z.infer<typeof EndedSession>;

/** Ends every session and pending reset link of a person, on every node, from the next request on (spec §6). */
export const revokeSessions = endpoint({
  name: 'revokeSessions',
  method: 'POST',
  path: '/teams/:teamId/users/:userId/sessions/revoke/all',
  summary: 'Sign a person out everywhere.',
  params: TeamMemberParams,
  answer: Done.extend({ revoked: z.int(), devices: z.array(EndedSession) }),
});
