import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { temporaryDir } from '@steward/embedded-postgres/testing/temporary-cluster.ts';
import { createPool } from '@steward/server/src/platform/database/database.ts';
import { startApp, type TestApp } from '@steward/server/testing/app/start-app.ts';
import { fillEveryTable } from '@steward/server/testing/authorization/fill-every-table.ts';
import { startDatabaseProxy } from '@steward/server/testing/database/database-proxy.ts';
import { getDiskSkipReason, mountSmallDisk } from '@steward/server/testing/faults/small-disk.ts';
import { testUnless } from '@steward/server/testing/system/unless.ts';
import { auditRows } from '@steward/server/testing/workspace/snapshot-tables.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { asRestored, emptyWorkspace, KEY, readContents, writeBackup } from '../../testing/backups.ts';
import { runInProcess } from '../../testing/run-in-process.ts';
import { LEFT_OUT } from './archive/backup-format.ts';
import { lendSession, listTables } from './backup.store.ts';

let dir: ReturnType<typeof temporaryDir>;
let node: TestApp;
let whole: { teamId: string; file: string | null };
let archive: string;
/** The message of PostgreSQL's protocol that ends the rows of COPY. */
const COPY_DONE = Buffer.from([0x63, 0, 0, 0, 4]);
/** Without the time limits of calls, like the commands. */
let patient: ReturnType<typeof createPool>;

beforeAll(async () => {
  dir = temporaryDir();
  node = await startApp({ work: false, pool: 4 });
  patient = createPool({ connectionString: node.database.url }, { max: 1, name: 'backup test', unlimited: true });
  whole = await fillEveryTable(node);
  archive = join(dir.path, 'whole.backup');
  await backUpTo(archive);
});

afterAll(async () => {
  await patient.end();
  await node[Symbol.asyncDispose]();
  await dir[Symbol.asyncDispose]();
});

function backUpTo(file: string, say?: (line: string) => void) {
  const withSession: Parameters<typeof writeBackup>[0]['withSession'] = (work) => lendSession(patient, work);
  return writeBackup({ ...node.deps, withSession }, file, say ? { say } : {});
}

