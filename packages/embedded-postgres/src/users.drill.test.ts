import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'vitest';
import { hold, query, temporaryDir } from '../testing/temporary-cluster.ts';
import { packagedBinaries, usableBinaries } from './binaries.ts';
import { defaultDataDir, startEmbeddedPostgres } from './embedded-postgres.ts';
import { findRunningPostmaster } from './processes.ts';
import { findInaccessibleDir, isRoot, systemUsers, unprivilegedUser } from './user.ts';

const nobodyUser = process.platform === 'win32' ? undefined : systemUsers().find(({ name }) => name === 'nobody');
// Only root can start processes of other users.
const asRoot = { skip: !isRoot() };
const cannotEnter = (path: string) => nobodyUser !== undefined && findInaccessibleDir(path, nobodyUser) !== undefined;
const asNobody = { skip: !isRoot() || [import.meta.dirname, dirname(process.execPath)].some(cannotEnter) };

function getUid(pid: number | undefined): number {
  return Number(/^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}

test('started by root, PostgreSQL runs as the unprivileged user, who owns only its directory', asRoot, async () => {
  await using dir = temporaryDir();
  const postgres = await startEmbeddedPostgres({ dataDir: dir.path });
  const { uid } = unprivilegedUser(undefined);
  const clusterDir = join(dir.path, 'postgres');
  assert.equal(getUid(findRunningPostmaster(clusterDir)), uid);
  for (const private_ of [clusterDir, postgres.connection.host]) {
    assert.deepEqual([statSync(private_).uid, statSync(private_).mode & 0o777], [uid, 0o700]);
  }
  assert.equal(statSync(dir.path).mode & 0o777, 0o711);
  assert.equal(statSync(join(dir.path, 'postgres.log')).mode & 0o777, 0o600);
  const environment = readFileSync(`/proc/${findRunningPostmaster(clusterDir)}/environ`, 'utf8');
  assert.deepEqual(
    environment
      .split('\0')
      .filter((entry) => /^(LC_ALL|TZ|PATH|HOME)=/.test(entry))
      .sort(),
    ['LC_ALL=C', 'TZ=UTC'],
  );
  await postgres.stop();
});

test('a missing user and root are rejected as EMBEDDED_DB_USER', () => {
  const users = [{ name: 'root', uid: 0, gid: 0 }];
  assert.throws(() => unprivilegedUser('sybil', users), /The user "sybil" in EMBEDDED_DB_USER/);
  assert.throws(() => unprivilegedUser('root', users), /refuses to run as root/);
  assert.throws(() => unprivilegedUser(undefined, users), /Set EMBEDDED_DB_USER/);
  assert.equal(unprivilegedUser(undefined, [{ name: 'nobody', uid: 9, gid: 9 }]).uid, 9);
});

test(
  'a normal user starts PostgreSQL under their own account, which a later start by root keeps',
  asNobody,
  async () => {
    await using dir = temporaryDir();
    const dataDir = join(dir.path, 'data');
    mkdirSync(dataDir);
    chownSync(dataDir, nobodyUser?.uid ?? 0, nobodyUser?.gid ?? 0);
    const held = await hold(dataDir, { uid: nobodyUser?.uid ?? 0, gid: nobodyUser?.gid ?? 0 });
    assert.equal(getUid(held.postmaster), nobodyUser?.uid);
    held.process.kill('SIGTERM');
    await once(held.process, 'exit');
    const postgres = await startEmbeddedPostgres({ dataDir });
    assert.equal(getUid(findRunningPostmaster(join(dataDir, 'postgres'))), nobodyUser?.uid);
    await postgres.stop();
    const another = systemUsers().find(({ uid }) => uid !== 0 && uid !== nobodyUser?.uid)?.name ?? '';
    await assert.rejects(startEmbeddedPostgres({ dataDir, dbUser: another }), /belongs to the user nobody/);
  },
);

test("the error for another user's data directory names its owner", asNobody, async () => {
  await using dir = temporaryDir();
  mkdirSync(join(dir.path, 'postgres'), { mode: 0o700 });
  await assert.rejects(
    hold(dir.path, { uid: nobodyUser?.uid ?? 0, gid: nobodyUser?.gid ?? 0 }),
    /belongs to the user root/,
  );
});

test(
  'under a parent that only root may enter, PostgreSQL runs as EMBEDDED_DB_USER from a copy of its binaries',
  asRoot,
  async () => {
    await using dir = temporaryDir(tmpdir());
    const repository = join(dir.path, 'private', 'steward');
    const program = copyRepository(repository);
    chmodSync(dirname(repository), 0o700);
    const dataDir = join(dir.path, 'data');
    const held = await hold(dataDir, { program, args: ['--db-user', 'nobody'] });
    assert.equal(getUid(held.postmaster), nobodyUser?.uid);
    assert.deepEqual(await query(held.connection, 'select 1 as one'), [{ one: 1 }]);
    assert.match(readFileSync(`/proc/${held.postmaster}/cmdline`, 'utf8'), /data\/postgres-binaries-/);
    assert.equal(defaultDataDir(repository), '/var/lib/steward');
    chmodSync(dirname(repository), 0o755);
    assert.equal(defaultDataDir(repository), join(repository, 'var', 'data'));
    held.process.kill('SIGTERM');
    await once(held.process, 'exit');
  },
);

test('a data directory below an inaccessible directory is rejected, naming that directory', asRoot, async () => {
  await using dir = temporaryDir();
  const closed = join(dir.path, 'closed');
  mkdirSync(closed, { mode: 0o700 });
  await assert.rejects(startEmbeddedPostgres({ dataDir: join(closed, 'data') }), (error: Error) =>
    error.message.includes(`cannot enter ${closed}`),
  );
});

test('binaries without their install script are completed in a copy', async () => {
  await using dir = temporaryDir();
  const native = join(dir.path, 'package', 'native');
  for (const folder of ['bin', 'lib', 'share']) mkdirSync(join(native, folder), { recursive: true, mode: 0o700 });
  writeFileSync(join(native, 'bin', 'postgres'), 'a program', { mode: 0o600 });
  writeFileSync(join(native, 'lib', 'libpq.so.5.18'), 'a library', { mode: 0o600 });
  const links = [{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }];
  writeFileSync(join(native, 'pg-symlinks.json'), JSON.stringify(links));
  const usable = await usableBinaries({ version: '18.4', native }, dir.path);
  assert.equal(usable.native, join(dir.path, 'postgres-binaries-18.4'));
  assert.equal(readFileSync(join(usable.native, 'lib', 'libpq.so.5'), 'utf8'), 'a library');
  assert.equal(statSync(join(usable.native, 'bin', 'postgres')).mode & 0o777, 0o755);
  assert.equal(statSync(join(usable.native, 'lib')).mode & 0o777, 0o755);
  assert.deepEqual(readdirSync(dir.path).sort(), ['package', 'postgres-binaries-18.4']);
  assert.deepEqual(await usableBinaries({ version: '18.4', native }, dir.path), usable);
  symlinkSync('libpq.so.5.18', join(native, 'lib', 'libpq.so.5'));
  assert.equal((await usableBinaries({ version: '18.4', native }, dir.path)).native, native);
});

test('without binaries for the machine, the error suggests DATABASE_URL', () => {
  const alpine = { platform: 'linux', arch: 'x64', musl: true };
  assert.throws(() => packagedBinaries(alpine), /no embedded PostgreSQL for linux-x64 with musl.*DATABASE_URL/);
  const solaris = { platform: 'sunos', arch: 'x64', musl: false };
  assert.throws(() => packagedBinaries(solaris), /no embedded PostgreSQL for sunos-x64.*DATABASE_URL/);
});

/** Copies only what the holding process needs. Links don't do, because Node.js and PostgreSQL resolve them. */
function copyRepository(target: string): string {
  const source = join(import.meta.dirname, '..');
  for (const part of ['package.json', 'src', 'testing'])
    cpSync(join(source, part), join(target, part), { recursive: true });
  const modules = dirname(dirname(dirname(packagedBinaries().native)));
  const pgModules = ['pg', 'embedded-postgres', '@embedded-postgres', 'xtend', 'split2', 'async-exit-hook'];
  const more = ['pg-cloudflare', 'pg-connection-string', 'pg-int8', 'pg-pool', 'pg-protocol', 'pg-types', 'pgpass'];
  const postgresModules = ['postgres-array', 'postgres-bytea', 'postgres-date', 'postgres-interval'];
  for (const name of [...pgModules, ...more, ...postgresModules]) {
    cpSync(join(modules, name), join(target, 'node_modules', name), { recursive: true, verbatimSymlinks: true });
  }
  return join(target, 'testing/postgres-holder-process.ts');
}
