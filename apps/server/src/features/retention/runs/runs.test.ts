import assert from 'node:assert/strict';
import { getRetention, getRetentionStored, listRetentionRuns, runRetention } from '@steward/contract/retention';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { newId } from '#platform/database/ids.ts';
import { call } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { settled } from '#testing/faults/wait-for-jobs.ts';
import { createTeamWithMembers, type TestTeam } from '#testing/workspace/factories.ts';
import { addChannels, addItem, getIds, setRule } from '#testing/workspace/retention.ts';
import { auditRows } from '#testing/workspace/snapshot-tables.ts';

let node: TestApp;
let team: TestTeam;

beforeAll(async () => {
  node = await startApp({ pool: 4 });
});

afterAll(() => node[Symbol.asyncDispose]());

beforeEach(async () => {
  team = await createTeamWithMembers(node);
});

const OLD = Date.UTC(2020, 0, 1);
const A_DAY = { value: 1 as const, duration: { count: 1, period: 'd' as const } };
const params = () => ({ teamId: team.id });
const run = (body?: unknown, headers = {}) =>
  call(node, runRetention, { as: team.admin, params: params(), headers, ...(body === undefined ? {} : { body }) });
const history = async (query: Record<string, string> = {}) =>
  (await call(node, listRetentionRuns, { as: team.admin, params: params(), query })).body;

async function addOneItem(kind: 'files' | 'archived_notes' | 'public_channels', clock = OLD): Promise<string> {
  return addItem(node, { teamId: team.id, kind, channels: await addChannels(node, team.id) }, { clock });
}

describe('Run now', () => {
  test('starts all current rules, also without a body, and its job does the work', async () => {
    const note = await addOneItem('archived_notes');
    const file = await addOneItem('files');
    await setRule(node, team.id, 'archived_notes', A_DAY);
    const { status, body } = await run();
    assert.equal(status, 200);
    assert.equal(body.records.length, 1);
    assert.deepEqual(
      [body.records[0].kind, body.records[0].started_by, body.records[0].started_by_name, body.records[0].state],
      ['archived_notes', team.admin.id, 'Some Body', 'running'],
    );
    await settled(node);
    const left = await getIds(node, team.id);
    assert.deepEqual([left.has(note), left.has(file)], [false, true]);
    const { records } = await history();
    assert.deepEqual([records[0].state, records[0].deleted, records.length], ['finished', 1, 1]);
    const rows = (await auditRows(node, 'retention.run_asked')).filter((row) => row.team_id === team.id);
    assert.equal(rows.length, 1);
  });

  test('starts nothing where everything is kept, and only the requested kinds', async () => {
    assert.deepEqual((await run({})).body.records, []);
    await setRule(node, team.id, 'archived_notes', A_DAY);
    await setRule(node, team.id, 'completed_tasks', A_DAY);
    assert.deepEqual((await run({ kinds: ['files'] })).body.records, []);
    const { records } = (await run({ kinds: ['completed_tasks'] })).body;
    assert.deepEqual(
      records.map(({ kind }: { kind: string }) => kind),
      ['completed_tasks'],
    );
    await settled(node);
  });

  test('starts one run for a repeated key, and refuses an unknown kind', async () => {
    await setRule(node, team.id, 'archived_notes', A_DAY);
    const headers = { 'idempotency-key': newId() };
    await Promise.all([run({}, headers), run({}, headers)]);
    await settled(node);
    assert.equal((await history()).records.length, 1);
    for (const body of [{ kinds: ['everything'] }, { kinds: 'files' }, [], 'all'])
      assert.equal((await run(body)).status, 400, JSON.stringify(body));
  });
});

