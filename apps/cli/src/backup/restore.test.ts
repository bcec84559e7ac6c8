import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { temporaryDir } from '@steward/embedded-postgres/testing/temporary-cluster.ts';
import { NOTES } from '@steward/server/src/migrations/column-notes.ts';
import { createPool, inTransaction } from '@steward/server/src/platform/database/database.ts';
import { migrate } from '@steward/server/src/platform/database/migrate.ts';
import { createSecrets } from '@steward/server/src/platform/security/secrets.ts';
import { trackUnreferencedBlobs } from '@steward/server/src/workspace/content/unreferenced-blobs.store.ts';
import { opened } from '@steward/server/src/workspace/integrations/integration-health.ts';
import { startApp, type TestApp } from '@steward/server/testing/app/start-app.ts';
import { fillEveryTable } from '@steward/server/testing/authorization/fill-every-table.ts';
import { file } from '@steward/server/testing/workspace/content.ts';
import {
  assertRestored,
  type PopulatedWorkspace,
  populateWorkspace,
} from '@steward/server/testing/workspace/populated-workspace.ts';
import { listTables } from '@steward/server/testing/workspace/snapshot-tables.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, test } from 'vitest';
import {
  asRestored,
  type EmptyWorkspace,
  emptyWorkspace,
  KEY,
  listFiles,
  readContents,
  writeBackup,
} from '../../testing/backups.ts';
import { runInProcess } from '../../testing/run-in-process.ts';
import { encryptionFor, HEADER_BYTES } from './archive/archive-encryption.ts';
import { LEFT_OUT } from './archive/backup-format.ts';
import { lendSession } from './backup.store.ts';
import { SEALED } from './restore-secrets.actions.ts';

/** Earlier versions wrote archives without encryption. */
async function* unencrypted(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield* source;
}

function changeFile(file: string, change: (bytes: Buffer) => Buffer): string {
  const changed = `${file}.changed`;
  writeFileSync(changed, change(readFileSync(file)));
  return changed;
}

/** Chunk size of an encrypted file. */
const CHUNK_BYTES = 64 * 1024 + 16;
const LARGE_BYTES = 5 * 64 * 1024;
const NEW_KEY = 'c7'.repeat(32);

let dir: ReturnType<typeof temporaryDir>;
let node: TestApp;
let whole: { teamId: string; file: string | null };
let archive: string;
/** The same archive in the format of earlier versions. */
let old: string;
/** The same archive with a credential that its key does not open. */
let mixed: string;
let patient: ReturnType<typeof createPool>;

beforeAll(async () => {
  dir = temporaryDir();
  node = await startApp({ work: false, pool: 4 });
  patient = createPool({ connectionString: node.database.url }, { max: 1, name: 'backup test', unlimited: true });
  whole = await fillEveryTable(node);
  // Random data can't be compressed, so that an archive has several chunks.
  await file(node, whole.teamId, { data: randomBytes(LARGE_BYTES), name: 'Large' });
  const credentials = node.deps.secrets.seal('integration', 'a password');
  const foreign = createSecrets('dd'.repeat(32)).seal('integration', 'lost');
  const withSession: EmptyWorkspace['withSession'] = (work) => lendSession(patient, work);
  [archive, old] = [join(dir.path, 'whole.backup'), join(dir.path, 'old.tar.gz')];
  mixed = join(dir.path, 'mixed.backup');
  await sql`update integrations set credentials = ${credentials}, path_key = ${foreign}`.execute(node.db);
  await writeBackup({ ...node.deps, withSession }, mixed);
  await sql`update integrations set path_key = ${credentials}`.execute(node.db);
  await writeBackup({ ...node.deps, withSession }, archive);
  await writeBackup({ ...node.deps, withSession }, old, { encrypt: unencrypted });
});

afterAll(async () => {
  await patient.end();
  await node[Symbol.asyncDispose]();
  await dir[Symbol.asyncDispose]();
});

/** The tables of a backup that have rows. */
async function listFilled({ db }: EmptyWorkspace): Promise<string[]> {
  const tables = (await listTables({ db })).filter((name) => LEFT_OUT[name] === undefined);
  const each = tables.map((name) => sql`select ${sql.lit(name)} as name where exists (select from ${sql.table(name)})`);
  const { rows } = await sql<{ name: string }>`${sql.join(each, sql` union all `)}`.execute(db);
  return rows.map(({ name }) => name);
}

