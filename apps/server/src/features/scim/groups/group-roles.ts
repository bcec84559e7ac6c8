import { isAdminOfTeam, isOwnerOfTeam } from '@steward/contract/users/roles';
import type { GroupRole } from '../company-sign-in.ts';

interface Member {
  roles: readonly string[];
  group_names: readonly string[];
}

/**
 * The role that a member's groups give; undefined for no change. Owners stay owners. The strongest of several roles counts. A
 * member without a mapped group keeps the role, unless they have just left such a group.
 */
export function getRoleChange(
  member: Member,
  { groupRoles, hasLeft }: { groupRoles: Readonly<Record<string, GroupRole>>; hasLeft: boolean },
): GroupRole | undefined {
  if (isOwnerOfTeam(member.roles)) return undefined;
  const given = member.group_names.flatMap((name) => (Object.hasOwn(groupRoles, name) ? [groupRoles[name]] : []));
  if (given.length === 0 && !hasLeft) return undefined;
  const role = given.includes('team_admin') ? 'team_admin' : 'team_user';
  return isAdminOfTeam(member.roles) === (role === 'team_admin') ? undefined : role;
}
