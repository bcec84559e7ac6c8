import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import type { RetentionKind } from '@steward/contract/retention/fields';
import { sql } from 'kysely';
import { test } from 'vitest';
import { newBlobKey } from '#platform/blobs/blobs.ts';
import { programFile } from '#testing/app/programs.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { isKept } from '#testing/workspace/content.ts';
import { team } from '#testing/workspace/factories.ts';
import { setRule } from '#testing/workspace/retention.ts';
import { readItems } from '#workspace/content/archive-rows.rules.ts';
import { openArchiveKey } from '../archive/archive-key.ts';
import { listArchivedObjects } from '../archive/archives.store.ts';
import { readArchivedRows } from './read-archive.actions.ts';

const PROCESS = programFile('retention-process');
/** Kills of the archive, of the restore of each of two runs, and of the expiry. Use `KILLS=13` before a release: 52 kills. */
const KILLS = Number(process.env.KILLS ?? 2);
const MESSAGES = 20_000 + KILLS * 12_000;
const FILES = 600;
const OLD = Date.UTC(2020, 0, 1);
const A_MONTH = { value: 1 as const, duration: { count: 30, period: 'd' as const } };

async function fillTeam(node: TestApp, teamId: string): Promise<void> {
  await sql`insert into messages (team_id, id, channel_id, channel_type, text, size, create_at, update_at)
    select ${teamId}, 'm' || lpad(n::text, 25, '0'), ${'c'.repeat(26)}, 'O', md5(n::text), 32, ${OLD}::bigint + n, 0
    from generate_series(1, ${MESSAGES}::int) n`.execute(node.db);
  const blobs = Array.from({ length: FILES }, () => newBlobKey(teamId, 'file'));
  for (const key of blobs) await node.deps.blobs.put(key, Buffer.from('content'));
  await sql`insert into files (team_id, id, name, size, blob, create_at, update_at)
    select ${teamId}, 'f' || lpad(n::text, 25, '0'), 'a.txt', 7, (${blobs}::text[])[n], ${OLD}::bigint + n, 0
    from generate_series(1, ${FILES}::int) n`.execute(node.db);
}

interface Whereabouts {
  rows: number;
  archived: number;
}

/** Finds each item: it must be either a row with its content, or in one archived object with its content. */
async function findItems(node: TestApp, teamId: string): Promise<Whereabouts> {
  const { rows: stored } = await sql<{ id: string; blob: string | null }>`
    select id, null as blob from messages where team_id = ${teamId}
    union all select id, blob from files where team_id = ${teamId}`.execute(node.db);
  const seen = new Set(stored.map(({ id }) => id));
  let archived = 0;
  const blobs = stored.flatMap(({ blob }) => blob ?? []);
  const { rows: runs } = await sql<{ id: string; archive_key: string }>`select id, archive_key from retention_runs
    where team_id = ${teamId} and archive_key is not null`.execute(node.db);
  for (const { id: runId, archive_key } of runs) {
    const key = openArchiveKey(node.deps.secrets, archive_key);
    for (const object of await listArchivedObjects(node.db, { teamId, runId }, { after: 0, limit: 10_000 })) {
      const rows = await readArchivedRows(node.deps, { teamId, runId, key }, object);
      for (const { id, blob } of readItems(rows)) {
        assert.ok(!seen.has(id), `${id} is there twice`);
        seen.add(id);
        archived += 1;
        if (blob) blobs.push(blob);
      }
    }
  }
  for (const blob of blobs) assert.ok(await isKept(node, blob), `the content ${blob} is gone`);
  return { rows: stored.length, archived };
}

