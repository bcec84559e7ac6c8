import { ERRORS } from '@steward/contract/api/errors';
import type { User } from '@steward/contract/users';
import { accountKind } from '@steward/contract/users/roles';

/** What can be done to a person from their row (spec §2); an invitation that waits for its answer is sent again or withdrawn. */
export type ActionName = 'edit' | 'resend' | 'cancel' | 'sessions' | 'revoke' | 'reset';

/** One item of the menu; `refusal` says why it cannot be chosen now, in the words that the server would answer. */
export interface UserAction {
  name: ActionName;
  label: string;
  refusal?: string;
}

/** Why a Zendesk row has no menu (spec §6). */
export const NO_ACTIONS = ERRORS['users.zendesk_has_no_actions'].message;

const NO_PASSWORD = 'This person has not accepted the invitation yet and has no password.';

/** The menu of a row; `null` for users of kind Zendesk, who have none (spec §6). */
export function actionsFor(person: User, signedInId: string): UserAction[] | null {
  if (accountKind(person) === 'Zendesk') return null;
  return [
    action('edit', 'Edit', editRefusal(person)),
    ...invitationActions(person),
    ...(person.id === signedInId ? [{ name: 'sessions' as const, label: 'Your sessions' }] : []),
    action('revoke', 'Revoke all sessions', revokeRefusal(person, signedInId)),
    action('reset', 'Send password reset', resetRefusal(person)),
  ];
}

function invitationActions(person: User): UserAction[] {
  if (!isPending(person) || person.delete_at > 0) return [];
  return [
    { name: 'resend', label: 'Resend invitation' },
    { name: 'cancel', label: 'Cancel invitation' },
  ];
}

function action(name: ActionName, label: string, refusal: string | undefined): UserAction {
  return refusal === undefined ? { name, label } : { name, label, refusal };
}

function editRefusal(person: User): string | undefined {
  if (person.delete_at > 0) return ERRORS['users.deactivated'].message;
  return person.roles.includes('team_owner') ? ERRORS['users.owner_is_locked'].message : undefined;
}

function revokeRefusal(person: User, signedInId: string): string | undefined {
  if (person.id === signedInId) return ERRORS['users.own_account'].message;
  if (person.delete_at > 0) return ERRORS['users.deactivated'].message;
  return isPending(person) ? ERRORS['users.pending_has_no_sessions'].message : undefined;
}

function resetRefusal(person: User): string | undefined {
  if (person.delete_at > 0) return ERRORS['users.deactivated'].message;
  return isPending(person) ? NO_PASSWORD : undefined;
}

function isPending(person: User): boolean {
  return accountKind(person) === 'Pending Invitee';
}
