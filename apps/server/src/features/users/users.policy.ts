// Who may do what to whom, in one place: routes refuse by these rules, and the list sends them to clients, which show them.
// Admins and owners of the team are equal here; guards have already refused everyone else.

import type { ErrorId } from '@steward/contract/api/errors';
import type { ListedUser, UserAction } from '@steward/contract/users';
import { REAL_ACCOUNT } from '@steward/contract/users/roles';

/** A member of the team, as far as the rules need to know them. */
export interface Target {
  id: string;
  roles: readonly string[];
  type: number;
  delete_at: number;
}

/** One reason not to do something; undefined when it doesn't apply. */
type Reason = (target: Target, callerId: string) => ErrorId | undefined;

const isZendesk: Reason = ({ roles }) => (roles.includes('zendesk') ? 'users.zendesk_has_no_actions' : undefined);
const isOwner: Reason = ({ roles }) => (roles.includes('team_owner') ? 'users.owner_is_locked' : undefined);
const isSelf: Reason = ({ id }, callerId) => (id === callerId ? 'users.own_account' : undefined);
const isDeactivated: Reason = ({ delete_at }) => (delete_at === 0 ? undefined : 'users.deactivated');
const hasAccount: Reason = ({ type }) => (type === REAL_ACCOUNT ? 'users.not_pending' : undefined);
const pending =
  (error: ErrorId): Reason =>
  ({ type }) =>
    type === REAL_ACCOUNT ? undefined : error;

/** Why each action is refused. The first reason that applies is the error. */
const REASONS: Record<UserAction, readonly Reason[]> = {
  edit: [isDeactivated, isOwner, isZendesk],
  resend_invitation: [isZendesk, hasAccount, isDeactivated],
  cancel_invitation: [isZendesk, hasAccount, isDeactivated],
  view_sessions: [isZendesk, pending('users.pending_has_no_sessions')],
  revoke_sessions: [isZendesk, pending('users.pending_has_no_sessions'), isSelf],
  send_password_reset: [isZendesk, isDeactivated, pending('users.pending_has_no_password')],
};

/** Actions that the list doesn't offer although the call is accepted: it would change nothing. */
const POINTLESS: Partial<Record<UserAction, Reason>> = { revoke_sessions: isDeactivated };

const ACTIONS = Object.keys(REASONS) as UserAction[];

/** Actions worth explaining when they are refused. The others simply don't apply. */
const EXPLAINED: readonly UserAction[] = ['edit', 'revoke_sessions', 'send_password_reset'];

/** Why the caller may not do this to the target; undefined when they may. */
export function getRefusal(action: UserAction, target: Target, callerId: string): ErrorId | undefined {
  for (const reason of REASONS[action]) {
    const error = reason(target, callerId);
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

/** What the list says about one user. */
export function getAbilities(target: Target, callerId: string): Pick<ListedUser, 'abilities' | 'refusals'> {
  const abilities: UserAction[] = [];
  const refusals: ListedUser['refusals'] = {};
  // No action is possible on a Zendesk user, so there is nothing to explain about single ones.
  if (isZendesk(target, callerId)) return { abilities, refusals };
  for (const action of ACTIONS) {
    const error = getRefusal(action, target, callerId) ?? POINTLESS[action]?.(target, callerId);
    if (error === undefined) abilities.push(action);
    else if (EXPLAINED.includes(action)) refusals[action] = error;
  }
  return { abilities, refusals };
}
