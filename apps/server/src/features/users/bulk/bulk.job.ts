import { setTimeout as pause } from 'node:timers/promises';
import { isAdminOfTeam } from '@steward/contract/users/roles';
import { z } from 'zod';
import { inTransaction, type Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import type { FairQueue } from '#platform/jobs/fair-queue.ts';
import { defineJob, defineWorker } from '#platform/jobs/jobs.ts';
import { createBatchQueue, workInTurns } from '#platform/jobs/work-in-turns.ts';
import { addAuditEvent, JOB_ORIGIN } from '#workspace/audit/audit.store.ts';
import { findActiveRoles, lockMembers } from '#workspace/users/members.store.ts';
import { lockTeam } from '#workspace/users/teams.store.ts';
import type { Caller } from '../users.policy.ts';
import { EFFECTS } from './bulk-effects.actions.ts';
import { findTargets, listNextTargets } from './bulk-targets.store.ts';
import {
  type BatchResult,
  endJob,
  type JobKey,
  type LockedJob,
  listStalledJobs,
  lockJob,
  saveBatch,
} from './user-jobs.store.ts';

/** Changes many users for a limited time, and queues itself again while users remain. */
export const bulk = defineJob({
  name: 'users.bulk',
  payload: z.object({ team_id: z.string(), job_id: z.string() }),
});

/** Users in one transaction, so that other calls don't wait long for its locks. */
const BATCH = 100;
/** A job pauses after each batch for this many times as long as the batch took, so that other calls keep their speed. */
const PAUSE = 1;

export function createBulkWorker(deps: Deps) {
  const queue = createBatchQueue();
  return defineWorker(bulk, ({ team_id: teamId, job_id: jobId }) => processBatches(deps, { teamId, jobId }, { queue }));
}

export async function processBatches(
  deps: Deps,
  key: JobKey,
  { queue, turnMs }: { queue: FairQueue; turnMs?: number },
): Promise<void> {
  const run = (work: (trx: Trx) => Promise<boolean>) =>
    queue.run({ key: key.teamId }, () => inTransaction(deps.db, work));
  let limit = BATCH;
  const payload = { team_id: key.teamId, job_id: key.jobId };
  await workInTurns(deps, { job: bulk, payload, turnMs }, async () => {
    const start = performance.now();
    let isOver = false;
    try {
      isOver = await run((trx) => changeNextBatch(trx, deps, { key, limit }));
    } catch (error) {
      if (!isAboutData(error)) throw error;
      // A user can't be changed: the others of the batch are changed one by one, and this one is listed.
      isOver = limit === 1 && (await run((trx) => passFailed(trx, key)));
      limit = 1;
    }
    if (!isOver) await pause(PAUSE * (performance.now() - start));
    return isOver;
  });
}

/** PostgreSQL rejected the values; it wasn't unavailable. */
function isAboutData(error: unknown): boolean {
  return /^2[23]/.test((error as { code?: string }).code ?? '');
}

/** Returns true if there is nothing left to do, which includes a job that another worker has locked. */
async function changeNextBatch(trx: Trx, deps: Deps, { key, limit }: { key: JobKey; limit: number }): Promise<boolean> {
  const locked = await lockJobAndCaller(trx, key);
  if (!locked) return true;
  const { job, caller } = locked;
  const { teamId } = key;
  const ids = await listNextTargets(trx, toTargets(teamId, job), { after: job.reached, limit });
  if (ids.length > 0)
    await saveBatch(trx, key, { job, batch: await changeUsers(trx, deps, { key, job, caller, ids }) });
  if (ids.length === limit) return false;
  await endJob(trx, key, { state: 'done', error: null });
  return true;
}

/**
 * Locks the job and the team, and reads the current roles of the admin who started it. Ends the job if the admin has lost
 * these rights.
 */
async function lockJobAndCaller(trx: Trx, key: JobKey): Promise<{ job: LockedJob; caller: Caller } | undefined> {
  const job = await lockJob(trx, key);
  if (!job) return undefined;
  await lockTeam(trx, key.teamId);
  const roles = await findActiveRoles(trx, key.teamId, job.started_by);
  if (roles && isAdminOfTeam(roles)) return { job, caller: { userId: job.started_by, roles } };
  await endJob(trx, key, { state: 'failed', error: 'team.admin_required' });
  return undefined;
}

const toTargets = (teamId: string, { user_ids: userIds, filter, joined_until: joinedUntil }: LockedJob) => {
  return { teamId, userIds, filter, joinedUntil };
};

async function changeUsers(
  trx: Trx,
  deps: Deps,
  { key, job, caller, ids }: { key: JobKey; job: LockedJob; caller: Caller; ids: readonly string[] },
): Promise<BatchResult> {
  const { teamId, jobId } = key;
  await lockMembers(trx, teamId, ids);
  const found = await findTargets(trx, teamId, { action: job.action, caller, endsOn: job.ends_on, ids });
  const targets = found.filter(({ reason }) => reason === null);
  const skipped: BatchResult['skipped'] = {};
  for (const { reason } of found) if (reason !== null) skipped[reason] = (skipped[reason] ?? 0) + 1;
  const result = { done: targets.length, skipped, failed: [], reached: ids.at(-1) ?? '' };
  if (targets.length === 0) return result;
  const changed = targets.map(({ id }) => id);
  const ended = await EFFECTS[job.action](trx, deps, {
    teamId,
    callerId: caller.userId,
    targets,
    ids: changed,
    endsOn: job.ends_on,
  });
  const details = { bulk_action: job.action, user_ids: changed, sessions: 0, links: 0, tokens: 0, ...ended };
  const event = { action: 'users.bulk_changed', teamId, actorId: caller.userId, target: jobId, details } as const;
  await addAuditEvent(trx, deps, { ...event, origin: JOB_ORIGIN });
  return result;
}

/** Lists the next user as failed, and continues with the following one. */
async function passFailed(trx: Trx, key: JobKey): Promise<boolean> {
  const locked = await lockJobAndCaller(trx, key);
  if (!locked) return true;
  const { job } = locked;
  const [id] = await listNextTargets(trx, toTargets(key.teamId, job), { after: job.reached, limit: 1 });
  if (id === undefined) return false;
  const failed = [{ user_id: id, error: 'server.error' as const }];
  await saveBatch(trx, key, { job, batch: { done: 0, skipped: {}, failed, reached: id } });
  return false;
}

/** Restarts stalled jobs, because a job that never ends would block all others of its team. */
const resumeBulk = defineJob({
  name: 'users.tidy_jobs',
  schedule: '*/5 * * * *',
});

/** If the job is still active, a second worker finds nothing to do. */
export function createResumeBulkWorker(deps: Deps) {
  return defineWorker(resumeBulk, async () => {
    const stalled = await listStalledJobs(deps.db);
    await inTransaction(deps.db, (trx) => deps.jobs.sendMany(trx, bulk, stalled));
  });
}
