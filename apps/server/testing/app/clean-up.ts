import assert from 'node:assert/strict';
import { createWorkers } from '#app/features.ts';
import { inTransaction } from '#platform/database/database.ts';
import type { Worker } from '#platform/jobs/jobs.ts';
import { settled } from '../faults/wait-for-jobs.ts';
import type { TestApp } from './start-app.ts';

function getWorker({ deps }: TestApp): Worker {
  const worker = createWorkers(deps).find(({ job }) => job.name === 'workspace.tidy') ?? assert.fail('no cleanup');
  assert.ok(worker.job.schedule, 'the cleanup is scheduled');
  return worker;
}

/** Throws if the job fails. */
export async function cleanUp(node: TestApp): Promise<void> {
  await getWorker(node).handle(undefined, { id: '', attempt: 1, isLast: false });
}

/** Queues the job, which is retried if it fails. */
export async function queueCleanUp(node: TestApp): Promise<void> {
  await inTransaction(node.db, (trx) => node.deps.jobs.send(trx, getWorker(node).job, {}));
  await settled(node);
}
