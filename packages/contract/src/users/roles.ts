import { z } from 'zod';

/** Roles of a person in a team. */
export const Role = z.enum(['team_user', 'team_admin', 'team_owner', 'zendesk']);
export type Role = z.infer<typeof Role>;

/** The role of the users that post messages of integrations. Its stored and wire name is older than the second integration. */
export const INTEGRATION_ROLE = 'zendesk' satisfies Role;

/** Whether these roles are those of an integration's user, who can't sign in and isn't managed. */
export function hasIntegrationRole(roles: readonly string[]): boolean {
  return roles.includes(INTEGRATION_ROLE);
}

/** Account types an admin can choose: 1 Team Admin, 2 Team User. */
export const AccountType = z.union([z.literal(1), z.literal(2)]);
export type AccountType = z.infer<typeof AccountType>;

/** `type` of a real account; anything else is a pending invitee. */
export const REAL_ACCOUNT = 2;
/** `type` of a person who was invited and hasn't accepted yet. */
export const PENDING_INVITEE = 1;

/**
 * A membership of a team. `invited`: the team sees only what it typed, until the person accepts. `deactivated`: grants nothing,
 * and keeps roles and channels for a return.
 */
export const MemberState = z.enum(['invited', 'active', 'deactivated']);
export type MemberState = z.infer<typeof MemberState>;

/** Account kind as shown in lists and files. */
export type AccountKind = 'Zendesk' | 'Team Owner' | 'Team Admin' | 'Team User' | 'Pending Invitee';

/** Whether these roles include an admin or owner of the team. */
export function isAdminOfTeam(roles: readonly string[]): boolean {
  return roles.includes('team_admin') || roles.includes('team_owner');
}

/** Derives the account kind from roles and type. */
export function accountKind(person: { roles: readonly string[]; type: number }): AccountKind {
  const has = (role: Role) => person.roles.includes(role);
  if (hasIntegrationRole(person.roles)) return 'Zendesk';
  if (person.type !== REAL_ACCOUNT) return 'Pending Invitee';
  if (has('team_user') && has('team_admin') && has('team_owner')) return 'Team Owner';
  if (has('team_user') && has('team_admin')) return 'Team Admin';
  return 'Team User';
}

/** Account type of these roles in the add and edit dialog. */
export function toAccountType(roles: readonly string[]): AccountType {
  return isAdminOfTeam(roles) ? 1 : 2;
}

/** Whether these roles include an owner of the team. */
export function isOwnerOfTeam(roles: readonly string[]): boolean {
  return roles.includes('team_owner');
}

/** Roles of an account type. */
export function toRoles(accountType: AccountType): Role[] {
  return accountType === 1 ? ['team_user', 'team_admin'] : ['team_user'];
}
