import assert from 'node:assert/strict';
import { inTransaction } from '@steward/server/src/platform/database/database.ts';
import { countJobs } from '@steward/server/src/platform/jobs/job-log.ts';
import { defineJob, defineWorker } from '@steward/server/src/platform/jobs/jobs.ts';
import { startApp, type TestApp } from '@steward/server/testing/app/start-app.ts';
import { settled } from '@steward/server/testing/faults/wait-for-jobs.ts';
import { afterAll, beforeAll, test } from 'vitest';
import { z } from 'zod';
import { runInProcess } from '../../testing/run-in-process.ts';

const poison = defineJob({ name: 'test.poison', payload: z.object({ text: z.string() }), retries: 0, retrySeconds: 1 });

let node: TestApp;

beforeAll(async () => {
  const handle = async () => {
    throw new Error('cannot be done');
  };
  node = await startApp({ workers: () => [defineWorker(poison, handle)] as never[] });
});

afterAll(() => node[Symbol.asyncDispose]());

const run = (...args: string[]) =>
  runInProcess(['failed-jobs', ...args], { DATABASE_URL: node.database.url, SECRET_KEY: '5e'.repeat(32) });

test('failed-jobs lists work that was given up, with what went wrong and nothing of what it carried', async () => {
  assert.equal((await run()).out.trim(), 'No failed jobs.');
  await inTransaction(node.db, (trx) => node.deps.jobs.send(trx, poison, { text: 'secret' }));
  await settled(node);
  const { code, out, err } = await run('--json');
  assert.equal(code, 0, err);
  const job = { name: 'test.poison', attempts: 1, error: 'cannot be done' };
  assert.partialDeepStrictEqual(JSON.parse(out), { jobs: [job] });
  assert.doesNotMatch(out, /secret/);
  assert.match((await run('--limit', '1')).out, /test\.poison.*after 1 attempts: cannot be done/);
  const failed = (await countJobs(node.deps.pool)).find(({ state }) => state === 'failed');
  assert.equal(failed?.count, 1, 'and the figures count it');
});
