import assert from 'node:assert/strict';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startApp, type TestApp } from '@steward/server/testing/app/start-app.ts';
import { createTeamWithMembers, type TestTeam } from '@steward/server/testing/workspace/factories.ts';
import { addChannels, addItem, getIds, setRecovery, setRule } from '@steward/server/testing/workspace/retention.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, test } from 'vitest';
import { runInProcess } from '../../testing/run-in-process.ts';

let node: TestApp;
let team: TestTeam;

beforeAll(async () => {
  node = await startApp({ work: false });
});

afterAll(() => node[Symbol.asyncDispose]());

beforeEach(async () => {
  team = await createTeamWithMembers(node);
});

const A_DAY = { value: 1 as const, duration: { count: 1, period: 'd' as const } };
const OLD = Date.UTC(2020, 0, 1);
const run = (...args: string[]) =>
  runInProcess(['retention-run', '--team', team.id, ...args], {
    DATABASE_URL: node.database.url,
    SECRET_KEY: '5e'.repeat(32),
    FILES_URL: node.deps.env.FILES_URL ?? '',
  });

test('retention-run deletes what is overdue and says what it did', async () => {
  const place = { teamId: team.id, channels: await addChannels(node, team.id) };
  await addItem(node, { ...place, kind: 'files' }, { clock: OLD, data: 'content' });
  const note = await addItem(node, { ...place, kind: 'archived_notes' }, { clock: OLD });
  await setRule(node, team.id, 'files', { ...A_DAY, canmark: 0 });
  await setRule(node, team.id, 'archived_notes', A_DAY);
  const { code, out, err } = await run('--kind', 'files', '--json');
  assert.equal(code, 0, err);
  const { team_id, runs } = JSON.parse(out);
  assert.deepEqual([team_id, runs.length, runs[0].kind, runs[0].deleted, runs[0].bytes], [team.id, 1, 'files', 1, 7]);
  assert.deepEqual([runs[0].started_by_name, runs[0].state], ['Operator', 'finished']);
  assert.deepEqual(await getIds(node, team.id), new Set([note]));
  assert.match((await run()).out, /^archived_notes: finished, 1 deleted/m);
});

test('retention-run fails when something had to be kept, and continues when it can be deleted', async () => {
  await setRecovery(node, team.id, 0);
  const place = { teamId: team.id, kind: 'files' as const, channels: await addChannels(node, team.id) };
  const id = await addItem(node, place, { clock: OLD, data: 'content' });
  await setRule(node, team.id, 'files', { ...A_DAY, canmark: 0 });
  const { rows } = await sql<{ blob: string }>`select blob from files where id = ${id}`.execute(node.db);
  // A directory that isn't empty can't be deleted as a file.
  const path = join(fileURLToPath(node.deps.env.FILES_URL ?? ''), rows[0]?.blob ?? '');
  rmSync(path);
  mkdirSync(join(path, 'inside'), { recursive: true });
  const stuck = await run('--json');
  assert.equal(stuck.code, 1);
  const [first] = JSON.parse(stuck.out).runs;
  assert.deepEqual([first.state, first.deleted, first.failed], ['finished', 0, 1]);
  assert.ok((await getIds(node, team.id)).has(id));
  rmSync(path, { recursive: true });
  assert.equal((await run('--json')).code, 0);
  assert.equal((await getIds(node, team.id)).size, 0);
});

test('retention-run has nothing to do without a rule, and refuses what it does not know', async () => {
  const none = await run();
  assert.deepEqual([none.code, none.out], [0, 'No retention rules apply. Nothing to run.\n']);
  const wrong = await run('--kind', 'everything');
  assert.equal(wrong.code, 1);
  assert.match(wrong.err, /--kind /);
});
