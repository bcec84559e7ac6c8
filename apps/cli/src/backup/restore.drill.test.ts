import assert from 'node:assert/strict';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { temporaryDir } from '@steward/embedded-postgres/testing/temporary-cluster.ts';
import { createDatabase, createPool } from '@steward/server/src/platform/database/database.ts';
import { migrate } from '@steward/server/src/platform/database/migrate.ts';
import { runWorkspace } from '@steward/server/testing/app/programs.ts';
import { startApp, type TestApp } from '@steward/server/testing/app/start-app.ts';
import {
  type ClusterDir,
  createClusterDir,
  WITHOUT_PROGRAMS,
} from '@steward/server/testing/database/system-postgres.ts';
import { testDatabase } from '@steward/server/testing/database/template-database.ts';
import { describeUnless } from '@steward/server/testing/system/unless.ts';
import { user } from '@steward/server/testing/workspace/factories.ts';
import {
  assertRestored,
  isSignedIn,
  type PopulatedWorkspace,
  populateWorkspace,
} from '@steward/server/testing/workspace/populated-workspace.ts';
import pg from 'pg';
import { test } from 'vitest';

// Restores a backup that was taken of a workspace in use: everything comes back, and nothing is done twice.

const SECRET_KEY = '5e'.repeat(32);
/** Additional messages: with a million, the printed times are meaningful. */
const ROWS = Number(process.env.DRILL_ROWS ?? 0);

const databaseAt = (url: string): TestApp['database'] => ({
  url,
  connection: { connectionString: url },
  [Symbol.asyncDispose]: async () => undefined,
});

async function migrated(url: string): Promise<string[]> {
  const db = createDatabase(createPool({ connectionString: url }, { max: 1, name: 'drill', unlimited: true }));
  return migrate(db).finally(() => db.destroy());
}

async function command(args: readonly string[], { url, filesUrl = '' }: { url: string; filesUrl?: string }) {
  const env = { DATABASE_URL: url, SECRET_KEY, ...(filesUrl ? { FILES_URL: filesUrl } : {}) };
  const { code, out, err } = await runWorkspace([...args, '--json'], env);
  assert.equal(code, 0, err);
  return JSON.parse(out) as Record<string, number>;
}

async function grown(url: string, { team }: PopulatedWorkspace): Promise<void> {
  if (ROWS > 0) await command(['fill', '--team', team.id, '--messages', `${ROWS}`], { url });
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** Adds members until the work is done, and returns their number. */
async function whileWriting(node: TestApp, work: () => Promise<unknown>): Promise<number> {
  let isDone = false;
  let written = 0;
  const writing = (async () => {
    while (!isDone) {
      await user(node);
      written += 1;
      await pause(20);
    }
  })();
  await work().finally(() => {
    isDone = true;
  });
  await writing;
  return written;
}

/** Dumps a snapshot of the database, and returns its sums. */
function dumped(room: ClusterDir, url: string, file: string) {
  return withClient(url, async (client) => {
    await client.query('begin isolation level repeatable read');
    const { rows } = await client.query<{ id: string }>('select pg_export_snapshot() as id');
    const args = ['--format=custom', `--snapshot=${rows[0]?.id}`, `--file=${file}`, url];
    const ms = await timed(() => room.run('pg_dump', args));
    return { sums: await sumTables(client), ms };
  });
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return work(client).finally(() => client.end());
}

const computeSums = (url: string) => withClient(url, sumTables);

const getSize = (url: string) =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ bytes: string }>('select pg_database_size(current_database()) as bytes');
    return Number(rows[0]?.bytes);
  });

function tell(what: string, { ms, bytes }: { ms: number; bytes: number }): void {
  const perGiB = ((ms / 1000) * 1024 ** 3) / bytes;
  const mib = (bytes / 1024 ** 2).toFixed(1);
  console.log(`${what}: ${(ms / 1000).toFixed(1)} s for ${mib} MiB, ${(perGiB / 60).toFixed(1)} min per GiB`);
}