async function assertEmpty(empty: EmptyWorkspace, name: string): Promise<void> {
  assert.deepEqual([await listFilled(empty), listFiles(empty.files)], [[], []], name);
  const { rows: loose } = await sql`select 1 from loose_blobs`.execute(empty.db);
  assert.equal(loose.length, 0, name);
}

const flip = (bytes: Buffer, at: number) => {
  bytes.writeUInt8(bytes.readUInt8(at) ^ 0x04, at);
  return bytes;
};

const swapChunks = (bytes: Buffer) => {
  const chunk = (at: number) => bytes.subarray(HEADER_BYTES + at * CHUNK_BYTES, HEADER_BYTES + (at + 1) * CHUNK_BYTES);
  const rest = bytes.subarray(HEADER_BYTES + 3 * CHUNK_BYTES);
  return Buffer.concat([bytes.subarray(0, HEADER_BYTES), chunk(0), chunk(2), chunk(1), rest]);
};

describe('a restore', () => {
  test('refuses what is damaged, cut or altered anywhere, stores nothing of it, and keeps files apart until all was read', async () => {
    await using empty = await emptyWorkspace(dir.path);
    const tar = gunzipSync(readFileSync(old));
    const half = gzipSync(tar.subarray(0, Math.floor(tar.length / 1024) * 512));
    const cutInside = Buffer.concat(await Array.fromAsync(encryptionFor(empty.secrets)(Readable.from([half]))));
    const wrong: [string, (bytes: Buffer) => Buffer][] = [
      // archive-encryption.test.ts has every kind.
      ['a bit of the header', (bytes) => flip(bytes, 25)],
      ['a bit of the middle', (bytes) => flip(bytes, Math.floor(bytes.length / 2))],
      ['the last bit', (bytes) => flip(bytes, bytes.length - 1)],
      ['cut after two chunks', (bytes) => bytes.subarray(0, HEADER_BYTES + 2 * CHUNK_BYTES)],
      ['cut before it was encrypted whole', () => cutInside],
      ['two chunks swapped', swapChunks],
      ['a byte more', (bytes) => Buffer.concat([bytes, Buffer.alloc(1)])],
      ['no archive', () => Buffer.from('hello')],
      ['no archive of that length', () => Buffer.alloc(100_000, 'hello')],
      ['empty', () => Buffer.alloc(0)],
    ];
    const seen: string[] = [];
    const say = () => void seen.push(...listFiles(empty.files));
    for (const [name, change] of wrong) {
      await assert.rejects(
        empty.restore(changeFile(archive, change), { allowsUnencrypted: true, say }),
        /Nothing was restored|is not a valid backup/,
        name,
      );
      await assertEmpty(empty, name);
    }
    await assert.rejects(empty.restore(join(dir.path, 'nowhere')), /^Error: No such file/);
    await empty.restore(archive, { say });
    assert.ok(seen.length > 0 && seen.every((path) => path.startsWith('restoring/')), seen.join());
    assert.ok(listFiles(empty.files).every((path) => path.startsWith(whole.teamId)));
  });

  test('whose connection is lost leaves nothing; done again, it empties tables that no backup contains; a third finds no empty workspace and leaves what is there', async () => {
    await using other = await emptyWorkspace(dir.path);
    let lines = 0;
    const say = () => {
      lines += 1;
      if (lines === 5)
        void sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'restore test'
        and datname = ${new URL(other.database.url).pathname.slice(1)}`.execute(node.db);
    };
    await assert.rejects(other.restore(archive, { say }));
    await assertEmpty(other, 'lost');
    await sql`insert into links (token_hash, kind, person_id, expires_at)
      select 'hash', 'reset', repeat('a', 26), now() + interval '1 day'`.execute(other.db);
    await other.restore(archive);
    const { rows } = await sql`select 1 from links`.execute(other.db);
    assert.equal(rows.length, 0);
    const there = await readContents(other.db);
    await assert.rejects(other.restore(archive), /This workspace is not empty/);
    assert.deepEqual(await readContents(other.db), there);
    assert.equal(listFiles(other.files).length, 3);
  });

  test('does not touch files that are there when it fails, drops what an interrupted one left, and takes over what that had published', async () => {
    await using empty = await emptyWorkspace(dir.path);
    const [key, stranger] = [whole.file ?? '', (whole.file ?? '').replace(/.$/, 'z')];
    await empty.blobs.put(key, Buffer.from('The minutes'));
    await assert.rejects(empty.restore(changeFile(archive, (bytes) => bytes.subarray(0, bytes.length - 1))));
    assert.deepEqual(listFiles(empty.files), [key]);
    await empty.blobs.stage(stranger, Readable.from([Buffer.from('left')]));
    await inTransaction(empty.db, (trx) => trackUnreferencedBlobs(trx, whole.teamId, [key]));
    await empty.restore(archive);
    assert.ok(!listFiles(empty.files).some((path) => path.includes('restoring') || path.endsWith(stranger)));
    const { rows } = await sql`select 1 from loose_blobs`.execute(empty.db);
    assert.equal(rows.length, 0, 'a server would delete a file that a row holds');
  });

  test('that fails while it publishes files leaves them to be deleted', async () => {
    let isGone = true;
    let first: Promise<boolean> | undefined;
    await using empty = await emptyWorkspace(dir.path, {
      blobs: (usual) => ({
        ...usual,
        publish: async (key) => {
          if (!isGone) return usual.publish(key);
          if (first === undefined) {
            first = usual.publish(key);
            return first;
          }
          // Several files are published at the same time.
          await first;
          throw new Error('the bucket is gone');
        },
      }),
    });
    await assert.rejects(empty.restore(archive), /the bucket is gone/);
    assert.deepEqual(await listFilled(empty), []);
    const { rows } = await sql<{ key: string }>`select key from loose_blobs`.execute(empty.db);
    const left = listFiles(empty.files);
    assert.equal(left.length, 1);
    assert.ok(left.every((path) => rows.some((row) => row.key === path)));
    isGone = false;
    await empty.restore(archive);
    assert.deepEqual(await readContents(empty.db), asRestored(await readContents(node.db)));
  });

  test('brings an older schema up to date after filling it, and refuses a newer one', async () => {
    const early = join(dir.path, 'early.backup');
    {
      await using before = await emptyWorkspace(dir.path, { bare: true });
      await migrate(before.db, '0007-audit-log');
      await sql`insert into teams (id, display_name, time_zone, create_at) values (repeat('a', 26), 'Old', 'UTC', 1)`.execute(
        before.db,
      );
      await writeBackup(before, early);
    }
    await using bare = await emptyWorkspace(dir.path, { bare: true });
    await bare.restore(early);
    assert.deepEqual(await migrate(bare.db), []);
    assert.equal((await readContents(bare.db)).teams?.length, 1);
    await assert.rejects(bare.restore(early), /Restore it into a new, unused database/);
    const newer = changeFile(old, (bytes) => {
      const tar = gunzipSync(bytes).toString('latin1');
      return gzipSync(Buffer.from(tar.replace(/"migration":"0\d{3}/, '"migration":"9000'), 'latin1'));
    });
    await assert.rejects(bare.restore(newer, { allowsUnencrypted: true }), /created by a newer version/);
  });
});

test('a restored workspace accepts no session, link or token from before, and does nothing twice', async () => {
  const file = join(dir.path, 'populated.backup');
  await using target = await emptyWorkspace(dir.path);
  let before: PopulatedWorkspace;
  {
    await using source = await startApp({ work: false, pool: 4 });
    before = await populateWorkspace(source);
    const pool = createPool(
      { connectionString: source.database.url },
      { max: 1, name: 'backup test', unlimited: true },
    );
    await writeBackup({ ...source.deps, withSession: (work) => lendSession(pool, work) }, file);
    await pool.end();
  }
  const done = await target.restore(file);
  assert.equal(done.tokens_ended, 2);
  await assertRestored(target.database, before, pathToFileURL(target.files).href);
});

describe('a restore with another SECRET_KEY', () => {
  const sealedIn = async ({ db, secrets }: EmptyWorkspace) => {
    const { rows } = await sql<{ credentials: string; path_key: string }>`select credentials, path_key
      from integrations`.execute(db);
    return rows.map((row) => [opened({ secrets }, row.credentials), opened({ secrets }, row.path_key)]);
  };

  test('is refused, and with the key of the archive, in a file, seals anew what that opens', async () => {
    await using empty = await emptyWorkspace(dir.path, { key: NEW_KEY });
    await assert.rejects(empty.restore(archive), /was written with another SECRET_KEY .* Nothing was restored/);
    await assertEmpty(empty, 'another key');
    const FILES_URL = pathToFileURL(empty.files).href;
    const env = { SECRET_KEY: NEW_KEY, DATABASE_URL: empty.database.url, FILES_URL };
    const keyFile = join(dir.path, 'key');
    const run = () => runInProcess(['restore', archive, '--key-file', keyFile, '--json'], env);
    assert.match((await run()).err, /can't be read: ENOENT/);
    writeFileSync(keyFile, 'nonsense');
    assert.match((await run()).err, /must contain a SECRET_KEY: 64 hex digits/);
    writeFileSync(keyFile, 'aa'.repeat(32));
    assert.match((await run()).err, /was written with another SECRET_KEY/);
    await assertEmpty(empty, 'wrong keys');
    writeFileSync(keyFile, `${KEY}\n`);
    const done = await run();
    assert.equal(done.code, 0, done.err);
    const { resealed, unreadable } = JSON.parse(done.out);
    assert.deepEqual([resealed, unreadable], [6, 0]);
    assert.deepEqual(await sealedIn(empty), [['a password', 'a password']]);
  });

  test('leaves what the archive’s key does not open, and tells so', async () => {
    await using empty = await emptyWorkspace(dir.path, { key: NEW_KEY });
    const done = await empty.restore(mixed, { archiveSecrets: createSecrets(KEY) });
    assert.deepEqual([done.resealed, done.unreadable], [5, 1]);
    assert.deepEqual(await sealedIn(empty), [['a password', undefined]]);
  });

  test('knows every encrypted column of a backup', () => {
    const encrypted = Object.keys(NOTES).filter((name) => /\bencrypted\b/i.test(NOTES[name] ?? ''));
    const inBackups = encrypted.filter((name) => LEFT_OUT[name.split('.')[0] ?? ''] === undefined);
    const known = SEALED.flatMap(({ table, columns }) => columns.map((column) => `${table}.${column}`));
    assert.deepEqual(inBackups.sort(), known.sort());
  });
});

describe('a backup of an earlier version, which is not encrypted', () => {
  test('is refused without the option, and where anything is altered, packed anew, even where the check of its key is broken', async () => {
    await using empty = await emptyWorkspace(dir.path);
    await assert.rejects(empty.restore(old), /is not encrypted: an earlier version wrote it.*add --unencrypted/);
    await assertEmpty(empty, 'refused');
    const replaced =
      (...pairs: [from: string | RegExp, to: string][]) =>
      (bytes: Buffer) => {
        const tar = pairs.reduce((text, pair) => text.replace(...pair), gunzipSync(bytes).toString('latin1'));
        return gzipSync(Buffer.from(tar, 'latin1'));
      };
    const wrong: [string, (bytes: Buffer) => Buffer][] = [
      ['a row', replaced(['The minutes', 'THE minutes'])],
      ['a message', replaced(['"quotes"', '"quoteS"'])],
      ['a column', replaced(['"display_name"', '"display_nam3"'])],
      ['the day', replaced(['"created_at":"2', '"created_at":"3'])],
      ['a count', replaced(['"files_missing":0', '"files_missing":1'])],
      ['the check of the key', replaced([/"key_check":"./, '"key_check":"!'])],
      ['the signature', replaced([/"signature":"./, '"signature":"!'])],
    ];
    for (const [name, change] of wrong) {
      await assert.rejects(
        empty.restore(changeFile(old, change), { allowsUnencrypted: true }),
        /Nothing was restored/,
        name,
      );
      await assertEmpty(empty, name);
    }
    await empty.restore(old, { allowsUnencrypted: true });
    assert.deepEqual(await readContents(empty.db), asRestored(await readContents(node.db)));
  });

  test('of another key needs that key, and is then sealed anew', async () => {
    await using empty = await emptyWorkspace(dir.path, { key: NEW_KEY });
    await assert.rejects(empty.restore(old, { allowsUnencrypted: true }), /signed with another SECRET_KEY/);
    await assertEmpty(empty, 'another key');
    const done = await empty.restore(old, { allowsUnencrypted: true, archiveSecrets: createSecrets(KEY) });
    assert.equal(done.resealed, 6);
  });
});
