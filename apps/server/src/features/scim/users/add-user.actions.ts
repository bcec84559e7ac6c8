import { hasIntegrationRole } from '@steward/contract/users/roles';
import { newId } from '#platform/database/ids.ts';
import { refuse } from '#platform/http/errors.ts';
import { keepScimIds, saveProvisionedUser } from '#workspace/users/identity-providers/provisioning.store.ts';
import { findByEmail, type MemberRow } from '#workspace/users/members.store.ts';
import type { Provisioning } from '../provisioning.ts';
import { type Joining, joinTeam } from './join-team.actions.ts';
import { saveUser, toInput } from './save-user.actions.ts';
import { listAddresses, toAddress, type UserInput } from './user.ts';
import { findInactiveByAddress, findUserByName, findUserOfMember, type UserRow } from './users.store.ts';

/**
 * Returns the new id. A member with this address who isn't managed yet becomes managed. A user added as inactive gets a
 * membership when activated.
 */
export async function addUser(
  provisioning: Provisioning,
  sent: Omit<UserInput, 'active'> & { active?: boolean | undefined },
): Promise<string> {
  const { trx, teamId } = provisioning;
  const user = { ...sent, active: sent.active ?? true };
  const address = toAddress(user);
  if (await findUserByName(trx, teamId, user.userName)) refuse('scim.uniqueness');
  const member = await findByEmail(trx, teamId, address);
  if (member) return takeOver(provisioning, member, user);
  if (await findInactiveByAddress(trx, teamId, address)) refuse('scim.uniqueness', ADDRESS_TAKEN);
  const id = newId();
  if (!user.active) return addInactive(provisioning, id, user);
  const { userId, joining } = await joinTeam(provisioning, user);
  // An invitation keeps its own id, under which owners also find it.
  await saveNew(provisioning, { id: joining === 'invited' ? userId : id, userId }, user);
  await auditAdded(provisioning, userId, joining);
  return joining === 'invited' ? userId : id;
}

const ADDRESS_TAKEN = 'Another user of the team has this address.';

async function addInactive(provisioning: Provisioning, id: string, user: UserInput): Promise<string> {
  await saveNew(provisioning, { id, userId: null }, user);
  provisioning.note(`Saved ${user.userName} as inactive: nobody was added to the team.`);
  await auditAdded(provisioning, id, 'inactive');
  return id;
}

async function takeOver(provisioning: Provisioning, member: MemberRow, user: UserInput): Promise<string> {
  const { trx, teamId } = provisioning;
  if (hasIntegrationRole(member.roles)) refuse('scim.uniqueness', ADDRESS_TAKEN);
  await keepScimIds(trx, teamId, [member.id]);
  const row = (await findUserOfMember(trx, teamId, member.id)) as UserRow;
  if (row.is_managed) refuse('scim.uniqueness', ADDRESS_TAKEN);
  provisioning.note(`Took over ${member.email}, who was in the team already.`);
  await saveUser(provisioning, row, { ...toInput(row), ...user });
  return row.id;
}

async function saveNew(
  { trx, teamId }: Provisioning,
  key: { id: string; userId: string | null },
  user: UserInput,
): Promise<void> {
  await saveProvisionedUser(trx, { teamId, ...key, ...user, addresses: listAddresses(user) });
}

async function auditAdded(
  { audit, teamId, tokenId }: Provisioning,
  target: string,
  as: Joining | 'inactive',
): Promise<void> {
  await audit({
    action: 'scim.user_added',
    teamId,
    actorId: null,
    target,
    details: { scim_token_id: tokenId, joined_as: as },
  });
}
