import { isAdminOfTeam, isOwnerOfTeam } from '@steward/contract/users/roles';
import type { GroupRole } from '../company-sign-in.ts';

interface Member {
  roles: readonly string[];
  groups: readonly GroupKeys[];
}

/** A sign-in names a group by its name, or by the provider's id, which SCIM sends as the external id. */
export interface GroupKeys {
  display_name: string;
  external_id: string | null;
}

type GroupRoles = Readonly<Record<string, GroupRole>>;

/** The roles that the single sign-on gives to a group under either of its keys. */
export function listGivenRoles({ display_name, external_id }: GroupKeys, groupRoles: GroupRoles): GroupRole[] {
  return [display_name, external_id ?? ''].flatMap((key) => {
    const role = Object.hasOwn(groupRoles, key) ? groupRoles[key] : undefined;
    return role === undefined ? [] : [role];
  });
}

/**
 * The role that a member's groups give; undefined for no change. Owners stay owners. The strongest of several roles counts. A
 * member without a mapped group keeps the role, unless they have just left such a group.
 */
export function getRoleChange(
  member: Member,
  { groupRoles, hasLeft }: { groupRoles: GroupRoles; hasLeft: boolean },
): GroupRole | undefined {
  if (isOwnerOfTeam(member.roles)) return undefined;
  const given = member.groups.flatMap((group) => listGivenRoles(group, groupRoles));
  if (given.length === 0 && !hasLeft) return undefined;
  const role = given.includes('team_admin') ? 'team_admin' : 'team_user';
  return isAdminOfTeam(member.roles) === (role === 'team_admin') ? undefined : role;
}
