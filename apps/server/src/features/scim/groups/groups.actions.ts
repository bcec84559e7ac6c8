import { applyGroupChannels } from '#workspace/channels/apply-groups.actions.ts';
import { keepScimIds } from '#workspace/users/identity-providers/provisioning.store.ts';
import { findGroupRoles } from '../company-sign-in.ts';
import type { Provisioning } from '../provisioning.ts';
import { findUserIds } from '../users/users.store.ts';
import { applyGroupRoles, type Regrouped } from './apply-roles.actions.ts';
import type { GroupChange, MemberStep } from './group.ts';
import { listGivenRoles } from './group-roles.ts';
import * as store from './groups.store.ts';

export async function addGroup(provisioning: Provisioning, group: Required<GroupChange>): Promise<string> {
  const { trx, teamId, tokenId, audit, note } = provisioning;
  const id = await store.addGroup(trx, { teamId, ...group, externalId: group.externalId ?? null });
  const { added } = await changeMembers(provisioning, id, group.steps);
  note(`Added the group “${group.displayName}” with ${count(added.size, 'member')}.`);
  await audit({
    action: 'scim.group_added',
    teamId,
    actorId: null,
    target: id,
    details: { scim_token_id: tokenId, name: group.displayName, added: added.size },
  });
  await applyGroup(provisioning, { groupId: id, userIds: [...added] });
  return id;
}

export async function saveGroup(provisioning: Provisioning, row: store.GroupRow, change: GroupChange): Promise<void> {
  const { trx, teamId, tokenId, audit, note } = provisioning;
  const { displayName = row.display_name, externalId = row.external_id } = change;
  const renamed = displayName !== row.display_name;
  const { added, removed } = await changeMembers(provisioning, row.id, change.steps);
  if (!renamed && externalId === row.external_id && added.size + removed.size === 0) return;
  await store.saveGroup(trx, { teamId, id: row.id, displayName, externalId });
  if (renamed) note(`Renamed the group “${row.display_name}” to “${displayName}”.`);
  if (added.size + removed.size > 0)
    note(`“${displayName}”: added ${count(added.size, 'member')}, removed ${removed.size}.`);
  await audit({
    action: 'scim.group_changed',
    teamId,
    actorId: null,
    target: row.id,
    details: {
      scim_token_id: tokenId,
      name: displayName,
      ...(renamed && { renamed }),
      added: added.size,
      removed: removed.size,
    },
  });
  const isOther = renamed || externalId !== row.external_id;
  const staying = isOther ? await store.listMemberIds(trx, teamId, row.id) : [...added];
  const left = new Set((await givesRole(provisioning, row)) ? [...removed, ...(isOther ? staying : [])] : []);
  await applyGroup(provisioning, { groupId: row.id, userIds: [...staying, ...removed], left });
}

/** The members stay in the team. */
export async function removeGroup(provisioning: Provisioning, row: store.GroupRow): Promise<void> {
  const { trx, teamId, tokenId, audit, note } = provisioning;
  const members = await store.listMemberIds(trx, teamId, row.id);
  await store.removeGroup(trx, teamId, row.id);
  note(`Removed the group “${row.display_name}”.`);
  await audit({
    action: 'scim.group_removed',
    teamId,
    actorId: null,
    target: row.id,
    details: { scim_token_id: tokenId, name: row.display_name },
  });
  const left = new Set((await givesRole(provisioning, row)) ? members : []);
  await applyGroup(provisioning, { groupId: row.id, userIds: members, left });
}

/** Users in one statement. */
const CHUNK = 500;

/** Applies the roles and the channels that groups give to users whose groups have changed. */
async function applyGroup(provisioning: Provisioning, regrouped: Regrouped): Promise<void> {
  const { trx, teamId, audit, note } = provisioning;
  const { groupId, userIds } = regrouped;
  await applyGroupRoles(provisioning, regrouped);
  const members = await store.listPersonIds(trx, teamId, userIds);
  const done = { joined: 0, removed: 0 };
  for (let from = 0; from < members.length; from += CHUNK) {
    const { joined, removed } = await applyGroupChannels(trx, teamId, members.slice(from, from + CHUNK));
    done.joined += joined;
    done.removed += removed;
  }
  if (done.joined + done.removed === 0) return;
  note(`Channels of groups: ${done.joined} joined, ${done.removed} removed.`);
  const details = { group_id: groupId, ...done };
  await audit({ action: 'channels.groups_applied', teamId, actorId: null, target: teamId, details });
}

async function givesRole({ trx, teamId }: Provisioning, row: store.GroupRow): Promise<boolean> {
  return listGivenRoles(row, await findGroupRoles(trx, teamId)).length > 0;
}

interface MemberChange {
  added: Set<string>;
  removed: Set<string>;
}

/** Applies the steps in order. A member added and removed again doesn't count as changed. */
async function changeMembers(
  provisioning: Provisioning,
  groupId: string,
  steps: readonly MemberStep[],
): Promise<MemberChange> {
  const change: MemberChange = { added: new Set(), removed: new Set() };
  for (const step of steps) {
    const { added, removed } = await takeStep(provisioning, groupId, step);
    for (const id of added) if (!change.removed.delete(id)) change.added.add(id);
    for (const id of removed) if (!change.added.delete(id)) change.removed.add(id);
  }
  return change;
}

async function takeStep(
  { trx, teamId, note }: Provisioning,
  groupId: string,
  { kind, ids }: MemberStep,
): Promise<{ added: string[]; removed: string[] }> {
  const members = { teamId, groupId, userIds: ids };
  if (kind === 'remove') return { added: [], removed: await store.removeMembers(trx, members) };
  const known = await findUserIds(trx, teamId, ids);
  // The group at the provider may still contain a user whom an owner removed. This must not keep out the others.
  const unknown = new Set(ids.filter((id) => !known.has(id))).size;
  if (unknown > 0) note(`Left out ${count(unknown, 'member')} who ${unknown === 1 ? "isn't" : "aren't"} in the team.`);
  members.userIds = [...known.keys()];
  await keepScimIds(
    trx,
    teamId,
    [...known.values()].filter((userId) => userId !== null),
  );
  const removed = kind === 'replace' ? await store.removeOtherMembers(trx, members) : [];
  return { added: await store.addMembers(trx, members), removed };
}

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`;
