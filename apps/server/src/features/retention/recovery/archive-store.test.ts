import assert from 'node:assert/strict';
import { mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { createBlobs } from '#platform/blobs/blobs.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { team as createTeam } from '#testing/workspace/factories.ts';
import { legalHold } from '#testing/workspace/holds.ts';
import { addChannels, addItem, getIds, runNow, setRule } from '#testing/workspace/retention.ts';
import type { ArchivePatience } from '../archive/archive-batch.actions.ts';
import { startTeamRuns } from '../runs/runs.actions.ts';
import { findRun, startRestore } from '../runs/runs.store.ts';
import { createExpireArchivesWorker } from './expire-archives.job.ts';
import { createRestoreWorker } from './restore.job.ts';

let node: TestApp;
let teamId: string;

type Blobs = TestApp['deps']['blobs'];

const OLD = Date.UTC(2020, 0, 1);
const A_DAY = { value: 1 as const, canmark: 0 as const, duration: { count: 1, period: 'd' as const } };
const attempt = { isLast: false } as never;
/** Long enough for a store that responds, and short for tests of one that doesn't. */
const IMPATIENT: ArchivePatience = { attemptMs: 300, pauseMs: 10 };

beforeAll(async () => {
  // Without workers, which would process a run with the usual store.
  node = await startApp({ work: false, pool: 4 });
});

afterAll(() => node[Symbol.asyncDispose]());

beforeEach(async () => {
  teamId = await createTeam(node);
  const channels = await addChannels(node, teamId);
  for (let at = 0; at < 3; at += 1)
    await addItem(node, { teamId, kind: 'files', channels }, { clock: OLD + at, data: `content ${at}` });
  await setRule(node, teamId, 'files', A_DAY);
});

async function runWith(blobs: Blobs) {
  const deps = { ...node.deps, blobs, archivePatience: IMPATIENT };
  const [run = assert.fail()] = await startTeamRuns(deps, { teamId, origin: 'operator', startedBy: null });
  return run;
}

const work = (runId: string, blobs: Blobs = node.deps.blobs) =>
  createRestoreWorker({ ...node.deps, blobs }).handle({ team_id: teamId, run_id: runId }, attempt);
const expire = (blobs: Blobs = node.deps.blobs) =>
  createExpireArchivesWorker({ ...node.deps, blobs }).handle({}, attempt);
const read = async (runId: string) => (await findRun(node.db, { teamId, runId })) ?? assert.fail();
const begin = (runId: string) => node.db.transaction().execute((trx) => startRestore(trx, { teamId, runId }));

/** Asserts that nothing is deleted, that the run gives the reason, and that the next run with a working store succeeds. */
async function assertFailedWhole(run: { id: string; state: string; deleted: number; note: string }): Promise<void> {
  assert.deepEqual([run.state, run.deleted], ['failed', 0]);
  assert.match(run.note, /The archive of what is deleted couldn't be written/);
  assert.equal((await getIds(node, teamId)).size, 3);
  const [next] = await runNow(node, teamId);
  assert.deepEqual([next?.state, next?.deleted], ['finished', 3]);
}

describe('a blob store that', () => {
  test('is full lets nothing be deleted', async () => {
    const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    let tries = 0;
    const put = () => {
      tries += 1;
      return Promise.reject(full);
    };
    await assertFailedWhole(await runWith({ ...node.deps.blobs, put }));
    assert.equal(tries, 3);
  });

  test('doesn’t answer lets nothing be deleted', async () => {
    await assertFailedWhole(await runWith({ ...node.deps.blobs, put: () => new Promise(() => {}) }));
  });

  test('is gone lets nothing be deleted', async () => {
    using dir = mkdtempDisposableSync(join(tmpdir(), 'steward-gone-'));
    const file = join(dir.path, 'file');
    writeFileSync(file, 'where a directory was');
    const gone = createBlobs(pathToFileURL(join(file, 'files')).href, '');
    await assertFailedWhole(await runWith(gone));
  });

  test('answers one attempt too late replaces nothing that the next one wrote', async () => {
    const late: (() => Promise<void>)[] = [];
    const keys = new Set<string>();
    const put: Blobs['put'] = (key, content) => {
      keys.add(key);
      if (late.length > 0) return node.deps.blobs.put(key, content);
      const copy = Buffer.from(content);
      late.push(() => node.deps.blobs.put(key, copy));
      return new Promise(() => {});
    };
    const run = await runWith({ ...node.deps.blobs, put });
    assert.deepEqual([run.state, run.deleted], ['finished', 3]);
    await late[0]?.();
    await begin(run.id);
    await work(run.id);
    const { restore_state, restored, restore_note } = await read(run.id);
    assert.deepEqual([restore_state, restored], ['finished', 3], restore_note);
    const { rows: tracked } = await sql<{ key: string }>`select key from loose_blobs where team_id = ${teamId}`.execute(
      node.db,
    );
    const cleaned = new Set(tracked.map(({ key }) => key));
    assert.deepEqual(
      [...keys].filter((key) => !cleaned.has(key)),
      [],
      'the object of the first attempt is cleaned up too',
    );
  });

  test('can’t be read delays a restore, which continues when it can', async () => {
    const run = await runWith(node.deps.blobs);
    await begin(run.id);
    const get = () => Promise.reject(new Error('connect ECONNREFUSED'));
    await assert.rejects(work(run.id, { ...node.deps.blobs, get }), /ECONNREFUSED/);
    assert.deepEqual([(await read(run.id)).restore_state, (await getIds(node, teamId)).size], ['running', 0]);
    await work(run.id);
    assert.deepEqual([(await read(run.id)).restore_state, (await getIds(node, teamId)).size], ['finished', 3]);
  });

  test('refuses to delete delays the proof, which counts everything once', async () => {
    const run = await runWith(node.deps.blobs);
    await sql`update retention_runs set recoverable_until = now() where id = ${run.id}`.execute(node.db);
    let left = 2;
    const remove: Blobs['remove'] = (key) => {
      left -= 1;
      return left < 0 ? Promise.reject(new Error('connect ECONNREFUSED')) : node.deps.blobs.remove(key);
    };
    await expire({ ...node.deps.blobs, remove });
    assert.equal((await read(run.id)).proof, null);
    await expire();
    const { proof } = await read(run.id);
    assert.equal(proof?.objects, 1);
    assert.ok((proof?.bytes ?? 0) > 0);
  });
});

describe('an expiry', () => {
  /** Deleted messages in several archived objects that have expired. */
  async function archive(): Promise<string> {
    const count = 9;
    // Two messages of this size are in an object.
    const size = 1_500_000;
    await sql`insert into messages (team_id, id, channel_id, channel_type, text, size, create_at, update_at)
      select ${teamId}, right(${teamId}, 16) || lpad(n::text, 10, '0'), ${'c'.repeat(26)}, 'O', 'x', ${size}::int, ${OLD}::bigint + n, 0
      from generate_series(1, ${count}::int) n`.execute(node.db);
    await setRule(node, teamId, 'public_channels', { value: 1, duration: A_DAY.duration });
    const [run = assert.fail()] = await runNow(node, teamId, ['public_channels']);
    assert.equal(run.deleted, count);
    await sql`update retention_runs set recoverable_until = now() where id = ${run.id}`.execute(node.db);
    return run.id;
  }
  /** Calls `act` while the first object is being destroyed. */
  const expireBeside = async (act: () => Promise<unknown>) => {
    let acted = false;
    const remove: Blobs['remove'] = async (key) => {
      if (!acted) await act();
      acted = true;
      return node.deps.blobs.remove(key);
    };
    await expire({ ...node.deps.blobs, remove });
  };
  const objects = async (runId: string) => {
    const { rows } = await sql<{ number: number; items: number }>`select number, items from retention_archives
      where run_id = ${runId} order by number`.execute(node.db);
    return rows;
  };
  const rest = (all: { items: number }[]) => all.slice(1).reduce((sum, { items }) => sum + items, 0);

  test('stops at the object at which a restore begins', async () => {
    const runId = await archive();
    const before = await objects(runId);
    assert.ok(before.length > 1);
    await expireBeside(() => begin(runId));
    assert.deepEqual(await objects(runId), before.slice(1));
    await work(runId);
    const { restore_state, restored, recoverable_until } = await read(runId);
    assert.deepEqual([restore_state, restored, recoverable_until], ['finished', rest(before), null]);
  });

  test('stops at the object at which a hold begins', async () => {
    const runId = await archive();
    const before = await objects(runId);
    await expireBeside(() => legalHold(node, { teamId }));
    assert.deepEqual(await objects(runId), before.slice(1));
    await expire();
    assert.deepEqual(await objects(runId), before.slice(1), 'the hold covers them');
  });

  test('that was interrupted ends also after the rest was restored', async () => {
    const runId = await archive();
    const before = await objects(runId);
    await sql`update retention_archives set destroying = true where run_id = ${runId} and number = 1`.execute(node.db);
    await begin(runId);
    await work(runId);
    assert.deepEqual([(await read(runId)).restored, (await objects(runId)).length], [rest(before), 1]);
    await expire();
    assert.deepEqual([(await read(runId)).proof?.objects, await objects(runId)], [1, []]);
  });
});
