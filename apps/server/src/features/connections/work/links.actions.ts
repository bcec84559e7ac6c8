import { Email } from '@steward/contract/api/fields';
import type { inviteConnectedUser, unlinkConnectedUser } from '@steward/contract/connections';
import { toRoles } from '@steward/contract/users/roles';
import type { Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import type { TeamAdmin } from '#workspace/access/access.ts';
import { inviteAddresses } from '#workspace/access/memberships/invitations.actions.ts';
import type { Changed } from '#workspace/changes/change.ts';
import { addInvitedLink, removeLink } from '#workspace/users/connected-links.store.ts';
import { findByEmail } from '#workspace/users/members.store.ts';
import { type MappingKey, type StoredMapping, shareMapping } from '../mappings.store.ts';
import { listConnectedUsers, type StoredConnectedUser } from './work.store.ts';

interface LinkInput {
  who: TeamAdmin;
  key: MappingKey;
  remoteUserId: string;
}

const DONE = { status_code: 200 } as const;
/** Roles of the server give no right here. */
const TEAM_USER = toRoles(2);

/**
 * Invites a user of the server. The link to the account belongs to this invitation: an equal address means nothing, because the
 * server lets people change theirs without proof.
 */
export async function inviteFromServer(
  trx: Trx,
  deps: Deps,
  { who, key, remoteUserId, email }: LinkInput & { email: string },
): Promise<Changed<typeof inviteConnectedUser>> {
  const user = await findConnectedUser(trx, await requireAccepted(trx, key), remoteUserId);
  if (user.account !== null && user.account.state !== 'left') refuse('connections.linked');
  if (!canInvite(user)) refuse('connections.not_invitable');
  if (Email.parse(user.email) !== email) refuse('connections.address_changed');
  const { teamId, serverId } = key;
  if (await findByEmail(trx, teamId, email)) refuse('connections.address_in_team');
  const inviting = { teamId, invitedBy: who.userId };
  const users = [{ email, first_name: '', last_name: '', roles: TEAM_USER }];
  const target = (await inviteAddresses(trx, deps, { ...inviting, users })).get(email);
  // Another call invited the same address between our lookup and our insert.
  if (target === undefined) refuse('record.conflict', 'This address was just added. Try again.');
  if (!(await addInvitedLink(trx, { serverId, teamId, remoteUserId, invitationId: target })))
    refuse('connections.linked');
  const details = { connection_id: serverId, remote_user_ids: [remoteUserId] };
  return {
    answer: DONE,
    audit: { action: 'users.invited_from_server', teamId, actorId: who.userId, target, details },
  };
}

/** Forgets the link. The account stays a member, and an invitation stays open. */
export async function unlink(
  trx: Trx,
  { who, key, remoteUserId }: LinkInput,
): Promise<Changed<typeof unlinkConnectedUser>> {
  await findConnectedUser(trx, await requireAccepted(trx, key), remoteUserId);
  const { teamId, serverId } = key;
  const removed = (await removeLink(trx, { serverId, teamId, remoteUserId })) ?? refuse('connections.not_linked');
  const details = { connection_id: serverId, remote_user_ids: [remoteUserId] };
  const target = removed.person_id ?? '';
  return {
    answer: DONE,
    audit: { action: 'users.unlinked_from_server', teamId, actorId: who.userId, target, details },
  };
}

async function requireAccepted(trx: Trx, key: MappingKey): Promise<StoredMapping> {
  const mapping = (await shareMapping(trx, key)) ?? refuse('record.not_found');
  if (mapping.accepted_at === 0) refuse('connections.not_accepted');
  return mapping;
}

async function findConnectedUser(trx: Trx, mapping: StoredMapping, id: string): Promise<StoredConnectedUser> {
  const [user] = await listConnectedUsers(trx, mapping, { ids: [id], former: true, limit: 1 });
  return user ?? refuse('record.not_found');
}

/** Bots, deactivated users and users who left the team are not invited, nor are those whose address can't get email. */
export function canInvite({ account, is_bot, is_former, deactivated_at, email }: StoredConnectedUser): boolean {
  const isFree = account === null || account.state === 'left';
  return isFree && !is_bot && !is_former && deactivated_at === 0 && Email.safeParse(email).success;
}
