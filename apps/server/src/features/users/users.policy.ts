// The rules about actions on users, in one place: routes refuse by them, and the list sends them to clients, which show them.
// Guards have already refused everyone but admins and owners of the team. What depends on other members, such as who is the
// last owner, is decided where the team is locked. A bulk job selects its users in SQL, with the same rules in
// `bulk-targets.store.ts`; a test compares the two for every role, state and action. An identity provider acts for the team
// itself and not for an admin, so SCIM refuses only what would leave the team without an owner.

import type { ErrorId } from '@steward/contract/api/errors';
import type { ListedUser, UserAction } from '@steward/contract/users';
import { hasIntegrationRole, isAdminOfTeam, isOwnerOfTeam, type MemberState } from '@steward/contract/users/roles';

export interface Target {
  id: string;
  roles: readonly string[];
  state: MemberState;
}

export interface Caller {
  userId: string;
  roles: readonly string[];
}

/** One reason not to do something; undefined when it doesn't apply. */
type Reason = (target: Target, caller: Caller) => ErrorId | undefined;

const isIntegration: Reason = ({ roles }) => (hasIntegrationRole(roles) ? 'users.zendesk_has_no_actions' : undefined);
const isOwner: Reason = ({ roles }) => (isOwnerOfTeam(roles) ? 'users.owner_is_locked' : undefined);
const isOwnerForAdmin: Reason = (target, caller) => (isOwnerOfTeam(caller.roles) ? undefined : isOwner(target, caller));
const isSelf: Reason = ({ id }, { userId }) => (id === userId ? 'users.own_account' : undefined);
const isDeactivated: Reason = ({ state }) => (state === 'deactivated' ? 'users.deactivated' : undefined);
const isActive: Reason = ({ state }) => (state === 'active' ? 'users.still_active' : undefined);
const hasAccepted: Reason = ({ state }) => (state === 'invited' ? undefined : 'users.not_pending');
const callerIsNoOwner: Reason = (_, { roles }) => (isOwnerOfTeam(roles) ? undefined : 'team.owner_required');
const pending =
  (error: ErrorId): Reason =>
  ({ state }) =>
    state === 'invited' ? error : undefined;

const EDIT = [isDeactivated, isSelf, isOwner, isIntegration] as const;

/** The first reason that applies is the error. */
const REASONS: Record<UserAction, readonly Reason[]> = {
  edit: EDIT,
  resend_invitation: [isIntegration, hasAccepted],
  cancel_invitation: [isIntegration, hasAccepted],
  view_sessions: [isIntegration, pending('users.pending_has_no_sessions')],
  revoke_sessions: [isIntegration, pending('users.pending_has_no_sessions'), isSelf],
  view_sign_ins: [isIntegration, pending('users.pending_has_no_sessions')],
  send_password_reset: [isIntegration, isDeactivated, pending('users.pending_has_no_password')],
  reset_factors: [callerIsNoOwner, isIntegration, isSelf, pending('users.not_accepted'), isDeactivated],
  make_admin: EDIT,
  make_user: EDIT,
  deactivate: [isIntegration, isSelf, pending('users.not_accepted'), isOwnerForAdmin],
  reactivate: [isIntegration, isSelf, pending('users.not_accepted'), isOwnerForAdmin],
  remove: [isIntegration, isSelf, isOwnerForAdmin],
  make_owner: [callerIsNoOwner, isIntegration, isSelf, pending('users.not_accepted'), isDeactivated],
  remove_owner: [callerIsNoOwner, isIntegration, isSelf, pending('users.not_accepted'), isDeactivated],
  export: [callerIsNoOwner, isIntegration, pending('users.not_accepted')],
  erase: [callerIsNoOwner, isIntegration, isSelf, pending('users.not_accepted'), isActive],
};

/** The list doesn't offer these actions although the call is accepted: they would change nothing, or have a better name. */
const NOT_OFFERED: Partial<Record<UserAction, (target: Target) => boolean>> = {
  view_sessions: ({ state }) => state === 'deactivated',
  revoke_sessions: ({ state }) => state === 'deactivated',
  make_admin: ({ roles, state }) => isAdminOfTeam(roles) || state === 'invited',
  make_user: ({ roles, state }) => !isAdminOfTeam(roles) || state === 'invited',
  deactivate: ({ state }) => state === 'deactivated',
  reactivate: ({ state }) => state !== 'deactivated',
  remove: ({ state }) => state === 'invited',
  make_owner: ({ roles }) => isOwnerOfTeam(roles),
  remove_owner: ({ roles }) => !isOwnerOfTeam(roles),
};

const ACTIONS = Object.keys(REASONS) as UserAction[];

/** Actions worth explaining when they are refused. The others simply don't apply. */
const EXPLAINED: readonly UserAction[] = ['edit', 'revoke_sessions', 'send_password_reset'];

/** Returns undefined if the caller may do this to the target. */
export function getRefusal(action: UserAction, target: Target, caller: Caller): ErrorId | undefined {
  for (const reason of REASONS[action]) {
    const error = reason(target, caller);
    if (error !== undefined) return error;
  }
  return undefined;
}

/**
 * A name is shown in every team of its user, so an admin of one team can't change it. The list doesn't say so: it would
 * have to count the teams of every row.
 */
export function getRenameRefusal({ other_teams }: { other_teams: number }): ErrorId | undefined {
  return other_teams > 0 ? 'users.name_is_theirs' : undefined;
}

export function getAbilities(target: Target, caller: Caller): Pick<ListedUser, 'abilities' | 'refusals'> {
  const abilities: UserAction[] = [];
  const refusals: ListedUser['refusals'] = {};
  // No action is possible on a Zendesk user, so there is nothing to explain about single ones.
  if (isIntegration(target, caller)) return { abilities, refusals };
  for (const action of ACTIONS) {
    const error = getRefusal(action, target, caller);
    if (error === undefined && !NOT_OFFERED[action]?.(target)) abilities.push(action);
    // Of the explained actions, only revoking the sessions of a deactivated user is accepted and not offered.
    else if (EXPLAINED.includes(action)) refusals[action] = error ?? 'users.deactivated';
  }
  return { abilities, refusals };
}
