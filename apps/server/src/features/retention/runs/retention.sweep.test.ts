import assert from 'node:assert/strict';
import { saveNoteRetention } from '@steward/contract/retention';
import { RETENTION_KINDS, type RetentionKind } from '@steward/contract/retention/fields';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { call } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { isKept } from '#testing/workspace/content.ts';
import { createTeamWithMembers, type TestTeam } from '#testing/workspace/factories.ts';
import { addChannels, addItem, getIds, queueRuns, runNow, setRecovery, setRule } from '#testing/workspace/retention.ts';
import { auditRows } from '#testing/workspace/snapshot-tables.ts';
import { createSweepWorker, processBatches } from './retention.sweep.ts';
import { createBatchRunner } from './run-batch.actions.ts';
import { startTeamRuns } from './runs.actions.ts';
import { findRun, listStalledRuns, type RunKey } from './runs.store.ts';

let node: TestApp;
let second: TestApp;
let team: TestTeam;
let channels: Awaited<ReturnType<typeof addChannels>>;

beforeAll(async () => {
  node = await startApp({ work: false, pool: 4 });
  second = await startApp({ beside: node, work: false, pool: 4 });
});

afterAll(async () => {
  await second[Symbol.asyncDispose]();
  await node[Symbol.asyncDispose]();
});

beforeEach(async () => {
  team = await createTeamWithMembers(node);
  channels = await addChannels(node, team.id);
});

const OLD = Date.UTC(2020, 0, 1);
const A_DAY = { value: 1 as const, duration: { count: 1, period: 'd' as const } };
const KEEP = { value: 0 as const };

const put = (kind: RetentionKind, item: { clock?: number; data?: string; marked?: boolean; size?: number } = {}) =>
  addItem(node, { teamId: team.id, kind, channels }, { clock: OLD, ...item });

const getBlob = async (id: string) => {
  const { rows } = await sql<{ blob: string | null }>`select blob from files where id = ${id}
    union all select blob from records where id = ${id}`.execute(node.db);
  return rows[0]?.blob ?? null;
};

const begin = () => queueRuns(node, team.id);
const work = (place: RunKey, on = node) => processBatches(on.deps, place, { clock: Date.now, turnMs: 60_000 });

describe('a run', () => {
  test('deletes expired items of its kind and team, and nothing else', async () => {
    const gone = await Promise.all(RETENTION_KINDS.map((kind) => put(kind)));
    const fresh = await Promise.all(RETENTION_KINDS.map((kind) => put(kind, { clock: Date.now() })));
    const others = await createTeamWithMembers(node);
    const foreign = await addItem(
      node,
      { teamId: others.id, kind: 'public_channels', channels: await addChannels(node, others.id) },
      { clock: OLD },
    );
    await setRule(node, team.id, 'voicemails', A_DAY);
    await runNow(node, team.id);
    const afterOne = await getIds(node, team.id);
    assert.equal(afterOne.size, gone.length + fresh.length - 1);
    for (const kind of RETENTION_KINDS) await setRule(node, team.id, kind, A_DAY);
    await runNow(node, team.id);
    assert.deepEqual(await getIds(node, team.id), new Set(fresh));
    assert.deepEqual(await getIds(node, others.id), new Set([foreign]));
  });

  test('deletes by the date of marking where users can mark items deleted, and keeps the rest', async () => {
    const rule = { value: 0 as const, canmark: 1 as const, duration: { count: 1, period: 'd' as const } };
    for (const kind of ['files', 'direct_messages'] as const) {
      const marked = await put(kind, { marked: true });
      const justMarked = await put(kind, { marked: true, clock: Date.now() });
      const old = await put(kind);
      await setRule(node, team.id, kind, rule);
      const [run] = await runNow(node, team.id, [kind]);
      assert.deepEqual([run?.scanned, run?.deleted], [1, 1]);
      const left = await getIds(node, team.id);
      assert.deepEqual([left.has(marked), left.has(justMarked), left.has(old)], [false, true, true]);
    }
  });

  test('deletes the blob with the row, and counts bytes', async () => {
    await setRecovery(node, team.id, 0);
    const id = await put('meeting_recordings', { data: 'a recording', size: 11 });
    const blob = await getBlob(id);
    assert.equal(await isKept(node, blob), true);
    await setRule(node, team.id, 'meeting_recordings', A_DAY);
    const [run] = await runNow(node, team.id);
    assert.deepEqual([run?.deleted, run?.bytes, run?.failed], [1, 11, 0]);
    assert.equal(await isKept(node, blob), false);
  });

  test('writes its counts to the history and one row to the audit log', async () => {
    await put('files', { size: 700 });
    await put('files', { size: 300 });
    await setRule(node, team.id, 'files', A_DAY);
    const [run] = await runNow(node, team.id);
    assert.deepEqual([run?.scanned, run?.deleted, run?.bytes, run?.state, run?.note], [2, 2, 1000, 'finished', '']);
    assert.ok((run?.ended_at ?? 0) >= (run?.started_at ?? 0));
    const lines = (await auditRows(node, 'retention.ran')).filter((row) => row.target === run?.id);
    assert.equal(lines.length, 1);
    assert.deepEqual([lines[0]?.details.deleted, lines[0]?.details.bytes], [2, 1000]);
  });
});

