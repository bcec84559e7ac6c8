import { ERRORS } from '@steward/contract/api/errors';
import type { ListedUser, UserAction } from '@steward/contract/users';
import type { UserDetails } from '@steward/contract/users/panel';
import type { IconName } from '#platform/page/icon.tsx';

/** `refusal` is the server's reason why the item can't be chosen now. */
export interface MenuItem {
  name: UserAction;
  label: string;
  refusal?: string;
}

/** The items are in the order of the menu. */
const LABELS: Record<UserAction, string> = {
  edit: 'Edit',
  resend_invitation: 'Resend invitation',
  cancel_invitation: 'Cancel invitation',
  view_sessions: 'Your sessions',
  revoke_sessions: 'Revoke all sessions',
  view_sign_ins: 'Sign-ins',
  send_password_reset: 'Send password reset',
  reset_factors: 'Remove second factors',
  make_admin: 'Make admin',
  make_user: 'Make user',
  make_owner: 'Make owner',
  remove_owner: 'Remove as owner',
  deactivate: 'Deactivate',
  reactivate: 'Reactivate',
  remove: 'Remove from team',
  export: 'Export data',
  erase: 'Erase',
};

export const ACTION_ICONS: Record<UserAction, IconName> = {
  edit: 'edit',
  resend_invitation: 'mail',
  cancel_invitation: 'close',
  view_sessions: 'screen',
  revoke_sessions: 'leave',
  view_sign_ins: 'clock',
  send_password_reset: 'key',
  reset_factors: 'phone',
  make_admin: 'shield',
  make_user: 'people',
  make_owner: 'shield',
  remove_owner: 'people',
  deactivate: 'lock',
  reactivate: 'undo',
  remove: 'trash',
  export: 'download',
  erase: 'trash',
};

export const NO_ACTIONS = ERRORS['users.zendesk_has_no_actions'].message;

/**
 * The server decides which items are allowed. The result is null if there is nothing to show. Only the panel knows if a
 * user has a second factor.
 */
export function getMenu({
  abilities,
  refusals,
  second_factor = false,
}: ListedUser & Partial<Pick<UserDetails, 'second_factor'>>): MenuItem[] | null {
  const items: MenuItem[] = [];
  for (const name of Object.keys(LABELS) as UserAction[]) {
    // The dialog that revokes the sessions of other users lists them too. Own sessions can't be revoked that way.
    if (name === 'view_sessions' && refusals.revoke_sessions !== 'users.own_account') continue;
    if (name === 'reset_factors' && !second_factor) continue;
    const refusal = refusals[name];
    if (abilities.includes(name)) items.push({ name, label: LABELS[name] });
    else if (refusal !== undefined) items.push({ name, label: LABELS[name], refusal: ERRORS[refusal].message });
  }
  return items.length === 0 ? null : items;
}
