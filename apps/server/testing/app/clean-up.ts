import assert from 'node:assert/strict';
import { createWorkers } from '#app/rooms.ts';
import type { TestApp } from './start-app.ts';

/** Runs the scheduled job that removes old rows. */
export async function cleanUp(node: TestApp): Promise<void> {
  const worker = createWorkers(node.deps).find(({ job }) => job.name === 'workspace.tidy') ?? assert.fail('no cleanup');
  assert.ok(worker.job.schedule, 'the cleanup is scheduled');
  await worker.handle(undefined, { id: '', attempt: 1, isLast: false });
}
