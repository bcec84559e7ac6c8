import { z } from 'zod';
import { EXPORT, SEARCH } from '../api/costs.ts';
import { endpoint } from '../api/endpoint.ts';
import { Done, ErrorId } from '../api/errors.ts';
import { Email, Flag, Id, IfExists, listAnswer, listQuery, text, wholeNumber } from '../api/fields.ts';
import { END_DAYS_MAX, INACTIVE_DAYS_MAX, NAME_MAX } from '../api/limits.ts';
import { AccountType, MemberState, Role } from './roles.ts';

/** Times are milliseconds since 1970. */
export const User = z.object({
  id: Id,
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  status: z.enum(['online', 'away', 'dnd', 'offline']),
  /** `REAL_ACCOUNT`, or a pending invitee. */
  type: z.int(),
  roles: z.array(Role),
  account_type: AccountType,
  last_picture_update: z.int(),
  create_at: z.int(),
  update_at: z.int(),
  /** Time of the deactivation; 0 if the user isn't deactivated. */
  delete_at: z.int(),
  /** True for the apps that the user may use, by name. */
  apps: z.record(z.string(), z.boolean()),
});
export type User = z.infer<typeof User>;

/**
 * Actions of an admin on a user. The server decides; clients show the result. `make_admin` and `make_user` are `saveUser`,
 * `view_sign_ins` is `listSignIns`.
 */
export const UserAction = z.enum([
  'edit',
  'resend_invitation',
  'cancel_invitation',
  'view_sessions',
  'revoke_sessions',
  'view_sign_ins',
  'send_password_reset',
  'reset_factors',
  'make_admin',
  'make_user',
  'deactivate',
  'reactivate',
  'remove',
  'make_owner',
  'remove_owner',
  'export',
  'erase',
]);
export type UserAction = z.infer<typeof UserAction>;

/** The last day of a membership, in the team's time zone. Access ends when that day is over. */
export const EndDate = z.iso.date('must be a date such as 2027-03-31');

/** A user of a team, with the actions that the caller may take. */
export const ListedUser = User.extend({
  state: MemberState,
  /** Null for a pending invitee. */
  joined_at: z.int().nullable(),
  /** Null for members who joined before invitations were recorded, and for those without an invitation. */
  invited_at: z.int().nullable(),
  /** The last day of the membership; null without an end. */
  ends_on: z.string().nullable(),
  /** Last activity, to five minutes; null if there was none. */
  last_active_at: z.int().nullable(),
  /** `limited`: the invitation email was not sent, because a limit was reached. */
  invitation: z.literal('limited').nullable(),
  /** Empty for Zendesk users. */
  abilities: z.array(UserAction),
  /** Actions that don't apply now, each with the id of the error that the call would return. */
  refusals: z.partialRecord(UserAction, ErrorId),
});
export type ListedUser = z.infer<typeof ListedUser>;

/** Filters of the user list. The three account kinds and pending invitees combine with OR. */
export const UserFilters = z.object({
  search: listQuery.search,
  primary_owner: Flag,
  workspace_admin: Flag,
  member: Flag,
  pending: Flag,
  deactivated_accounts: Flag,
  /** Only active users who were last active this many days ago or longer, or never. */
  inactive_days: wholeNumber(1, INACTIVE_DAYS_MAX).optional(),
  /** Only active users who were last active within this many days. */
  active_days: wholeNumber(1, INACTIVE_DAYS_MAX).optional(),
  /** Only active users who were never active. */
  never_active: Flag,
  /** Only active users whose access ends within this many days. */
  ending_days: wholeNumber(1, END_DAYS_MAX).optional(),
  /** Only active users with neither an authenticator app nor a passkey. */
  without_second_factor: Flag,
  /** Only pending invitees whose invitation is this many days old or older; sending it again makes it new. */
  invited_days: wholeNumber(1, INACTIVE_DAYS_MAX).optional(),
});
export type UserFilters = z.infer<typeof UserFilters>;

/**
 * `joined` is the time at which a member joined or an invitee was invited. `end` is that of the end date, and is possible with
 * `ending_days` only.
 */
export const UserSort = z.enum(['name', 'last_active', 'joined', 'end']);
export type UserSort = z.infer<typeof UserSort>;
export const SortOrder = z.enum(['asc', 'desc']);
export type SortOrder = z.infer<typeof SortOrder>;

