import type { Trx } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import { addMessage } from '#workspace/content/messages.store.ts';
import { listNamesInTeam } from '#workspace/users/users.store.ts';
import { applyGroups, type GroupJoins, joinDefaultChannels, recordPost } from './channels.store.ts';

export interface AppliedGroups {
  joined: number;
  removed: number;
}

/** Names in an announcement; the others are counted. */
const NAMES = 20;

/**
 * Makes the memberships of channels follow the groups of users. Private channels announce who joined, so that an identity
 * provider can't add anyone without a trace there. The caller has locked the team, also if shared.
 */
export async function applyGroupChannels(trx: Trx, teamId: string, userIds: readonly string[]): Promise<AppliedGroups> {
  if (userIds.length === 0) return { joined: 0, removed: 0 };
  const { joins, removed } = await applyGroups(trx, teamId, userIds);
  for (const join of joins) if (join.type === 'P') await announce(trx, teamId, join);
  return { joined: joins.reduce((sum, { user_ids }) => sum + user_ids.length, 0), removed };
}

/** Posts a message without an author. */
async function announce(trx: Trx, teamId: string, { channel_id: id, type, user_ids }: GroupJoins): Promise<void> {
  const names = await listNamesInTeam(trx, teamId, user_ids.slice(0, NAMES));
  const others = user_ids.length - names.length;
  const who = [...names, ...(others > 0 ? [`${others} ${others === 1 ? 'other' : 'others'}`] : [])];
  const text = `${LIST.format(who)} joined because of a group of the identity provider.`;
  const now = Date.now();
  const message = { id: newId(now), user_id: '', text, root_id: '', file_ids: [], props: {}, create_at: now };
  await addMessage(trx, { team_id: teamId, id, type }, message);
  await recordPost(trx, { team_id: teamId, id }, now);
}

const LIST = new Intl.ListFormat('en-US');

/** Adds a new member to the default channels and those of their groups. The caller has locked the team, also if shared. */
export async function joinFirstChannels(trx: Trx, userId: string, teamId: string): Promise<void> {
  await joinDefaultChannels(trx, userId, teamId);
  await applyGroupChannels(trx, teamId, [userId]);
}
