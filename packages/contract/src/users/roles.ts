import { z } from 'zod';

/** Roles a person can have in a team (spec §6). */
export const Role = z.enum(['team_user', 'team_admin', 'team_owner', 'zendesk']);
export type Role = z.infer<typeof Role>;

/** Account types that can be given to a person: 1 Team Admin, 2 Team User (spec §9). */
export const AccountType = z.union([z.literal(1), z.literal(2)]);
export type AccountType = z.infer<typeof AccountType>;

/** `type` of a real account; anything else is a pending invitee (spec §3). */
export const REAL_ACCOUNT = 2;
/** `type` of somebody who was invited and has not answered yet. */
export const PENDING_INVITEE = 1;

/** What a person is called in lists and files (spec §3, derived account kind). */
export type AccountKind = 'Zendesk' | 'Team Owner' | 'Team Admin' | 'Team User' | 'Pending Invitee';

/** Whether these roles make somebody an admin of the team (spec §3, team membership). */
export function isAdminOfTeam(roles: readonly string[]): boolean {
  return roles.includes('team_admin') || roles.includes('team_owner');
}

/** Account kind from roles and type, by the rules of spec §3. */
export function accountKind(person: { roles: readonly string[]; type: number }): AccountKind {
  const has = (role: Role) => person.roles.includes(role);
  if (has('zendesk')) return 'Zendesk';
  if (person.type !== REAL_ACCOUNT) return 'Pending Invitee';
  if (has('team_user') && has('team_admin') && has('team_owner')) return 'Team Owner';
  if (has('team_user') && has('team_admin')) return 'Team Admin';
  return 'Team User';
}

/** Account type that stands for these roles in the add and edit dialog (spec §5). */
export function toAccountType(roles: readonly string[]): AccountType {
  return isAdminOfTeam(roles) ? 1 : 2;
}

/** Roles that an account type gives (spec §9). */
export function toRoles(accountType: AccountType): Role[] {
  return accountType === 1 ? ['team_user', 'team_admin'] : ['team_user'];
}
