import type { UserAction } from '@steward/contract/users';

const ACTIONS = [
  'make_admin',
  'make_user',
  'make_owner',
  'remove_owner',
  'deactivate',
  'reactivate',
  'remove',
] as const;

/** An action that changes a user's membership. */
export type LifecycleAction = (typeof ACTIONS)[number];

/** Whether an action, or another dialog, is one that changes a membership. */
export function isLifecycleAction(action: UserAction | 'add' | 'failed'): action is LifecycleAction {
  return ACTIONS.some((name) => name === action);
}

/** The action that takes this one back; a removed user has to be invited again. */
export const REVERSE: Partial<Record<LifecycleAction, LifecycleAction>> = {
  make_admin: 'make_user',
  make_user: 'make_admin',
  make_owner: 'remove_owner',
  remove_owner: 'make_owner',
  deactivate: 'reactivate',
  reactivate: 'deactivate',
};
