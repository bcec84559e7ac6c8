import { KIND_TEXT } from '@steward/contract/retention/describe-rule';
import { z } from 'zod';
import { inTransaction, type Trx } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import type { Deps } from '#platform/deps.ts';
import { toRefusal } from '#platform/http/errors.ts';
import { defineJob, defineWorker } from '#platform/jobs/jobs.ts';
import { createBatchQueue, TURN_MS } from '#platform/jobs/work-in-turns.ts';
import { addAuditEvent, JOB_ORIGIN } from '#workspace/audit/audit.store.ts';
import { type MailParts, notifyManagers } from '#workspace/notices/notify-managers.ts';
import { findClock } from '../rules/rules.store.ts';
import { type BatchDeps, createBatchRunner, purgeLeftoverMarked, type RunEnd } from './run-batch.actions.ts';
import {
  type ClaimedKind,
  type ClaimedRun,
  claimRun,
  endRun,
  findRun,
  lockRun,
  type RunKey,
  releaseRun,
} from './runs.store.ts';

/** Processes one run for a limited time, and queues itself again while items remain. */
export const sweep = defineJob({
  name: 'retention.sweep',
  payload: z.object({ team_id: z.string(), run_id: z.string() }),
  retries: 5,
  retrySeconds: 5,
  retryMaxSeconds: 60,
});

/** Largest allowed difference between the clocks of process and database, in milliseconds. */
export const SKEW_MS = 5 * 60_000;

/** The CLI command sends no email: its user sees the outcome. */
export type SweepDeps = BatchDeps & Partial<MailParts>;

/** The clock of this process, in milliseconds; tests inject their own. */
export type ProcessClock = () => number;

/**
 * The worker of the sweep job. A run killed at any point continues where it was, because a batch deletes and counts in one
 * transaction. A worker holds the run it processes; after a minute without progress another worker can claim it.
 */
export function createSweepWorker(deps: Deps, clock: ProcessClock = Date.now) {
  const queue = createBatchQueue();
  return defineWorker(sweep, ({ team_id: teamId, run_id: runId }) =>
    queue.run({ key: teamId }, async () => {
      const key = { teamId, runId };
      const isStopping = () => deps.jobs.isStopping();
      const { isOver } = await processBatches(deps, key, { clock, turnMs: TURN_MS, isStopping });
      if (!isOver)
        await inTransaction(deps.db, (trx) => deps.jobs.send(trx, sweep, { team_id: teamId, run_id: runId }));
    }),
  );
}

/** `isOver` also means that another worker holds the run. */
export async function processBatches(
  deps: SweepDeps,
  key: RunKey,
  { clock, turnMs, isStopping = () => false }: { clock: ProcessClock; turnMs: number; isStopping?: () => boolean },
): Promise<{ isOver: boolean }> {
  const holder = newId();
  const claimed = await claimRun(deps.db, { ...key, holder });
  if (claimed === undefined) return { isOver: true };
  const claim: Claim = { ...key, holder, ...claimed };
  try {
    const skew = Math.abs((await findClock(deps.db)) - clock());
    if (skew > SKEW_MS) return await end(deps, claim, { state: 'refused', note: describeSkew(skew) });
    const until = performance.now() + turnMs;
    const batch = createBatchRunner(deps, claim);
    while (performance.now() < until && !isStopping()) {
      const result = await batch();
      if (result === 'lost') return { isOver: true };
      if (result !== 'more') return await end(deps, claim, result);
    }
    await releaseRun(deps.db, claim);
    return { isOver: false };
  } catch (error) {
    await abandon(deps, claim, error);
    throw error;
  }
}

type Claim = ClaimedRun & ClaimedKind;

async function end(deps: SweepDeps, claim: Claim, { state, note }: RunEnd): Promise<{ isOver: true }> {
  // Marked items are purged however the run ends, because their blobs may be deleted already.
  await purgeLeftoverMarked(deps, claim);
  await inTransaction(deps.db, async (trx) => {
    if (!(await lockRun(trx, claim))) return;
    await close(trx, deps, { claim, state, note });
  });
  if (state !== 'finished') deps.log.warn({ run: claim.runId, team: claim.teamId, state, note }, 'retention run ended');
  return { isOver: true };
}

/** Ends a run that is locked, in the audit log too, and emails the owners and admins if it failed. */
async function close(
  trx: Trx,
  { jobs, secrets, env }: SweepDeps,
  { claim, state, note }: { claim: Claim } & RunEnd,
): Promise<void> {
  await endRun(trx, claim, { state, note });
  await auditRun(trx, { secrets }, claim);
  const isFailed = state === 'failed' || state === 'refused';
  if (!isFailed || !jobs || !env) return;
  const { teamId, kind } = claim;
  await notifyManagers(
    trx,
    { jobs, secrets, env },
    {
      teamId,
      actorId: null,
      kind: 'run_failed',
      subject: 'retention run failed',
      describe: (team) => `A retention run over the ${KIND_TEXT[kind].many} of ${team} failed. ${note}`,
      action: { label: 'View retention', path: '/dashboard/team_settings/retention' },
    },
  );
}

async function auditRun(trx: Trx, deps: Pick<Deps, 'secrets'>, key: RunKey): Promise<void> {
  const run = await findRun(trx, key);
  if (!run) return;
  const { id, kind, started_by, cutoff, scanned, deleted, bytes, failed, held, state, note } = run;
  await addAuditEvent(trx, deps, {
    action: 'retention.ran',
    teamId: key.teamId,
    actorId: started_by || null,
    target: id,
    details: { kind, cutoff, scanned, deleted, bytes, failed, held, state, note },
    origin: JOB_ORIGIN,
  });
}

/** If the database is unavailable, the run is retried later. Any other error would recur, so the run fails. */
async function abandon(deps: SweepDeps, claim: Claim, error: unknown): Promise<void> {
  if (toRefusal(error).id === 'server.error') {
    const note = 'Something went wrong on our side. The next run tries again.';
    await inTransaction(deps.db, async (trx) => {
      if (!(await lockRun(trx, claim))) return;
      await close(trx, deps, { claim, state: 'failed', note });
    }).catch(() => {});
  } else {
    await releaseRun(deps.db, claim).catch(() => {});
  }
}

function describeSkew(skew: number): string {
  const minutes = Math.round(skew / 60_000);
  return `The server and database clocks differ by ${minutes} minutes. Nothing was deleted; correct the clocks first.`;
}
