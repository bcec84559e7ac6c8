import type { z } from 'zod';
import { inTransaction } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { createFairQueue, type FairQueue } from './fair-queue.ts';
import type { Job } from './jobs.ts';

/** Time limit of one turn in milliseconds: well below the time after which the queue considers a job dead. */
export const TURN_MS = 15_000;

/** The batches of one kind of work use one connection; teams take turns. */
export const createBatchQueue = (): FairQueue => createFairQueue({ atOnce: 1, waitingPerKey: 1_000, waiting: 1_000 });

/**
 * Runs at least one batch, and more until the time limit; then the job queues itself again. `batch` returns true when nothing
 * is left to do. Each batch stores how far it got in its own transaction, so that a killed worker continues there.
 */
export async function workInTurns<Payload extends z.ZodType>(
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  { job, payload, turnMs = TURN_MS }: { job: Job<Payload>; payload: z.input<Payload>; turnMs?: number | undefined },
  batch: () => Promise<boolean>,
): Promise<void> {
  const until = performance.now() + turnMs;
  do {
    if (await batch()) return;
  } while (performance.now() < until && !jobs.isStopping());
  await inTransaction(db, (trx) => jobs.send(trx, job, payload));
}