describe('nothing is deleted', () => {
  for (const [why, stored] of Object.entries({
    'count is 0': '{"value":1,"duration":{"count":0,"period":"d"}}',
    'count is blank': '{"value":1,"duration":{"period":"d"}}',
    'period is unknown': '{"value":1,"duration":{"count":1,"period":"w"}}',
    'duration is missing': '{"value":1}',
    'it is no rule at all': '"keep"',
  })) {
    test(`when the stored rule is unreadable: ${why}`, async () => {
      const id = await put('archived_notes');
      await setRule(node, team.id, 'archived_notes', A_DAY);
      await sql`update retention_policies set rule = ${stored}::jsonb where team_id = ${team.id}`.execute(node.db);
      assert.deepEqual(await runNow(node, team.id), []);
      assert.ok((await getIds(node, team.id)).has(id));
      assert.ok(node.log.some((line) => line.includes('cannot be read') && line.includes(team.id)));
    });
  }

  test('without a saved rule, and before a stricter rule takes effect', async () => {
    const id = await put('archived_notes');
    assert.deepEqual(await runNow(node, team.id), []);
    await call(node, saveNoteRetention, {
      as: team.admin,
      params: { teamId: team.id },
      body: { archived_notes: A_DAY },
    });
    assert.deepEqual(await runNow(node, team.id), []);
    assert.ok((await getIds(node, team.id)).has(id));
  });

  test("when the team's time zone is unknown", async () => {
    const id = await put('archived_notes');
    await setRule(node, team.id, 'archived_notes', A_DAY);
    await sql`update teams set time_zone = 'Mars/Olympus' where id = ${team.id}`.execute(node.db);
    assert.deepEqual(await runNow(node, team.id), []);
    assert.ok((await getIds(node, team.id)).has(id));
  });

  for (const minutes of [-1440, -6, 6, 1440]) {
    test(`when the clocks of process and database differ by ${minutes} minutes, and the run says so`, async () => {
      const id = await put('archived_notes');
      await setRule(node, team.id, 'archived_notes', A_DAY);
      const clock = () => Date.now() + minutes * 60_000;
      const wanted = { teamId: team.id, origin: 'operator' as const, startedBy: null };
      const [run] = await startTeamRuns(node.deps, wanted, clock);
      assert.deepEqual([run?.state, run?.deleted], ['refused', 0]);
      assert.match(run?.note ?? '', new RegExp(`differ by ${Math.abs(minutes)} minutes`));
      assert.ok((await getIds(node, team.id)).has(id));
      const [again] = await startTeamRuns(node.deps, wanted, () => Date.now() + 4 * 60_000);
      assert.deepEqual([again?.state, again?.deleted], ['finished', 1]);
    });
  }
});

describe('changing a rule during a run', () => {
  const many = async (kind: RetentionKind, count: number) => {
    for (let at = 0; at < count; at += 1) await put(kind, { clock: OLD + at * 86_400_000 });
  };

  test('to keep forever stops the run at the next batch, and the run says so', async () => {
    await many('archived_notes', 3);
    await setRule(node, team.id, 'archived_notes', A_DAY);
    const [place] = await begin();
    await setRule(node, team.id, 'archived_notes', KEEP);
    await work(place!);
    const run = await findRun(node.db, place!);
    assert.deepEqual([run?.state, run?.deleted], ['stopped', 0]);
    assert.match(run?.note ?? '', /keep everything/);
    assert.equal((await getIds(node, team.id)).size, 3);
  });

  test('to a longer duration keeps more immediately', async () => {
    await many('completed_tasks', 2);
    const fresh = await put('completed_tasks', { clock: Date.now() - 10 * 86_400_000 });
    await setRule(node, team.id, 'completed_tasks', A_DAY);
    const [place] = await begin();
    await setRule(node, team.id, 'completed_tasks', { value: 1, duration: { count: 1, period: 'm' } });
    await work(place!);
    assert.deepEqual(await getIds(node, team.id), new Set([fresh]));
    const run = await findRun(node.db, place!);
    assert.equal(run?.state, 'finished');
    assert.ok((run?.cutoff ?? 0) < Date.now() - 20 * 86_400_000);
  });

  test('to a shorter duration does not delete more in this run', async () => {
    const middle = await put('completed_tasks', { clock: Date.now() - 10 * 86_400_000 });
    await setRule(node, team.id, 'completed_tasks', { value: 1, duration: { count: 1, period: 'm' } });
    const [place] = await begin();
    await setRule(node, team.id, 'completed_tasks', A_DAY);
    await work(place!);
    assert.deepEqual(await getIds(node, team.id), new Set([middle]));
  });

  test('to another clock stops the run', async () => {
    await put('files');
    await setRule(node, team.id, 'files', { ...A_DAY, canmark: 0 });
    const [place] = await begin();
    await setRule(node, team.id, 'files', { value: 0, canmark: 1, duration: { count: 1, period: 'd' } });
    await work(place!);
    assert.equal((await findRun(node.db, place!))?.state, 'stopped');
    assert.equal((await getIds(node, team.id)).size, 1);
  });
});