describe('a backup', () => {
  test('holds every table that is not left out for a reason, and this workspace fills each of them', async () => {
    const tables = await lendSession(patient, listTables);
    const names = tables.map(({ name }) => name);
    for (const name of Object.keys(LEFT_OUT)) assert.ok(names.includes(name), `${name} is left out and is no table`);
    const filled = await readContents(node.db);
    assert.deepEqual(Object.keys(filled).sort(), names.filter((name) => LEFT_OUT[name] === undefined).sort());
    assert.deepEqual(
      Object.keys(filled).filter((name) => filled[name]?.length === 0),
      [],
      'tables that nothing is tried with',
    );
    const { rows } =
      await sql`select 1 from information_schema.columns where table_schema = 'public' and (is_identity = 'YES'
      or column_default like 'nextval%') and table_name <> all(${Object.keys(LEFT_OUT)})`.execute(node.db);
    assert.equal(rows.length, 0, 'a sequence would have to be set after a restore');
  });

  test('is restored to the row and the byte, by its owner alone', async () => {
    assert.equal(statSync(archive).mode & 0o777, 0o600);
    await using empty = await emptyWorkspace(dir.path);
    const done = await empty.restore(archive);
    assert.deepEqual([done.files, done.files_missing, done.resealed, done.unreadable], [2, 0, 0, 0]);
    assert.deepEqual(await readContents(empty.db), asRestored(await readContents(node.db)));
    const kept = await empty.blobs.get(whole.file ?? '');
    assert.equal((await kept?.toArray())?.join(''), 'The minutes');
    const { rows } = await sql`select 1 from sessions union all select 1 from links`.execute(empty.db);
    assert.equal(rows.length, 0, 'nobody is signed in, and no link works');
  });

  test('shows nothing of what it holds without the key', () => {
    const bytes = readFileSync(archive);
    for (const text of ['steward.json', 'The minutes', 'display_name']) assert.ok(!bytes.includes(text), text);
    assert.ok(!bytes.includes(Buffer.from([0x1f, 0x8b, 8])), 'nothing that is packed begins in it');
  });

  test('is one moment while others go on writing, also when PostgreSQL sends the number of rows later than the rows', async () => {
    const { url } = node.database;
    const connection = { connectionString: url };
    await using proxy = await startDatabaseProxy({ url, connection, [Symbol.asyncDispose]: async () => undefined });
    proxy.splitAfter(COPY_DONE);
    const pool = createPool({ connectionString: proxy.database.url }, { max: 1, name: 'backup test', unlimited: true });
    const withSession: Parameters<typeof writeBackup>[0]['withSession'] = (work) => lendSession(pool, work);
    const file = join(dir.path, 'busy.backup');
    const before = await readContents(node.db);
    let written: Promise<unknown> | undefined;
    const say = () => {
      written ??=
        sql`insert into teams (id, display_name, time_zone, create_at) values (repeat('z', 26), 'Late', 'UTC', 1)`.execute(
          node.db,
        );
    };
    await writeBackup({ ...node.deps, withSession }, file, { say }).finally(() => pool.end());
    assert.ok(written);
    await written;
    await using empty = await emptyWorkspace(dir.path);
    await empty.restore(file);
    assert.deepEqual(await readContents(empty.db), asRestored(before));
    await sql`delete from teams where id = repeat('z', 26)`.execute(node.db);
  });

  test('replaces nothing without the option for it, and a failed one leaves nothing', async () => {
    await assert.rejects(backUpTo(archive), /already exists. Choose another name or add --force/);
    const file = join(dir.path, 'failed.backup');
    await assert.rejects(
      backUpTo(file, () => {
        throw new Error('the disk is full');
      }),
      /the disk is full/,
    );
    assert.deepEqual(
      readdirSync(dir.path).filter((name) => name.startsWith('failed')),
      [],
    );
  });

  test("that can't be written names its path and the reason", async () => {
    const missing = join(dir.path, 'none', 'a.backup');
    await assert.rejects(
      backUpTo(missing),
      new RegExp(`^Error: ${missing} can't be written: there is no directory .*ENOENT`),
    );
    const below = join(archive, 'a.backup');
    await assert.rejects(backUpTo(below), new RegExp(`^Error: ${below} can't be written: ENOTDIR`));
  });

  testUnless(getDiskSkipReason(), 'that fills the disk names its path and the reason, and leaves nothing', async () => {
    using disk = mountSmallDisk(1);
    const file = join(disk.path, 'a.backup');
    disk.fill(8_192);
    await assert.rejects(backUpTo(file), new RegExp(`^Error: ${file} can't be written: ENOSPC`));
    assert.deepEqual(readdirSync(disk.path), []);
  });

  test('of a database that was never used is refused', async () => {
    await using bare = await emptyWorkspace(dir.path, { bare: true });
    await assert.rejects(writeBackup(bare, join(dir.path, 'none.backup')), /Nothing to back up/);
  });
});

test('the commands say what they did, in words and for programs', async () => {
  await using empty = await emptyWorkspace(dir.path);
  const env = { SECRET_KEY: KEY, FILES_URL: node.deps.env.FILES_URL ?? '' };
  const file = join(dir.path, 'told.backup');
  const made = await runInProcess(['backup', file], { ...env, DATABASE_URL: node.database.url });
  assert.equal(made.code, 0, made.err);
  assert.match(made.out, /SECRET_KEY is not included/);
  assert.match(made.err, /^people: \d+ rows$/m);
  const again = await runInProcess(['backup', file], { ...env, DATABASE_URL: node.database.url });
  assert.deepEqual([again.code, again.out], [1, '']);
  const there = { ...env, DATABASE_URL: empty.database.url, FILES_URL: pathToFileURL(empty.files).href };
  const none = await runInProcess(['restore'], there);
  assert.match(none.err, /^Missing argument: <file>\./);
  const wrong = await runInProcess(['restore', file], { ...there, SECRET_KEY: 'aa'.repeat(32) });
  assert.deepEqual([wrong.code, wrong.out], [1, '']);
  assert.match(
    wrong.err,
    /was written with another SECRET_KEY .* Give that key with --key-file\. Nothing was restored\.$/m,
  );
  const back = await runInProcess(['restore', file], there);
  assert.equal(back.code, 0, back.err);
  assert.match(back.out, /^Restored the workspace of /);
  assert.match(back.out, /^1 service tokens were ended: create new ones\.$/m);
  assert.match(back.out, /^Changes made after .* are not included\. Repeat .*erased/m);
  const teams = await auditRows({ db: empty.db } as TestApp, 'teams.restored');
  assert.deepEqual(
    teams.map(({ team_id, actor_id, target, details }) => [team_id, actor_id, target, details.tokens]),
    [[whole.teamId, null, whole.teamId, 1]],
  );
});
