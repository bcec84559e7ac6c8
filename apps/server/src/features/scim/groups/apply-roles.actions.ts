import { toRoles } from '@steward/contract/users/roles';
import { defuseLinks } from '#platform/mail/email-template.ts';
import { stopTokens } from '#workspace/access/tokens.store.ts';
import { notifyManagers } from '#workspace/notices/notify-managers.ts';
import { lockMembers } from '#workspace/users/members.store.ts';
import { saveRoles } from '#workspace/users/memberships.store.ts';
import { findGroupRoles } from '../company-sign-in.ts';
import type { Provisioning } from '../provisioning.ts';
import { getRoleChange } from './group-roles.ts';
import { type GroupedUser, listGroupedUsers } from './groups.store.ts';

/** Includes users who left a group with a role. */
export interface Regrouped {
  /** '' if the change was of a user. */
  groupId: string;
  userIds: readonly string[];
  left?: ReadonlySet<string>;
}

const NOBODY: ReadonlySet<string> = new Set();

export async function applyGroupRoles(
  provisioning: Provisioning,
  { groupId, userIds, left = NOBODY }: Regrouped,
): Promise<void> {
  const { trx, teamId, tokenId, audit, note } = provisioning;
  const groupRoles = await findGroupRoles(trx, teamId);
  if (userIds.length === 0 || Object.keys(groupRoles).length === 0) return;
  const users = await listGroupedUsers(trx, teamId, userIds);
  await lockMembers(
    trx,
    teamId,
    users.map(({ person_id }) => person_id),
  );
  // The first read was without locks.
  const locked = await listGroupedUsers(trx, teamId, userIds);
  const changing = (role: string) =>
    locked.filter((user) => getRoleChange(user, { groupRoles, hasLeft: left.has(user.user_id) }) === role);
  const [admins, members] = [changing('team_admin'), changing('team_user')];
  if (admins.length + members.length === 0) return;
  await saveRoles(trx, { teamId, userId: toIds(admins), roles: toRoles(1) });
  await saveRoles(trx, { teamId, userId: toIds(members), roles: toRoles(2) });
  await stopTokens(trx, teamId, toIds(members));
  await notifyOfAdmins(
    provisioning,
    admins.filter(({ is_invited }) => !is_invited),
  );
  if (admins.length > 0) note(`Made ${count(admins.length, 'user')} ${admins.length === 1 ? 'an admin' : 'admins'}.`);
  if (members.length > 0) note(`Made ${count(members.length, 'admin')} ${members.length === 1 ? 'a user' : 'users'}.`);
  await audit({
    action: 'scim.roles_changed',
    teamId,
    actorId: null,
    target: null,
    details: { scim_token_id: tokenId, made_admins: toIds(admins), made_users: toIds(members), group_id: groupId },
  });
}

const toIds = (users: readonly GroupedUser[]) => users.map(({ person_id }) => person_id);
const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`;

async function notifyOfAdmins({ trx, deps, teamId }: Provisioning, admins: readonly GroupedUser[]): Promise<void> {
  if (admins.length === 0) return;
  await notifyManagers(trx, deps, {
    teamId,
    actorId: null,
    userIds: toIds(admins),
    kind: 'new_admin',
    subject: admins.length === 1 ? 'new admin' : 'new admins',
    describe: (team) =>
      `Groups of your identity provider made ${count(admins.length, 'user')} ${admins.length === 1 ? 'an admin' : 'admins'} of ${defuseLinks(team)}.`,
    action: { label: 'View users', path: '/users/users' },
  });
}
