import type { Answer, Received } from '@steward/contract/api/endpoint';
import type { askConnectedServer, ConnectedUser } from '@steward/contract/connections';
import type { reportWork } from '@steward/contract/connections/connector';
import type { Database, Trx } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import { refuse } from '#platform/http/errors.ts';
import type { TeamAdmin } from '#workspace/access/access.ts';
import { addAuditEvent } from '#workspace/audit/audit.store.ts';
import type { Changed } from '#workspace/changes/change.ts';
import type { BridgeCall } from '../connector-guard.ts';
import { type MappingKey, type StoredMapping, shareMapping } from '../mappings.store.ts';
import { listWorkActions } from './connected-users.policy.ts';
import { canInvite } from './links.actions.ts';
import * as store from './work.store.ts';

/** A page of users with the actions that the caller may ask for. */
export async function describeUsers(
  db: Database | Trx,
  { mapping, userId }: { mapping: StoredMapping; userId: string },
  users: readonly store.StoredConnectedUser[],
): Promise<ConnectedUser[]> {
  const rights = await findRights(db, mapping, userId);
  return users.map((user) => {
    const { id, username, name, email, roles, is_bot, deactivated_at, account, last_work } = user;
    const known = { id, username, name, email, roles, is_bot, deactivated_at, account, last_work };
    return { ...known, can_invite: canInvite(user), ...listWorkActions(user, rights) };
  });
}

async function findRights(db: Database | Trx, mapping: StoredMapping, userId: string) {
  return {
    remoteTeamId: mapping.remote_id,
    adminOf: await store.listAdministered(db, mapping.server_id, userId),
    hasDefaultChannels: mapping.default_channel_ids.length > 0,
  };
}

/** Records the actions requested from the server. Users for whom the caller may not ask it are refused one by one. */
export async function askServer(
  trx: Trx,
  { who, key, body }: { who: TeamAdmin; key: MappingKey; body: Received<typeof askConnectedServer>['body'] },
): Promise<Changed<typeof askConnectedServer>> {
  const mapping = await shareMapping(trx, key);
  if (!mapping) refuse('record.not_found');
  if (mapping.accepted_at === 0) refuse('connections.not_accepted');
  const userIds = [...new Set(body.user_ids)];
  const page = { ids: userIds, limit: userIds.length };
  const users = await describeUsers(
    trx,
    { mapping, userId: who.userId },
    await store.listConnectedUsers(trx, mapping, page),
  );
  const known = new Map(users.map((user) => [user.id, user]));
  const records = userIds.map((id) => {
    const user = known.get(id) ?? refuse('request.invalid', `user_ids: ${id} is not in this team of the server`);
    if (user.actions.includes(body.action)) return { user_id: id, remote: 'waiting' as const, detail: '' };
    return {
      user_id: id,
      remote: 'refused' as const,
      detail: user.reason || 'This is not possible for this account now.',
    };
  });
  const requested = records.filter(({ remote }) => remote === 'waiting').map(({ user_id }) => user_id);
  await store.addWork(trx, toWork(requested, { who, mapping, action: body.action }));
  if (requested.length === 0) return { answer: { records }, audit: null };
  const refused = records.filter(({ remote }) => remote === 'refused').map(({ user_id }) => user_id);
  const details = { remote_action: body.action, remote_user_ids: requested, refused_user_ids: refused };
  const { teamId, serverId: target } = key;
  return {
    answer: { records },
    audit: { action: 'connections.asked', teamId, actorId: who.userId, target, details },
  };
}

function toWork(
  userIds: readonly string[],
  { who, mapping, action }: { who: TeamAdmin; mapping: StoredMapping; action: store.NewWork['action'] },
): store.NewWork[] {
  return userIds.map((user_id) => ({
    id: newId(),
    server_id: mapping.server_id,
    team_id: mapping.team_id,
    remote_team_id: mapping.remote_id,
    user_id,
    action,
    channel_ids: action === 'add_to_channels' ? mapping.default_channel_ids : [],
    asked_by: who.userId,
  }));
}

/** Writes an outcome once. */
export async function endWork(
  trx: Trx,
  { deps, serverId, origin }: BridgeCall,
  { workId, body }: { workId: string; body: Received<typeof reportWork>['body'] },
): Promise<Answer<typeof reportWork>> {
  const work = (await store.lockWork(trx, serverId, workId)) ?? refuse('record.not_found');
  if (work.outcome !== '') {
    if (work.outcome !== body.outcome || work.detail !== body.detail) refuse('connector.reported');
    return { status_code: 200 };
  }
  await store.saveWorkOutcome(trx, { serverId, id: workId }, body);
  const details = { remote_action: work.action, remote_user_ids: [work.user_id], ...body };
  const event = { teamId: work.team_id, actorId: null, target: serverId, origin };
  await addAuditEvent(trx, deps, { ...event, action: 'connections.work_ended', details });
  return { status_code: 200 };
}
