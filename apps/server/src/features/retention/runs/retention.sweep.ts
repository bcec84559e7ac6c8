import type { RetentionKind } from '@steward/contract/retention/fields';
import { z } from 'zod';
import { inTransaction, type Trx } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import type { Deps } from '#platform/deps.ts';
import { toRefusal } from '#platform/http/errors.ts';
import { createConcurrencyLimiter } from '#platform/jobs/concurrency-limiter.ts';
import { defineJob, defineWorker } from '#platform/jobs/jobs.ts';
import { addAuditEvent, BY_ITSELF } from '#workspace/audit/audit.store.ts';
import { findClock } from '../rules/rules.store.ts';
import { createBatchRunner, purgeLeftoverMarked, type RunEnd } from './run-batch.actions.ts';
import { type ClaimedRun, claimRun, endRun, findRun, lockRun, type RunKey, releaseRun } from './runs.store.ts';

/** Works on one run for a while, and sends itself again while there is more (design §6). */
export const sweep = defineJob({
  name: 'retention.sweep',
  payload: z.object({ team_id: z.string(), run_id: z.string() }),
  retries: 5,
  retrySeconds: 5,
  retryMaxSeconds: 60,
});

/** So long a run has its turn, in milliseconds; then another one has it. */
const TURN_MS = 15_000;
/** Clocks of process and database may differ by this much, in milliseconds (trust F17). */
export const SKEW_MS = 5 * 60_000;

/** What working on a run needs of all there is; the operator's command has no more. */
export type SweepDeps = Pick<Deps, 'db' | 'blobs' | 'log'>;

/** The clock of this process, in milliseconds; tests give another. */
export type ProcessClock = () => number;

/**
 * The worker for it. Killed at any point, a run goes on where it was: what a batch removed and what it counted are one
 * transaction. Whoever works on a run holds it, and lets go after a minute of silence.
 */
export function createSweepWorker(deps: Deps, clock: ProcessClock = Date.now) {
  const runSequentially = createConcurrencyLimiter({ atOnce: 1, waiting: 1_000 });
  return defineWorker(sweep, ({ team_id: teamId, run_id: runId }) =>
    runSequentially(async () => {
      const place = { teamId, runId };
      const isStopping = () => deps.jobs.isStopping();
      const { isOver } = await processBatches(deps, place, { clock, turnMs: TURN_MS, isStopping });
      if (!isOver)
        await inTransaction(deps.db, (trx) => deps.jobs.send(trx, sweep, { team_id: teamId, run_id: runId }));
    }),
  );
}

/** Works on a run for a turn; over means that nothing is left to do for the caller, also when another works on it. */
export async function processBatches(
  deps: SweepDeps,
  place: RunKey,
  { clock, turnMs, isStopping = () => false }: { clock: ProcessClock; turnMs: number; isStopping?: () => boolean },
): Promise<{ isOver: boolean }> {
  const holder = newId();
  const kind = await claimRun(deps.db, { ...place, holder });
  if (kind === undefined) return { isOver: true };
  const held: Held = { ...place, holder, kind };
  try {
    const skew = Math.abs((await findClock(deps.db)) - clock());
    if (skew > SKEW_MS) return await end(deps, held, { state: 'refused', note: describeSkew(skew) });
    const until = performance.now() + turnMs;
    const batch = createBatchRunner(deps, held);
    while (performance.now() < until && !isStopping()) {
      const result = await batch();
      if (result === 'lost') return { isOver: true };
      if (result !== 'more') return await end(deps, held, result);
    }
    await releaseRun(deps.db, held);
    return { isOver: false };
  } catch (error) {
    await leave(deps, held, error);
    throw error;
  }
}

type Held = ClaimedRun & { kind: RetentionKind };

async function end(deps: SweepDeps, held: Held, { state, note }: RunEnd): Promise<{ isOver: true }> {
  // Blobs of these may be gone already: whatever ends the run, what was begun is finished.
  await purgeLeftoverMarked(deps, held);
  await inTransaction(deps.db, async (trx) => {
    if (!(await lockRun(trx, held))) return;
    await endRun(trx, held, { state, note });
    await auditRun(trx, held);
  });
  if (state !== 'finished') deps.log.warn({ run: held.runId, team: held.teamId, state, note }, 'retention run ended');
  return { isOver: true };
}

async function auditRun(trx: Trx, place: RunKey): Promise<void> {
  const run = await findRun(trx, place);
  if (!run) return;
  const { id, kind, started_by, cutoff, scanned, deleted, bytes, failed, state, note } = run;
  await addAuditEvent(
    trx,
    {
      action: 'retention.ran',
      teamId: place.teamId,
      actorId: started_by || null,
      target: id,
      details: { kind, cutoff, scanned, deleted, bytes, failed, state, note },
    },
    BY_ITSELF,
  );
}

/** A database that cannot be asked now is asked again later; any other error would only come again. */
async function leave(deps: SweepDeps, held: Held, error: unknown): Promise<void> {
  if (toRefusal(error).id === 'server.error') {
    const note = 'Something went wrong on our side. The next run tries again.';
    await inTransaction(deps.db, async (trx) => {
      if (!(await lockRun(trx, held))) return;
      await endRun(trx, held, { state: 'failed', note });
      await auditRun(trx, held);
    }).catch(() => {});
  } else {
    await releaseRun(deps.db, held).catch(() => {});
  }
}

function describeSkew(skew: number): string {
  const minutes = Math.round(skew / 60_000);
  return `The clocks of the server and of its database differ by ${minutes} minutes. Nothing was deleted: set the clocks first.`;
}
