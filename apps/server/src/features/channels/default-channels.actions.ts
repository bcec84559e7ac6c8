import type { Answer } from '@steward/contract/api/endpoint';
import type { previewDefaultChannels, saveDefaultChannels } from '@steward/contract/channels/defaults';
import type { Database, Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import type { AuditEvent } from '#workspace/audit/audit.store.ts';
import type { Changed } from '#workspace/changes/change.ts';
import { findOfferedChannels } from '#workspace/channels/channels.store.ts';
import { lockTeam } from '#workspace/users/teams.store.ts';
import { addJoin, countJoiners } from './channel-joins.store.ts';
import { acceptsMembers, type Choice, hasGeneral, isGeneral, mayChoose, mayFill } from './default-channels.rules.ts';
import { listDefaultIds, replaceDefaults } from './default-channels.store.ts';
import { join } from './join-channels.job.ts';

interface Wanted {
  teamId: string;
  userId: string;
  ids: readonly string[];
}

/**
 * Removes duplicates and keeps the order. One forbidden channel refuses the whole list, with the same message whether it
 * belongs to another team, is hidden, or doesn't exist.
 */
export async function resolveChannels(db: Database | Trx, wanted: Wanted): Promise<Choice[]> {
  const ids = [...new Set(wanted.ids)];
  const defaults = new Set(await listDefaultIds(db, wanted.teamId));
  const offered = await findOfferedChannels(db, { ...wanted, ids });
  const found = new Map(offered.map((each) => [each.id, { ...each, is_default: defaults.has(each.id) }]));
  if (!hasGeneral([...found.values()])) refuse('channels.general_required');
  return ids.map((id) => {
    const choice = found.get(id);
    return choice && mayChoose(choice) ? choice : refuse('channels.not_of_team');
  });
}

/** Replaces the default channels and, if requested, starts to add current members. */
export async function updateDefaultChannels(
  trx: Trx,
  deps: Deps,
  save: Wanted & { addExisting: boolean },
): Promise<Changed<typeof saveDefaultChannels>> {
  const { teamId, userId, addExisting } = save;
  await lockTeam(trx, teamId);
  const kept = (await resolveChannels(trx, save)).filter((choice) => !isGeneral(choice));
  const before = await listDefaultIds(trx, teamId);
  await replaceDefaults(trx, teamId, kept);
  const after = kept.map(({ id }) => id).sort();
  const filled = kept.filter(mayFill).map(({ id }) => id);
  const started = addExisting ? { join_id: await beginJoin(trx, deps, { teamId, userId, ids: filled.sort() }) } : {};
  const isSame = before.join() === after.join();
  const details = { before, after, ...started };
  const audit: AuditEvent = { action: 'channels.defaults_saved', teamId, actorId: userId, target: teamId, details };
  return { answer: { status_code: 200 }, audit: isSame && !addExisting ? null : audit };
}

async function beginJoin(trx: Trx, deps: Deps, { teamId, userId, ids }: Wanted): Promise<string> {
  const place = await addJoin(trx, { teamId, startedBy: userId, channelIds: ids });
  if (place === undefined) refuse('channels.join_running');
  await deps.jobs.send(trx, join, { team_id: teamId, join_id: place.joinId });
  return place.joinId;
}

/** Counts the members who would join the chosen channels if they were saved now with `add_existing`. */
export async function countPendingMembers(
  db: Database,
  teamId: string,
  choices: readonly Choice[],
): Promise<Answer<typeof previewDefaultChannels>> {
  const open = choices.filter(acceptsMembers).map(({ id }) => id);
  const { members, inAll, inEach } = await countJoiners(db, teamId, open);
  const joining = (choice: Choice) => (acceptsMembers(choice) ? members - (inEach[choice.id] ?? 0) : 0);
  return {
    people: open.length > 0 ? members - inAll : 0,
    of_people: members,
    channels: choices
      .filter((choice) => !isGeneral(choice))
      .map((choice) => ({ channel_id: choice.id, type: choice.type, joining: joining(choice) })),
  };
}
