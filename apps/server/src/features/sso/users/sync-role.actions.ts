import type { SsoRole } from '@steward/contract/sso/connection';
import { isAdminOfTeam, isOwnerOfTeam } from '@steward/contract/users/roles';
import type { Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { defuseLinks } from '#platform/mail/email-template.ts';
import { stopTokens } from '#workspace/access/tokens.store.ts';
import { addAuditEvent } from '#workspace/audit/audit.store.ts';
import { notifyManagers } from '#workspace/notices/notify-managers.ts';
import { hasProvisionedRoles } from '#workspace/users/identity-providers/provisioning.store.ts';
import { type MemberRow, saveRoles } from '#workspace/users/memberships.store.ts';
import { findUserName } from '#workspace/users/users.store.ts';
import type { Arrival } from './arrival.ts';
import { toGroupRole } from './claims.rules.ts';

/** The roles of a membership that a provider can give. */
export function toStoredRoles(role: SsoRole): string[] {
  return role === 'team_admin' ? ['team_user', 'team_admin'] : ['team_user'];
}

/** Owners stay owners, and unknown groups change nothing. */
export async function syncRole(trx: Trx, deps: Deps, arrival: Arrival & { member: MemberRow }): Promise<void> {
  const { connection, claims, member, origin } = arrival;
  const role = toGroupRole(connection, claims.groups);
  if (role === undefined || isOwnerOfTeam(member.roles)) return;
  if (isAdminOfTeam(member.roles) === (role === 'team_admin')) return;
  const { team_id: teamId } = connection;
  // Groups from provisioning are more recent than those of a sign-in.
  const groups = Object.keys(connection.group_roles);
  if (await hasProvisionedRoles(trx, { teamId, userId: member.id, groups })) return;
  const roles = toStoredRoles(role);
  await saveRoles(trx, { teamId, userId: member.id, roles });
  if (role === 'team_user') await stopTokens(trx, teamId, member.id);
  const details = { before: { roles: member.roles }, after: { roles } };
  const event = { teamId, actorId: null, target: member.id, details };
  await addAuditEvent(trx, deps, { action: 'sso.role_changed', ...event, origin });
  await notifyPromoted(trx, deps, { teamId, member: { ...member, roles } });
}

/** Emails the owners and admins if the provider has given a member the admin role. */
export async function notifyPromoted(
  trx: Trx,
  deps: Deps,
  { teamId, member }: { teamId: string; member: MemberRow },
): Promise<void> {
  if (!isAdminOfTeam(member.roles)) return;
  const name = defuseLinks(await findUserName(trx, member.id));
  await notifyManagers(trx, deps, {
    teamId,
    actorId: null,
    userIds: [member.id],
    kind: 'new_admin',
    subject: 'new admin',
    describe: (team) => `${name} is now an admin of ${team}, by single sign-on.`,
    action: { label: 'View users', path: '/users/users' },
  });
}
