import assert from 'node:assert/strict';
import type { RetentionKind } from '@steward/contract/retention/fields';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, test } from 'vitest';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { team as createTeam } from '#testing/workspace/factories.ts';
import { addChannels, addItem, getIds, queueRuns, runNow, setRecovery, setRule } from '#testing/workspace/retention.ts';
import { processBatches } from './retention.sweep.ts';
import { startTeamRuns } from './runs.actions.ts';
import { findRun } from './runs.store.ts';

let node: TestApp;
let teamId: string;

beforeAll(async () => {
  node = await startApp({ work: false, pool: 4 });
});

afterAll(() => node[Symbol.asyncDispose]());

beforeEach(async () => {
  teamId = await createTeam(node);
  await setRecovery(node, teamId, 0);
});

const OLD = Date.UTC(2020, 0, 1);
const A_DAY = { value: 1 as const, duration: { count: 1, period: 'd' as const } };

const put = async (kind: RetentionKind, data: string) =>
  addItem(node, { teamId, kind, channels: await addChannels(node, teamId) }, { clock: OLD, data });

const getBlob = async (id: string) => {
  const { rows } = await sql<{ blob: string | null }>`select blob from files where id = ${id}
    union all select blob from records where id = ${id}`.execute(node.db);
  return rows[0]?.blob ?? null;
};

/** Puts a directory in place of the blob, which can't be deleted as a file. */
const undeletable = (blobs: TestApp['deps']['blobs'], key: string | null) => ({
  ...blobs,
  remove: (name: string) => (name === key ? Promise.reject(new Error('is busy')) : blobs.remove(name)),
});

test('a blob that cannot be deleted keeps its row visible, counts as failed, and is retried by the next run', async () => {
  const stuck = await put('files', 'stuck');
  const free = await put('files', 'free');
  const key = await getBlob(stuck);
  await setRule(node, teamId, 'files', { ...A_DAY, canmark: 0 });
  const deps = { ...node.deps, blobs: undeletable(node.deps.blobs, key) };
  const wanted = { teamId: teamId, origin: 'operator' as const, startedBy: null };
  const [run] = await startTeamRuns(deps, wanted);
  assert.deepEqual([run?.state, run?.scanned, run?.deleted, run?.failed], ['finished', 2, 1, 1]);
  const left = await getIds(node, teamId);
  assert.deepEqual([left.has(stuck), left.has(free)], [true, false]);
  const { rows } = await sql`select 1 from files where doomed`.execute(node.db);
  assert.equal(rows.length, 0);
  const [next] = await startTeamRuns(node.deps, wanted);
  assert.deepEqual([next?.deleted, next?.failed], [1, 0]);
});

test('a missing blob does not keep its row', async () => {
  const id = await put('call_recordings', 'gone');
  await node.deps.blobs.remove((await getBlob(id)) ?? '');
  await setRule(node, teamId, 'call_recordings', A_DAY);
  const [run] = await runNow(node, teamId);
  assert.deepEqual([run?.deleted, run?.failed], [1, 0]);
});

test('a row whose blob was deleted before an interruption is purged, even after the rule was changed to keep', async () => {
  const id = await put('call_recordings', 'half gone');
  const other = await put('call_recordings', 'not begun');
  await setRule(node, teamId, 'call_recordings', A_DAY);
  const [place] = await queueRuns(node, teamId);
  await sql`update records set doomed = true where id = ${id}`.execute(node.db);
  await node.deps.blobs.remove((await getBlob(id)) ?? '');
  await setRule(node, teamId, 'call_recordings', { value: 0 });
  await processBatches(node.deps, place!, { clock: Date.now, turnMs: 60_000 });
  const run = await findRun(node.db, place!);
  assert.deepEqual([run?.state, run?.deleted], ['stopped', 1]);
  assert.deepEqual(await getIds(node, teamId), new Set([other]));
});
