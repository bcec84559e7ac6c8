import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { createBlobs } from '#platform/blobs/blobs.ts';
import { createDatabase, createPool, type Database } from '#platform/database/database.ts';
import { migrate } from '#platform/database/migrate.ts';
import { createSecrets } from '#platform/security/secrets.ts';
import { runWorkspace } from '#testing/app/run-workspace.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { fillEveryTable } from '#testing/authorization/fill-every-table.ts';
import { temporaryDir } from '#testing/database/embedded.ts';
import { testDatabase } from '#testing/database/template-database.ts';
import { snapshotTables } from '#testing/workspace/snapshot-tables.ts';
import { backUp } from './backup.actions.ts';
import { lendSession, listTables, type Session } from './backup.store.ts';
import { LEFT_OUT } from './backup-format.ts';
import { restore } from './restore.actions.ts';

const KEY = '5e'.repeat(32);
const silent = () => undefined;
const MOVING = { except: Object.keys(LEFT_OUT), withChain: true };

let dir: ReturnType<typeof temporaryDir>;
let node: TestApp;
let whole: { teamId: string; file: string | null };
let archive: string;
/** As the commands have it: without the time limits of calls. */
let patient: ReturnType<typeof createPool>;

before(async () => {
  dir = temporaryDir();
  node = await startApp({ work: false, pool: 4 });
  patient = createPool(node.database.connection, { max: 1, name: 'backup test', unlimited: true });
  whole = await fillEveryTable(node);
  archive = join(dir.path, 'whole.tar.gz');
  await backUpTo(archive);
});

after(async () => {
  await patient.end();
  await node[Symbol.asyncDispose]();
  await dir[Symbol.asyncDispose]();
});

function backUpTo(file: string, say: (line: string) => void = silent) {
  const { blobs, secrets } = node.deps;
  const wanted = { file, force: false, hasFiles: true, version: 'test' };
  return lendSession(patient, (session) => backUp({ session, blobs, secrets }, wanted, say));
}

/** An empty workspace beside ours; `bare` is a database that nobody has migrated. */
async function emptyWorkspace({ bare = false, key = KEY } = {}) {
  const database = await testDatabase();
  const pool = createPool(database.connection, { max: 1, name: 'restore test', unlimited: true });
  const db: Database = createDatabase(pool);
  if (bare) await sql`drop schema public cascade; create schema public`.execute(db);
  const files = join(dir.path, `files-${Math.random()}`);
  const parts = {
    db,
    blobs: createBlobs(pathToFileURL(files).href, ''),
    secrets: createSecrets(key),
    withSession: <T>(work: (session: Session) => Promise<T>) => lendSession(pool, work),
  };
  return {
    ...parts,
    database,
    files,
    restore: (file: string) => restore(parts, file, silent),
    async [Symbol.asyncDispose]() {
      await db.destroy();
      await database[Symbol.asyncDispose]();
    },
  };
}

async function filesIn(path: string): Promise<string[]> {
  return existsSync(path)
    ? readdirSync(path, { recursive: true, withFileTypes: true })
        .filter((e) => e.isFile())
        .map((e) => e.name)
        .sort()
    : [];
}

const contents = (db: Database) => snapshotTables({ db } as TestApp, MOVING);

