import { type ListedUser, listUsers, type UserAction } from '@steward/contract/users';
import { listFailedInvitations } from '@steward/contract/users/invitations';
import type { UserDetails } from '@steward/contract/users/panel';
import { screen, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { answer } from './fake-server.ts';
import { OLIVIA } from './open-screen.tsx';

/** An id of 26 characters that begins with the name. */
export function toId(name: string): string {
  const letters = name.toLowerCase().replace(/[^a-z0-9]/g, '');
  return letters.padEnd(26, '0').slice(0, 26);
}

const ABILITIES: readonly UserAction[] = [
  ...(['edit', 'revoke_sessions', 'view_sign_ins', 'send_password_reset', 'make_admin', 'make_owner'] as const),
  ...(['deactivate', 'remove', 'export'] as const),
];

/** An active member, unless the fields say otherwise. */
export function member(first_name: string, last_name: string, fields: Partial<ListedUser> = {}): ListedUser {
  return {
    ...OLIVIA,
    id: toId(first_name + last_name),
    first_name,
    last_name,
    roles: ['team_user'],
    email: `${first_name}.${last_name}@example.test`.toLowerCase(),
    state: 'active',
    joined_at: 1,
    invited_at: null,
    last_active_at: null,
    ends_on: null,
    invitation: null,
    abilities: [...ABILITIES],
    refusals: {},
    ...fields,
  };
}

export function invitee(first_name: string, last_name: string, fields: Partial<ListedUser> = {}): ListedUser {
  return member(first_name, last_name, {
    state: 'invited',
    type: 1,
    joined_at: null,
    invited_at: 1,
    abilities: ['edit', 'resend_invitation', 'cancel_invitation'],
    refusals: {
      revoke_sessions: 'users.pending_has_no_sessions',
      send_password_reset: 'users.pending_has_no_password',
    },
    ...fields,
  });
}

export const listedOlivia = member('Olivia', 'Owner', {
  ...OLIVIA,
  abilities: ['view_sessions', 'view_sign_ins'],
  refusals: { edit: 'users.own_account', revoke_sessions: 'users.own_account' },
});

export function answerUsers(...users: ListedUser[]): void {
  const records = [...users, listedOlivia];
  answer(listUsers, { records, last_key: null, total: records.length });
  answer(listFailedInvitations, { records: [], last_key: null });
}

export async function findRow(name: string): Promise<HTMLElement> {
  const table = within(await screen.findByRole('table', { name: 'People' }));
  return (await table.findByText(name)).closest('[role="row"]') as HTMLElement;
}

export async function chooseAction(user: UserEvent, name: string, action: string): Promise<void> {
  await user.click(await screen.findByRole('button', { name: `Actions for ${name}` }));
  await user.click(await screen.findByRole('menuitem', { name: action }));
}

export const findDialog = (name: string | RegExp) => screen.findByRole('dialog', { name });

export const details = (user: ListedUser, fields: Partial<UserDetails> = {}): UserDetails => ({
  ...user,
  invited_by: null,
  invitation_link: null,
  sessions: 0,
  sign_ins: [],
  tokens: 0,
  links: 0,
  holds: [],
  directory_entry_id: '',
  sso: null,
  second_factor: false,
  lives_on: [],
  ...fields,
});