describeUnless(
  WITHOUT_PROGRAMS,
  'a workspace that was dumped while users wrote, restored into an empty cluster',
  () => {
    test('has every row of the dump’s moment, and after end-sessions starts as if nothing had been done twice', async () => {
      await using room = createClusterDir();
      const source = await room.newCluster('source');
      await migrated(source.url);
      const file = join(room.path, 'steward.dump');
      let sums: Awaited<ReturnType<typeof sumTables>> = {};
      let before: PopulatedWorkspace;
      let filesUrl: string;
      let bytes = 0;
      {
        await using node = await startApp({ database: databaseAt(source.url), work: false, pool: 4 });
        filesUrl = node.deps.env.FILES_URL ?? '';
        before = await populateWorkspace(node);
        await grown(source.url, before);
        const written = await whileWriting(node, async () => {
          const dump = await dumped(room, source.url, file);
          sums = dump.sums;
          bytes = await getSize(source.url);
          tell('pg_dump', { ms: dump.ms, bytes });
        });
        assert.ok(
          written > 0 &&
            (sums['public.people']?.rows ?? 0) < ((await computeSums(source.url))['public.people']?.rows ?? 0),
        );
      }
      await source.stop();

      const target = await room.newCluster('target');
      const ms = await timed(() => room.run('pg_restore', ['--exit-on-error', `--dbname=${target.url}`, file]));
      tell('pg_restore', { ms, bytes });
      assert.deepEqual(await computeSums(target.url), sums);
      assert.deepEqual(await migrated(target.url), []);
      assert.ok((sums['public.sessions']?.rows ?? 0) > 0 && (sums['public.mails']?.rows ?? 0) > 0);
      {
        await using node = await startApp({ database: databaseAt(target.url), work: false });
        assert.ok(await isSignedIn(node, before.team.owner), 'this is what end-sessions is for');
      }
      const ended = await command(['end-sessions', '--restored'], { url: target.url });
      for (const what of ['sessions', 'links', 'jobs', 'mails'])
        assert.ok((ended[what] ?? 0) > 0, `${what}: ${ended[what]}`);
      await assertRestored(databaseAt(target.url), before, filesUrl);
    });
  },
);

test('a workspace restored by our own command starts as if nothing had been done twice, without a further step', async () => {
  await using dir = temporaryDir();
  const file = join(dir.path, 'drill.tar.gz');
  await using target = await testDatabase();
  let before: PopulatedWorkspace;
  let bytes: number;
  {
    await using node = await startApp({ work: false, pool: 4 });
    const { url } = node.database;
    before = await populateWorkspace(node);
    await grown(url, before);
    bytes = await getSize(url);
    const backUp = () => command(['backup', file], { url, filesUrl: node.deps.env.FILES_URL ?? '' });
    await whileWriting(node, async () => tell('backup', { ms: await timed(backUp), bytes }));
  }
  const filesUrl = `file://${dir.path}/files`;
  const ms = await timed(() => command(['restore', file], { url: target.url, filesUrl }));
  tell('restore', { ms, bytes });
  assert.deepEqual(await migrated(target.url), []);
  await assertRestored(databaseAt(target.url), before, filesUrl);
});

/** The number of rows in every table, and a sum over their texts that doesn't depend on their order. */
async function sumTables(client: pg.ClientBase): Promise<Record<string, { rows: number; sum: string }>> {
  await client.query(`set timezone = 'UTC'`);
  const { rows: tables } = await client.query<{ name: string }>(`
    select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname not like 'pg\\_%' and n.nspname <> 'information_schema' order by 1`);
  const sums: Record<string, { rows: number; sum: string }> = {};
  for (const { name } of tables) {
    const { rows } = await client.query<{ rows: number; sum: string }>(`
      select count(*)::int as rows, coalesce(sum(hashtextextended(t::text, 0)::numeric), 0)::text as sum from ${name} t`);
    sums[name] = rows[0] ?? { rows: 0, sum: '' };
  }
  return sums;
}