const TeamParams = z.object({ teamId: Id });
const TeamMemberParams = z.object({ teamId: Id, userId: z.string() });

/**
 * Users of a team, by name unless `sort` says otherwise. Pages follow `last_key`, which is bound to filters and order. Users who
 * were never active come last in both orders.
 */
export const listUsers = endpoint({
  name: 'listUsers',
  costs: [SEARCH, EXPORT],
  method: 'GET',
  path: '/admin/teams/:teamId/users',
  summary: 'List the users of a team, with search and filters.',
  params: TeamParams,
  query: UserFilters.extend({
    sort: UserSort.optional(),
    order: SortOrder.optional(),
    last_key: listQuery.last_key,
    limit: listQuery.limit,
  }).refine(({ sort, ending_days }) => sort !== 'end' || ending_days !== undefined, 'sort=end needs ending_days'),
  answer: listAnswer(ListedUser).extend({
    /** Number of users that match, on the first page only; null if counting them would take too long. */
    total: z.int().nullable().optional(),
  }),
});

/** Fields of a user that admins enter: the one list for columns, forms and files. */
export const Profile = z.object({ first_name: text(NAME_MAX).trim(), last_name: text(NAME_MAX).trim() });
export type Profile = z.infer<typeof Profile>;

/** Labels in forms, and columns of files, which the specification names with capitals. */
export const PROFILE_TEXTS: Record<keyof Profile, { label: string; column: string }> = {
  first_name: { label: 'First name', column: 'First Name' },
  last_name: { label: 'Last name', column: 'Last Name' },
};

/** The fields of a profile that are the user's name, which users enter themselves too. */
export const Names = Profile.pick({ first_name: true, last_name: true });
export type Names = z.infer<typeof Names>;

export const PROFILE_FIELDS = Object.keys(Profile.shape) as (keyof Profile)[];

export function mapProfile<Value>(toValue: (name: keyof Profile) => Value): Record<keyof Profile, Value> {
  return Object.fromEntries(PROFILE_FIELDS.map((name) => [name, toValue(name)])) as Record<keyof Profile, Value>;
}

export type ProfileInput = { [Name in keyof Profile]?: Profile[Name] | undefined };

/** Absent fields stay absent. */
export function pickProfile(source: Profile): Profile;
export function pickProfile(source: ProfileInput): Partial<Profile>;
export function pickProfile(source: ProfileInput): Partial<Profile> {
  const given = PROFILE_FIELDS.filter((name) => source[name] !== undefined);
  return Object.fromEntries(given.map((name) => [name, source[name]]));
}

/**
 * Body of adding or editing a user, who is identified by email. Absent profile fields stay as they are, and so does an absent
 * end date; null removes it.
 */
export const UserForm = z.object({
  email: Email,
  ...Profile.partial().shape,
  account_type: AccountType,
  ends_on: EndDate.nullable().optional(),
});
export type UserForm = z.infer<typeof UserForm>;

/** A user or pending invitee whom `keep` left as they are. */
export const ExistingUser = z.object({ id: Id, email: z.string(), ...Profile.shape, state: MemberState });
export type ExistingUser = z.infer<typeof ExistingUser>;

/**
 * Invites an address, whether it has an account or not, or edits the user or pending invitee with it. With `if_exists=update` an
 * empty name clears the stored one. Without `if_exists` the user is edited as well, but an empty name clears nothing.
 */
export const saveUser = endpoint({
  name: 'saveUser',
  method: 'POST',
  path: '/admin/teams/:teamId/users',
  summary: 'Add a user by email, or edit the user with that email.',
  params: TeamParams,
  body: UserForm.extend({ if_exists: IfExists.optional() }),
  answer: Done.extend({ existing: ExistingUser.optional() }),
});

/** A revoked session, without anything that could be used to sign in. */
export const EndedSession = z.object({ device: z.string(), address: z.string(), last_seen_at: z.int() });
export type EndedSession = z.infer<typeof EndedSession>;

/** Also revokes unused password reset links. Takes effect on every node with the next request. */
export const revokeSessions = endpoint({
  name: 'revokeSessions',
  method: 'POST',
  path: '/teams/:teamId/users/:userId/sessions/revoke/all',
  summary: 'Sign a user out of all devices.',
  params: TeamMemberParams,
  answer: Done.extend({ revoked: z.int(), devices: z.array(EndedSession) }),
});
