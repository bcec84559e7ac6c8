import { z } from 'zod';
import { commitAsynchronously, inTransaction, type Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import type { FairQueue } from '#platform/jobs/fair-queue.ts';
import { defineJob, defineWorker } from '#platform/jobs/jobs.ts';
import { createBatchQueue, workInTurns } from '#platform/jobs/work-in-turns.ts';
import { type AuditEvent, addAuditEvent, JOB_ORIGIN } from '#workspace/audit/audit.store.ts';
import { applyGroupChannels } from '#workspace/channels/apply-groups.actions.ts';
import { joinNextUsers, listNextMembers } from '#workspace/channels/channels.store.ts';
import { lockTeamShared } from '#workspace/users/teams.store.ts';
import {
  countBatch,
  countMembers,
  finishJoin,
  type JoinKey,
  listStalledJoins,
  lockJoin,
  needsTotal,
  saveTotal,
} from './channel-joins.store.ts';
import { lockOpenDefaults } from './default-channels.store.ts';

/** Processes members of a run for a limited time, and queues itself again while members remain. */
export const join = defineJob({
  name: 'channels.join',
  payload: z.object({ team_id: z.string(), join_id: z.string() }),
});

/** Limits of one transaction, in members and memberships, so that other calls don't wait long for its locks. */
const MEMBERS = 500;
const ROWS = 5_000;

export function createJoinWorker(deps: Deps) {
  const queue = createBatchQueue();
  return defineWorker(join, ({ team_id: teamId, join_id: joinId }) =>
    processBatches(deps, { teamId, joinId }, { queue }),
  );
}

export async function processBatches(
  deps: Pick<Deps, 'db' | 'slowQueryPool' | 'countQueue' | 'jobs' | 'secrets'>,
  place: JoinKey,
  { queue, turnMs }: { queue: FairQueue; turnMs?: number },
): Promise<void> {
  if (await needsTotal(deps.db, place)) {
    const count = () => countMembers(deps.slowQueryPool, place.teamId);
    const users = await deps.countQueue.run({ key: place.teamId }, count);
    await saveTotal(deps.db, place, users);
  }
  const payload = { team_id: place.teamId, join_id: place.joinId };
  await workInTurns(deps, { job: join, payload, turnMs }, () =>
    queue.run({ key: place.teamId }, () => inTransaction(deps.db, (trx) => joinNextBatch(trx, deps, place))),
  );
}

/** Returns true if the caller has nothing left to do, which includes a run that another worker has locked. */
async function joinNextBatch(trx: Trx, deps: Pick<Deps, 'secrets'>, place: JoinKey): Promise<boolean> {
  // Before the run, as a change of a group's channels does. Groups can't change until the batch ends.
  await lockTeamShared(trx, place.teamId);
  const locked = await lockJoin(trx, place);
  if (!locked) return true;
  if (locked.source === 'groups') return applyNextGroups(trx, deps, { place, after: locked.reached });
  const channels = await lockOpenDefaults(trx, place.teamId, locked.channel_ids);
  if (channels.length > 0) {
    const limit = Math.min(MEMBERS, Math.ceil(ROWS / channels.length));
    const batch = await joinNextUsers(trx, place.teamId, { channels, after: locked.reached, limit });
    await countBatch(trx, place, batch);
    if (batch.looked === limit) {
      await commitAsynchronously(trx);
      return false;
    }
  }
  await finish(trx, deps, place);
  return true;
}

/** The same for the channels of groups. */
async function applyNextGroups(
  trx: Trx,
  deps: Pick<Deps, 'secrets'>,
  { place, after }: { place: JoinKey; after: string },
): Promise<boolean> {
  const userIds = await listNextMembers(trx, place.teamId, { after, limit: MEMBERS });
  const applied = await applyGroupChannels(trx, place.teamId, userIds);
  await countBatch(trx, place, { members: userIds.length, ...applied, reached: userIds.at(-1) ?? after });
  if (userIds.length === MEMBERS) return false;
  await finish(trx, deps, place);
  return true;
}

async function finish(trx: Trx, deps: Pick<Deps, 'secrets'>, place: JoinKey): Promise<void> {
  const ended = await finishJoin(trx, place);
  if (!ended) return;
  const { channel_ids, started_by: actorId, people_done, joined, removed, source } = ended;
  const { teamId, joinId } = place;
  const event: AuditEvent =
    source === 'groups'
      ? {
          action: 'channels.groups_applied',
          teamId,
          actorId,
          target: teamId,
          details: { group_id: '', joined, removed },
        }
      : {
          action: 'channels.people_added',
          teamId,
          actorId,
          target: joinId,
          details: { channel_ids, people_done, joined },
        };
  await addAuditEvent(trx, deps, { ...event, origin: JOB_ORIGIN });
}

/** Restarts stalled runs, because a run that never ends would block all others of its team. */
const resumeJoins = defineJob({
  name: 'channels.resume_joins',
  schedule: '*/5 * * * *',
});

/** If the run is still active, a second job finds nothing to do. */
export function createResumeJoinsWorker(deps: Deps) {
  return defineWorker(resumeJoins, async () => {
    const stalled = await listStalledJoins(deps.db);
    await inTransaction(deps.db, (trx) => deps.jobs.sendMany(trx, join, stalled));
  });
}
