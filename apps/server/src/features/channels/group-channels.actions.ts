import type { Answer, Received } from '@steward/contract/api/endpoint';
import type { previewChannelGroup, saveChannelGroup } from '@steward/contract/channels/groups';
import type { Database, Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import type { Changed } from '#workspace/changes/change.ts';
import { GENERAL, isOffered } from '#workspace/channels/channels.rules.ts';
import { findOfferedChannels } from '#workspace/channels/channels.store.ts';
import { lockTeam } from '#workspace/users/teams.store.ts';
import { startOrRestartJoin } from './channel-joins.store.ts';
import { countEffects, findGroup, replaceGroupChannels } from './group-channels.store.ts';
import { join } from './join-channels.job.ts';

interface Wanted {
  teamId: string;
  userId: string;
  body: Received<typeof saveChannelGroup>['body'];
}

/** Refuses the whole list for one channel that the caller can't map; those that are mapped already may stay. */
async function resolveGroup(db: Database | Trx, { teamId, userId, body: { group_id, channel_ids } }: Wanted) {
  const group = (await findGroup(db, teamId, group_id)) ?? refuse('record.not_found');
  const before = group.channels.map(({ channel_id }) => channel_id);
  const offered = await findOfferedChannels(db, { teamId, userId, ids: channel_ids });
  const allowed = new Set(before);
  for (const channel of offered) {
    const isOpen = isOffered(channel) && channel.name !== GENERAL && (channel.type === 'O' || channel.has_joined);
    if (isOpen) allowed.add(channel.id);
  }
  if (!channel_ids.every((id) => allowed.has(id))) refuse('channels.not_of_team');
  return { group, before: before.toSorted(), after: channel_ids.toSorted() };
}

/** Counts who would join and leave if the mapping were saved now. */
export async function previewGroup(deps: Deps, wanted: Wanted): Promise<Answer<typeof previewChannelGroup>> {
  const { group, after } = await resolveGroup(deps.db, wanted);
  const place = { teamId: wanted.teamId, groupId: group.id };
  const count = () => countEffects(deps.slowQueryPool, place, after);
  return { channels: await deps.countQueue.run({ key: wanted.teamId, user: wanted.userId }, count) };
}

/** Replaces the channels of a group. A job then adds and removes members; a running one begins again. */
export async function saveGroup(trx: Trx, deps: Deps, wanted: Wanted): Promise<Changed<typeof saveChannelGroup>> {
  const { teamId, userId } = wanted;
  await lockTeam(trx, teamId);
  const { group, before, after } = await resolveGroup(trx, wanted);
  if (before.join() === after.join()) return { answer: group, audit: null };
  await replaceGroupChannels(trx, { teamId, groupId: group.id }, after);
  const joinId = await startOrRestartJoin(trx, { teamId, startedBy: userId });
  await deps.jobs.send(trx, join, { team_id: teamId, join_id: joinId });
  const details = { name: group.name, before, after, join_id: joinId };
  return {
    answer: (await findGroup(trx, teamId, group.id)) ?? group,
    audit: { action: 'channels.group_saved', teamId, actorId: userId, target: group.id, details },
  };
}
