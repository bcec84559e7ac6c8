import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { test } from 'vitest';
import { newBlobKey } from '#platform/blobs/blobs.ts';
import { programFile } from '#testing/app/programs.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { isKept } from '#testing/workspace/content.ts';
import { team } from '#testing/workspace/factories.ts';
import { setRecovery, setRule } from '#testing/workspace/retention.ts';

const PROGRAM = programFile('retention-process');
/** Number of kills; use `KILLS=20` before a release. */
const KILLS = Number(process.env.KILLS ?? 4);
/** Enough work that every kill can interrupt an active run. */
const MESSAGES = KILLS * 15_000;
const FILES = 1_500;
const CHUNK = 30_000;

const OLD = Date.UTC(2020, 0, 1);
const BOUNDARY_MS = 30 * 86_400_000;

/** Two thirds of the items are expired, in mixed order; every third file has a blob. */
async function fillTeam(node: TestApp, teamId: string): Promise<string[]> {
  const clock = sql`case when n % 3 = 0 then ${Date.now()}::bigint else ${OLD}::bigint + n * 1000 end`;
  for (let from = 0; from < MESSAGES; from += CHUNK)
    await sql`insert into messages (team_id, id, channel_id, channel_type, text, size, create_at, update_at)
      select ${teamId}, lpad(n::text, 26, '0'), ${'c'.repeat(26)}, 'O', 'x', 1, ${clock}, 0
      from generate_series(${from + 1}::int, ${Math.min(from + CHUNK, MESSAGES)}::int) n`.execute(node.db);
  const blobs = Array.from({ length: FILES / 3 }, () => newBlobKey(teamId, 'file'));
  for (const key of blobs) await node.deps.blobs.put(key, Buffer.from('content'));
  await sql`insert into files (team_id, id, name, size, blob, create_at, update_at)
    select ${teamId}, lpad(n::text, 26, '0'), 'a.txt', 7, (${blobs}::text[])[n], ${clock}, 0
    from generate_series(1, ${FILES}::int) n`.execute(node.db);
  return blobs;
}

/** Waits until a run is active, or the process for it has ended. */
async function runsOrGone(node: TestApp, teamId: string, gone: Promise<unknown>): Promise<void> {
  let isGone = false;
  void gone.then(() => {
    isGone = true;
  });
  const running = () =>
    sql`select 1 from retention_runs where team_id = ${teamId} and state = 'running'
      and beat_at > now() - interval '60 seconds'`.execute(node.db);
  while (!isGone && (await running()).rows.length === 0) await setTimeout(5);
}

test(`runs killed ${KILLS} times delete what an undisturbed run would, and count it once`, async () => {
  await using node = await startApp({ work: false });
  const teamId = await team(node);
  await setRecovery(node, teamId, 0);
  const blobs = await fillTeam(node, teamId);
  const rule = { value: 1 as const, duration: { count: 30, period: 'd' as const } };
  for (const kind of ['public_channels', 'files'] as const) await setRule(node, teamId, kind, rule);
  const env = {
    PATH: process.env.PATH ?? '',
    DATABASE_URL: node.database.url,
    SECRET_KEY: '5e'.repeat(32),
    FILES_URL: node.deps.env.FILES_URL ?? '',
  };
  const begin = async () => {
    const sweeping = spawn(process.execPath, [PROGRAM, 'run', teamId], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    const gone = once(sweeping, 'exit');
    await once(sweeping.stdout, 'data');
    return { sweeping, gone };
  };
  let underWay = 0;
  for (let kill = 0; kill < KILLS; kill += 1) {
    const { sweeping, gone } = await begin();
    await runsOrGone(node, teamId, gone);
    // Each kill comes at another point of the work.
    await setTimeout((kill * 37) % 160);
    sweeping.kill('SIGKILL');
    await gone;
    const { rows } = await sql`update retention_runs set beat_at = now() - interval '61 seconds'
      where team_id = ${teamId} and state = 'running' returning 1`.execute(node.db);
    underWay += rows.length > 0 ? 1 : 0;
  }
  assert.ok(underWay > 0, 'no kill met a run that was under way');
  console.log(`${underWay} of ${KILLS} kills met a run that was under way`);
  const last = await begin();
  assert.deepEqual(await last.gone, [0, null]);

  const { rows: runs } = await sql<{
    kind: string;
    deleted: number;
    scanned: number;
    failed: number;
    states: string[];
  }>`
    select kind, sum(deleted)::int as deleted, sum(scanned)::int as scanned, sum(failed)::int as failed,
      array_agg(distinct state) as states
    from retention_runs where team_id = ${teamId} group by kind order by kind`.execute(node.db);
  const expired = (total: number) => total - Math.floor(total / 3);
  const counted = (kind: string, count: number) => ({
    kind,
    deleted: count,
    scanned: count,
    failed: 0,
    states: ['finished'],
  });
  assert.deepEqual(runs, [counted('files', expired(FILES)), counted('public_channels', expired(MESSAGES))]);
  const { rows: left } = await sql<{ messages: number; files: number; wrong: number; doomed: number }>`select
      (select count(*)::int from messages where team_id = ${teamId}) as messages,
      (select count(*)::int from files where team_id = ${teamId}) as files,
      (select count(*)::int from files where doomed) as doomed,
      (select count(*)::int from messages where create_at < ${Date.now() - 2 * BOUNDARY_MS}) as wrong`.execute(node.db);
  assert.deepEqual(left, [{ messages: MESSAGES / 3, files: FILES / 3, wrong: 0, doomed: 0 }]);
  for (const [at, key] of blobs.entries()) assert.equal(await isKept(node, key), (at + 1) % 3 === 0, `blob ${at}`);
});