describe('a backup', () => {
  test('holds every table that is not left out for a reason, and this workspace fills each of them', async () => {
    const tables = await lendSession(patient, listTables);
    const names = tables.map(({ name }) => name);
    for (const name of Object.keys(LEFT_OUT)) assert.ok(names.includes(name), `${name} is left out and is no table`);
    const filled = await contents(node.db);
    assert.deepEqual(Object.keys(filled), names.filter((name) => LEFT_OUT[name] === undefined).sort());
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
    await using empty = await emptyWorkspace();
    const done = await empty.restore(archive);
    assert.deepEqual([done.files, done.files_missing, done.same_key], [2, 0, true]);
    assert.deepEqual(await contents(empty.db), await contents(node.db));
    const kept = await empty.blobs.get(whole.file ?? '');
    assert.equal((await kept?.toArray())?.join(''), 'The minutes');
    const { rows } = await sql`select 1 from sessions union all select 1 from links`.execute(empty.db);
    assert.equal(rows.length, 0, 'nobody is signed in, and no link works');
  });

  test('is one moment, while others go on writing', async () => {
    const file = join(dir.path, 'busy.tar.gz');
    let isWritten = false;
    const say = () => {
      if (isWritten) return;
      isWritten = true;
      void writing();
    };
    const before = await contents(node.db);
    let written: Promise<unknown> = Promise.resolve();
    const writing = () => {
      written =
        sql`insert into teams (id, display_name, time_zone, create_at) values (repeat('z', 26), 'Late', 'UTC', 1)`.execute(
          node.db,
        );
      return written;
    };
    await backUpTo(file, say);
    await written;
    assert.ok(isWritten);
    await using empty = await emptyWorkspace();
    await empty.restore(file);
    assert.deepEqual(await contents(empty.db), before);
    await sql`delete from teams where id = repeat('z', 26)`.execute(node.db);
  });

  test('replaces nothing unless it is told to, and a failed one leaves nothing', async () => {
    await assert.rejects(backUpTo(archive), /already exists. Choose another name or add --force/);
    const file = join(dir.path, 'failed.tar.gz');
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

  test('of a database that was never used is refused', async () => {
    await using bare = await emptyWorkspace({ bare: true });
    const wanted = { file: join(dir.path, 'none.tar.gz'), force: false, hasFiles: true, version: 'test' };
    await assert.rejects(
      bare.withSession((session) => backUp({ ...bare, session }, wanted, silent)),
      /Nothing to back up/,
    );
  });
});

describe('a restore', () => {
  const changed = (name: string, change: (bytes: Buffer) => Buffer) => {
    const file = join(dir.path, `${name}.tar.gz`);
    writeFileSync(file, change(readFileSync(archive)));
    return file;
  };
  const flipped = (bytes: Buffer, at: number) => {
    bytes.writeUInt8(bytes.readUInt8(at) ^ 0x04, at);
    return bytes;
  };

  test('refuses what is damaged, cut or altered anywhere, and stores nothing of it', async () => {
    await using empty = await emptyWorkspace();
    const inside = (change: (tar: Buffer) => Buffer) => (bytes: Buffer) => gzipSync(change(gunzipSync(bytes)));
    const { length } = readFileSync(archive);
    const tar = gunzipSync(readFileSync(archive));
    const replaced = (from: string, to: string) =>
      inside((bytes) => Buffer.from(bytes.toString('latin1').replace(from, to), 'latin1'));
    const wrong: [string, (bytes: Buffer) => Buffer][] = [
      ...[0, 0.1, 0.3, 0.5, 0.7, 0.9].map((part): [string, (bytes: Buffer) => Buffer] => [
        `a bit at ${part}`,
        (bytes) => flipped(bytes, Math.max(11, Math.floor(length * part))),
      ]),
      ['the checksum of the packing', (bytes) => flipped(bytes, length - 6)],
      ['cut in half', (bytes) => bytes.subarray(0, length / 2)],
      ['cut at its end', (bytes) => bytes.subarray(0, length - 1)],
      ['cut inside, packed anew', inside((bytes) => bytes.subarray(0, Math.floor(tar.length / 1024) * 512))],
      ['a row, packed anew', replaced('The minutes', 'THE minutes')],
      ['a message, packed anew', replaced('"quotes"', '"quoteS"')],
      ['a column, packed anew', replaced('"display_name"', '"display_nam3"')],
      ['the day, packed anew', replaced('"created_at":"2', '"created_at":"3')],
      ['a count, packed anew', replaced('"files_missing":0', '"files_missing":1')],
      ['no archive', () => Buffer.from('hello')],
      ['empty', () => Buffer.alloc(0)],
    ];
    for (const [name, change] of wrong) {
      await assert.rejects(empty.restore(changed('wrong', change)), /Nothing was restored|is not a valid backup/, name);
      const rows = Object.values(await contents(empty.db)).flat();
      assert.deepEqual([rows.length, await filesIn(empty.files)], [0, []], name);
    }
    await empty.restore(archive);
  });

  test('wants an empty workspace, and leaves what is there', async () => {
    await using other = await emptyWorkspace();
    await other.restore(archive);
    const there = await contents(other.db);
    await assert.rejects(other.restore(archive), /This workspace is not empty/);
    assert.deepEqual(await contents(other.db), there);
    assert.equal((await filesIn(other.files)).length, 2);
  });

  test('tells that SECRET_KEY is another one', async () => {
    await using empty = await emptyWorkspace({ key: 'aa'.repeat(32) });
    assert.equal((await empty.restore(archive)).same_key, false);
  });

  test('does not touch files that are there already, also when it fails', async () => {
    await using empty = await emptyWorkspace();
    const key = whole.file ?? '';
    await empty.blobs.put(key, Buffer.from('The minutes'));
    await assert.rejects(empty.restore(changed('late', (bytes) => bytes.subarray(0, bytes.length - 1))));
    assert.equal((await filesIn(empty.files)).join(), key.split('/').at(-1));
  });

  test('brings an older schema up to date after filling it, and refuses a newer one', async () => {
    const old = join(dir.path, 'old.tar.gz');
    {
      await using before = await emptyWorkspace({ bare: true });
      await migrate(before.db, '0007-audit-log');
      await sql`insert into teams (id, display_name, time_zone, create_at) values (repeat('a', 26), 'Old', 'UTC', 1)`.execute(
        before.db,
      );
      const wanted = { file: old, force: false, hasFiles: true, version: 'test' };
      await before.withSession((session) => backUp({ ...before, session }, wanted, silent));
    }
    await using bare = await emptyWorkspace({ bare: true });
    await bare.restore(old);
    assert.deepEqual(await migrate(bare.db), []);
    assert.equal((await contents(bare.db)).teams?.length, 1);
    await using migrated = await emptyWorkspace();
    await assert.rejects(migrated.restore(old), /Restore it into a new, unused database/);
    const newer = changed('newer', (bytes) => {
      const tar = gunzipSync(bytes).toString('latin1');
      return gzipSync(Buffer.from(tar.replace(/"migration":"0\d{3}/, '"migration":"9000'), 'latin1'));
    });
    await assert.rejects(migrated.restore(newer), /created by a newer version/);
  });

  test('that is killed leaves nothing, and can be done again', async () => {
    await using empty = await emptyWorkspace();
    const parts = { ...empty };
    let lines = 0;
    const killing = restore(parts, archive, () => {
      lines += 1;
      if (lines === 5)
        void sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'restore test'
        and datname = ${new URL(empty.database.url).pathname.slice(1)}`.execute(node.db);
    });
    await assert.rejects(killing);
    assert.deepEqual(Object.values(await contents(empty.db)).flat(), []);
    await empty.restore(archive);
  });
});

test('the commands say what they did, in words and for programs', async () => {
  await using empty = await emptyWorkspace();
  const env = { SECRET_KEY: KEY, FILES_URL: node.deps.env.FILES_URL ?? '' };
  const file = join(dir.path, 'told.tar.gz');
  const made = await runWorkspace(['backup', file], { ...env, DATABASE_URL: node.database.url });
  assert.equal(made.code, 0, made.err);
  assert.match(made.out, /SECRET_KEY is not included/);
  assert.match(made.err, /^people: \d+ rows$/m);
  const again = await runWorkspace(['backup', file], { ...env, DATABASE_URL: node.database.url });
  assert.deepEqual([again.code, again.out], [1, '']);
  const there = { ...env, DATABASE_URL: empty.database.url, FILES_URL: pathToFileURL(empty.files).href };
  const back = await runWorkspace(['restore', file, '--json'], there);
  assert.equal(back.code, 0, back.err);
  assert.equal(JSON.parse(back.out).same_key, true);
  const none = await runWorkspace(['restore'], there);
  assert.match(none.err, /^Missing argument: <file>\./);
});
