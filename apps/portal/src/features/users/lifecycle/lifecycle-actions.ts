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

export type LifecycleAction = (typeof ACTIONS)[number];

export function isLifecycleAction(action: UserAction | 'add' | 'failed'): action is LifecycleAction {
  return ACTIONS.some((name) => name === action);
}

/** A removed user has to be invited again, so removing has no reverse. */
export const REVERSE: Partial<Record<LifecycleAction, LifecycleAction>> = {
  make_admin: 'make_user',
  make_user: 'make_admin',
  make_owner: 'remove_owner',
  remove_owner: 'make_owner',
  deactivate: 'reactivate',
  reactivate: 'deactivate',
};