test('the history is paged, newest first, and filtered by kind', async () => {
  await sql`insert into retention_runs (team_id, id, kind, origin, clock, cutoff, state, ended_at)
    select ${team.id}, lpad(n::text, 26, '0'), case when n % 2 = 0 then 'files' else 'voicemails' end, 'night', 'own', 0,
      'finished', now() from generate_series(1, 25) n`.execute(node.db);
  const first = await history({ limit: '10' });
  assert.equal(first.records.length, 10);
  assert.equal(first.reset, true);
  assert.equal(first.records[0].started_by_name, 'Nightly run');
  const second = await history({ limit: '10', last_key: first.last_key });
  const third = await history({ limit: '10', last_key: second.last_key });
  assert.deepEqual([second.records.length, third.records.length, third.last_key], [10, 5, null]);
  const ids = [first, second, third].flatMap(({ records }) => records.map(({ id }: { id: string }) => id));
  assert.deepEqual(ids, [...ids].sort().reverse());
  assert.equal(new Set(ids).size, 25);
  assert.equal((await history({ kind: 'files' })).records.length, 12);
  const other = await createTeamWithMembers(node);
  const stolen = await call(node, listRetentionRuns, {
    as: other.admin,
    params: { teamId: other.id },
    query: { last_key: first.last_key },
  });
  assert.equal(stolen.status, 400);
});

test('the overview returns the rule, cutoff and last run of each kind', async () => {
  await addOneItem('archived_notes');
  await setRule(node, team.id, 'archived_notes', A_DAY);
  await run();
  await settled(node);
  const { body } = await call(node, getRetention, { as: team.admin, params: params() });
  assert.equal(body.time_zone, 'UTC');
  assert.ok(body.next_run_at > Date.now() && body.next_run_at <= Date.now() + 86_400_000);
  assert.equal(body.kinds.length, 12);
  const notes = body.kinds.find(({ kind }: { kind: string }) => kind === 'archived_notes');
  assert.deepEqual([notes.rule, notes.last_run.deleted, notes.running], [A_DAY, 1, null]);
  assert.ok(notes.cutoff < Date.now() - 86_400_000 && notes.cutoff > Date.now() - 2 * 86_400_000);
  const files = body.kinds.find(({ kind }: { kind: string }) => kind === 'files');
  assert.deepEqual([files.cutoff, files.last_run], [null, null]);
});

test('while a run works, the overview returns it beside the last one that ended', async () => {
  await setRule(node, team.id, 'archived_notes', A_DAY);
  const [ended] = (await run()).body.records;
  await settled(node);
  const [working] = (await run()).body.records;
  await settled(node);
  await sql`update retention_runs set state = 'running', beat_at = now() where id = ${working.id}`.execute(node.db);
  const { body } = await call(node, getRetention, { as: team.admin, params: params() });
  const notes = body.kinds.find(({ kind }: { kind: string }) => kind === 'archived_notes');
  assert.deepEqual([notes.last_run.id, notes.running.id], [ended.id, working.id]);
});

const NOTHING = { count: 0, bytes: 0 };

test('stored and overdue items are counted for the requested kinds', async () => {
  await addOneItem('public_channels');
  await addOneItem('public_channels', Date.now());
  await setRule(node, team.id, 'public_channels', A_DAY);
  const stored = async (query = {}) => call(node, getRetentionStored, { as: team.admin, params: params(), query });
  const { body } = await stored({ kinds: 'public_channels,files' });
  const size = Buffer.byteLength('Good morning');
  assert.deepEqual(
    body.records.toSorted((a: { kind: string }, b: { kind: string }) => (a.kind < b.kind ? -1 : 1)),
    [
      { kind: 'files', count: 0, bytes: 0, overdue: 0, overdue_bytes: 0, held: NOTHING, oldest: null },
      {
        kind: 'public_channels',
        count: 2,
        bytes: 2 * size,
        overdue: 1,
        overdue_bytes: size,
        held: NOTHING,
        oldest: OLD,
      },
    ],
  );
  assert.equal((await stored()).body.records.length, 12);
  for (const kinds of ['', 'everything', 'files,', 'files,x'])
    assert.equal((await stored({ kinds })).status, 400, kinds);
});
