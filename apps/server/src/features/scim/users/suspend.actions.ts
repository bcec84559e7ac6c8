import { refuse } from '#platform/http/errors.ts';
import {
  deactivateMember,
  type EndedAccess,
  isLastOwner,
} from '#workspace/access/memberships/end-membership.actions.ts';
import { applyGroupChannels } from '#workspace/channels/apply-groups.actions.ts';
import {
  detachMembership,
  keepScimIds,
  saveProvisionedUser,
  saveSuspendedAt,
} from '#workspace/users/identity-providers/provisioning.store.ts';
import { findMember } from '#workspace/users/members.store.ts';
import { removeMembership, saveDeactivated } from '#workspace/users/memberships.store.ts';
import type { Provisioning } from '../provisioning.ts';
import { joinTeam } from './join-team.actions.ts';
import type { UserInput } from './user.ts';
import { listAddresses } from './user.ts';
import { findDeactivatedAt, type UserRow } from './users.store.ts';

/** Deactivates a member, or cancels an invitation. The received attributes are kept. */
export async function suspend(provisioning: Provisioning, row: UserRow): Promise<void> {
  const { trx, deps, teamId, tokenId, audit, note } = provisioning;
  const member = row.person_id === null ? undefined : await findMember(trx, teamId, row.person_id);
  if (!member) return;
  await keepScimIds(trx, teamId, [member.id]);
  const event = { action: 'scim.user_deactivated', teamId, actorId: null, target: member.id } as const;
  if (member.state === 'invited') {
    await detachMembership(trx, teamId, row.id);
    await removeMembership(trx, teamId, member.id);
    note(`Canceled the invitation of ${row.user_name}.`);
    return audit({ ...event, details: { scim_token_id: tokenId, sessions: 0, links: 0, tokens: 0, before: [] } });
  }
  if (await isLastOwner(trx, { teamId, member })) refuse('scim.last_owner');
  const ended = await deactivateMember(trx, deps, { teamId, member });
  await saveSuspendedAt(trx, { teamId, id: row.id, suspendedAt: await findDeactivatedAt(trx, teamId, member.id) });
  note(`Deactivated ${row.user_name}, and ended ${describeEnded(ended)}.`);
  await audit({ ...event, details: { scim_token_id: tokenId, ...toDetails(ended) } });
}

/** Lifts only a deactivation by the identity provider, not one by an admin or by an end date. */
export async function activate(provisioning: Provisioning, row: UserRow, user: UserInput): Promise<void> {
  const { trx, teamId, tokenId, audit, note } = provisioning;
  if (row.person_id === null) return rejoin(provisioning, row, user);
  if (row.is_over)
    return note(
      `${row.user_name} is still deactivated: the last day of the membership is over. An admin has to lift it.`,
    );
  if (!row.is_suspended)
    return note(`${row.user_name} is still deactivated: an admin did that, so an admin has to lift it.`);
  await saveDeactivated(trx, { teamId, userId: row.person_id, deactivated: false });
  await applyGroupChannels(trx, teamId, [row.person_id]);
  await saveSuspendedAt(trx, { teamId, id: row.id, suspendedAt: null });
  note(`Reactivated ${row.user_name}.`);
  await audit({
    action: 'scim.user_reactivated',
    teamId,
    actorId: null,
    target: row.person_id,
    details: { scim_token_id: tokenId },
  });
}

async function rejoin(provisioning: Provisioning, row: UserRow, user: UserInput): Promise<void> {
  const { trx, teamId, tokenId, audit } = provisioning;
  const { userId, joining } = await joinTeam(provisioning, user);
  await saveProvisionedUser(trx, { teamId, id: row.id, userId, ...user, addresses: listAddresses(user) });
  await audit({
    action: 'scim.user_added',
    teamId,
    actorId: null,
    target: userId,
    details: { scim_token_id: tokenId, joined_as: joining },
  });
}

export function toDetails({ revoked, devices, links, tokens }: EndedAccess) {
  return { sessions: revoked, links, tokens, before: devices };
}

export function describeEnded({ revoked, tokens }: EndedAccess): string {
  const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`;
  return `${count(revoked, 'session')} and ${count(tokens, 'service token')}`;
}