/** Existing and destroyed objects of archives. */
async function countObjects(node: TestApp, teamId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select (
    (select count(*) from retention_archives where team_id = ${teamId}) +
    (select coalesce(sum(destroyed_objects), 0) from retention_runs where team_id = ${teamId}))::int as count`.execute(
    node.db,
  );
  return rows[0]?.count ?? 0;
}

/** Starts a program, waits until it begins its work, and kills it after some time; true if it was killed while working. */
async function runAndKill(args: string[], env: Record<string, string>, afterMs: number | undefined): Promise<boolean> {
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const gone = once(child, 'exit');
  await once(child.stdout, 'data');
  child.stdout.resume();
  if (afterMs === undefined) {
    assert.deepEqual(await gone, [0, null]);
    return false;
  }
  await setTimeout(afterMs);
  child.kill('SIGKILL');
  const [code] = await gone;
  return code === null;
}

test(`every item exists once, killed ${KILLS} times in the archive, the restore and the expiry`, async () => {
  await using node = await startApp({ work: false });
  const teamId = await team(node);
  await fillTeam(node, teamId);
  for (const kind of ['public_channels', 'files'] as RetentionKind[]) await setRule(node, teamId, kind, A_MONTH);
  const env = {
    PATH: process.env.PATH ?? '',
    DATABASE_URL: node.database.url,
    SECRET_KEY: '5e'.repeat(32),
    FILES_URL: node.deps.env.FILES_URL ?? '',
  };
  const total = MESSAGES + FILES;
  const check = async (phase: string) => {
    const { rows, archived } = await findItems(node, teamId);
    assert.equal(rows + archived, total, `${phase}: ${rows} rows and ${archived} archived`);
    return rows;
  };
  const met: Record<string, number> = { archive: 0, restore: 0, expiry: 0 };
  const phase = async (
    name: string,
    args: string[],
    afterKill: () => Promise<unknown>,
    { firstMs, spanMs } = { firstMs: 60, spanMs: 700 },
  ) => {
    for (let kill = 0; kill < KILLS; kill += 1) {
      if (await runAndKill(args, env, firstMs + ((kill * 97) % spanMs))) met[name] = (met[name] ?? 0) + 1;
      await afterKill();
    }
    await runAndKill(args, env, undefined);
  };

  await phase('archive', [PROCESS, 'run', teamId], async () => {
    await check('archive');
    await sql`update retention_runs set beat_at = now() - interval '61 seconds'
      where team_id = ${teamId} and state = 'running'`.execute(node.db);
  });
  assert.equal(await check('archived'), 0);

  const { rows: runs } = await sql<{ id: string }>`select id from retention_runs
    where team_id = ${teamId} and recoverable_until is not null`.execute(node.db);
  for (const { id } of runs) {
    await sql`update retention_runs set restore_state = 'running' where id = ${id}`.execute(node.db);
    await phase('restore', [PROCESS, 'restore', teamId, id], () => check('restore'));
  }
  assert.equal(await check('restored'), total);

  await sql`update holds set release_at = now() where team_id = ${teamId}`.execute(node.db);
  await runAndKill([PROCESS, 'run', teamId], env, undefined);
  await check('archived again');
  await sql`update retention_runs set recoverable_until = now() where team_id = ${teamId} and archive_key is not null`.execute(
    node.db,
  );
  const objects = await countObjects(node, teamId);
  const checkExpiry = async () => {
    // This also asserts that all other objects are complete.
    assert.equal((await findItems(node, teamId)).rows, 0);
    assert.equal(await countObjects(node, teamId), objects, 'each object is there, or in the proof');
  };
  await phase('expiry', [PROCESS, 'expire'], checkExpiry, { firstMs: 0, spanMs: 90 });
  await checkExpiry();
  const { rows: left } = await sql<{ objects: number; contents: number; destroyed: number }>`select
    (select count(*)::int from retention_archives where team_id = ${teamId}) as objects,
    (select count(*)::int from archived_blobs where team_id = ${teamId}) as contents,
    (select count(*)::int from retention_runs where team_id = ${teamId} and destroyed_at is not null) as destroyed`.execute(
    node.db,
  );
  assert.deepEqual(left, [{ objects: 0, contents: 0, destroyed: 2 }]);
  console.log(`kills that met the work: ${JSON.stringify(met)}`);
  for (const [name, count] of Object.entries(met)) assert.ok(count > 0, `${name}: ${JSON.stringify(met)}`);
});
