import { z } from 'zod';

export const Role = z.enum(['team_user', 'team_admin', 'team_owner', 'zendesk']);
export type Role = z.infer<typeof Role>;

/** Users with this role post the messages of integrations. Its stored and wire name is older than the second integration. */
export const INTEGRATION_ROLE = 'zendesk' satisfies Role;

/** An integration's user can't sign in and isn't managed. */
export function hasIntegrationRole(roles: readonly string[]): boolean {
  return roles.includes(INTEGRATION_ROLE);
}

/** Account types an admin can choose: 1 Team Admin, 2 Team User. */
export const AccountType = z.union([z.literal(1), z.literal(2)]);
export type AccountType = z.infer<typeof AccountType>;

/** `type` of a real account; anything else is a pending invitee. */
export const REAL_ACCOUNT = 2;
/** `type` of a user who was invited and hasn't accepted yet. */
export const PENDING_INVITEE = 1;

/**
 * `invited`: until the user accepts, the team sees only what it typed. `deactivated`: the membership grants nothing, but keeps
 * roles and channels.
 */
export const MemberState = z.enum(['invited', 'active', 'deactivated']);
export type MemberState = z.infer<typeof MemberState>;

export type AccountKind = 'Zendesk' | 'Team Owner' | 'Team Admin' | 'Team User' | 'Pending Invitee';

/** Owners count as admins. */
export function isAdminOfTeam(roles: readonly string[]): boolean {
  return roles.includes('team_admin') || roles.includes('team_owner');
}

export function accountKind(user: { roles: readonly string[]; type: number }): AccountKind {
  const has = (role: Role) => user.roles.includes(role);
  if (hasIntegrationRole(user.roles)) return 'Zendesk';
  if (user.type !== REAL_ACCOUNT) return 'Pending Invitee';
  if (has('team_user') && has('team_admin') && has('team_owner')) return 'Team Owner';
  if (has('team_user') && has('team_admin')) return 'Team Admin';
  return 'Team User';
}

export function toAccountType(roles: readonly string[]): AccountType {
  return isAdminOfTeam(roles) ? 1 : 2;
}

export function isOwnerOfTeam(roles: readonly string[]): boolean {
  return roles.includes('team_owner');
}

export function toRoles(accountType: AccountType): Role[] {
  return accountType === 1 ? ['team_user', 'team_admin'] : ['team_user'];
}