describe('several nodes', () => {
  test('start one run per team and kind, and one node processes it', async () => {
    for (let at = 0; at < 5; at += 1) await put('voicemails', { data: `voice ${at}` });
    await setRule(node, team.id, 'voicemails', A_DAY);
    const begun = await Promise.all([begin(), begin(), begin()]);
    const ids = new Set(begun.flat().map(({ runId }) => runId));
    assert.equal(ids.size, 1);
    const place = begun[0]?.[0];
    await Promise.all([work(place!), work(place!, second), work(place!), work(place!, second)]);
    const run = await findRun(node.db, place!);
    assert.deepEqual([run?.state, run?.scanned, run?.deleted], ['finished', 5, 5]);
  });

  test('take over a stalled run, and its first worker stops when it comes back', async () => {
    await put('voicemails', { data: 'voice' });
    await setRule(node, team.id, 'voicemails', A_DAY);
    const [place] = await begin();
    const silent = { ...place!, holder: 'another worker' };
    await sql`update retention_runs set holder = ${silent.holder}, beat_at = now() where id = ${silent.runId}`.execute(
      node.db,
    );
    await work(place!);
    assert.equal((await findRun(node.db, place!))?.state, 'running');
    await sql`update retention_runs set beat_at = now() - interval '61 seconds' where id = ${silent.runId}`.execute(
      node.db,
    );
    assert.deepEqual(await listStalledRuns(node.db), [{ team_id: team.id, id: silent.runId }]);
    await sql`update retention_runs set holder = 'another', beat_at = now() where id = ${silent.runId}`.execute(
      node.db,
    );
    assert.equal(await createBatchRunner(node.deps, { ...silent, kind: 'voicemails', isRecoverable: false })(), 'lost');
    assert.equal((await findRun(node.db, place!))?.deleted, 0);
    await sql`update retention_runs set holder = null where id = ${silent.runId}`.execute(node.db);
    await work(place!, second);
    const run = await findRun(node.db, place!);
    assert.deepEqual([run?.state, run?.deleted], ['finished', 1]);
  });
});

test('a run that needs more than one turn continues in the next', async () => {
  for (let at = 0; at < 3; at += 1) await put('archived_notes');
  await setRule(node, team.id, 'archived_notes', A_DAY);
  const [place] = await begin();
  assert.deepEqual(await processBatches(node.deps, place!, { clock: Date.now, turnMs: 0 }), { isOver: false });
  assert.deepEqual(await processBatches(node.deps, place!, { clock: Date.now, turnMs: 60_000 }), { isOver: true });
  assert.equal((await findRun(node.db, place!))?.deleted, 3);
});

test('an error other than an outage fails the run with a note, and the next run does the work', async () => {
  await put('archived_notes');
  await setRule(node, team.id, 'archived_notes', A_DAY);
  const [place] = await begin();
  await sql`alter table records rename column clock to clock_away`.execute(node.db);
  const worker = createSweepWorker(node.deps);
  const payload = { team_id: team.id, run_id: place!.runId };
  await assert.rejects(worker.handle(payload, { id: 'job', attempt: 1, isLast: false }));
  await sql`alter table records rename column clock_away to clock`.execute(node.db);
  const run = await findRun(node.db, place!);
  assert.equal(run?.state, 'failed');
  assert.match(run?.note ?? '', /next run tries again/);
  const [next] = await runNow(node, team.id);
  assert.deepEqual([next?.state, next?.deleted], ['finished', 1]);
});
