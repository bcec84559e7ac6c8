import type { ListedUser, UserAction } from '@steward/contract/users';
import { toRoles } from '@steward/contract/users/roles';
import type { LifecycleAction } from './lifecycle-actions.ts';

const OWNER_ROLES: ListedUser['roles'] = ['team_user', 'team_admin', 'team_owner'];

/**
 * The row of a user as the server will return it, until the list is fetched again; null if the row leaves the list. What the
 * caller may do next is a guess that the server confirms.
 */
export function applyLifecycleAction(
  user: ListedUser,
  action: LifecycleAction,
  { at, showsDeactivated }: { at: number; showsDeactivated: boolean },
): ListedUser | null {
  switch (action) {
    case 'remove':
      return null;
    case 'deactivate': {
      const changed = {
        ...user,
        state: 'deactivated' as const,
        delete_at: at,
        abilities: withPrivacy(user, [...RETURN], 'deactivated'),
        refusals: {},
      };
      return showsDeactivated ? changed : null;
    }
    case 'reactivate':
      return {
        ...{ ...user, state: 'active', delete_at: 0, refusals: {} },
        abilities: withPrivacy(user, [...MEMBER, 'deactivate', 'remove'], 'active'),
      };
    case 'make_admin':
      return { ...user, roles: toRoles(1), account_type: 1, abilities: swap(user, 'make_admin', 'make_user') };
    case 'make_user':
      return { ...user, roles: toRoles(2), account_type: 2, abilities: swap(user, 'make_user', 'make_admin') };
    case 'make_owner':
      return { ...user, roles: OWNER_ROLES, account_type: 1, abilities: swap(user, 'make_owner', 'remove_owner') };
    case 'remove_owner':
      return { ...user, roles: toRoles(1), account_type: 1, abilities: swap(user, 'remove_owner', 'make_owner') };
  }
}

const RETURN: UserAction[] = ['view_sign_ins', 'reactivate', 'remove'];
const MEMBER: UserAction[] = ['edit', 'view_sessions', 'revoke_sessions', 'view_sign_ins', 'send_password_reset'];

/** Owners export the data of every user, and erase those who are deactivated. */
function withPrivacy({ abilities }: ListedUser, others: UserAction[], state: ListedUser['state']): UserAction[] {
  if (!abilities.includes('export')) return others;
  return state === 'active' ? [...others, 'export'] : [...others, 'export', 'erase'];
}

function swap({ abilities }: ListedUser, from: UserAction, to: UserAction): UserAction[] {
  return abilities.map((name) => (name === from ? to : name));
}
