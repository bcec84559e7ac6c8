import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { chown, mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from 'pg';
import type { Binaries } from './binaries.ts';
import type { ClusterLocation } from './location.ts';
import { isAlive } from './processes.ts';

/** The cluster's superuser, only for internal use. */
export const SUPERUSER = 'postgres';
/** The application's database and its owner, which is no superuser, so that an SQL injection can't reach the machine. */
export const DATABASE = 'steward';

const ASIDE_PREFIX = 'postgres.new-';

/** Runs initdb if there is no complete cluster. A cluster gets its final name only when it is complete. */
export async function ensureCluster(place: ClusterLocation, binaries: Binaries): Promise<void> {
  await removeUnfinished(place.dataDir);
  if (existsSync(join(place.clusterDir, 'PG_VERSION'))) return checkMajor(place, binaries);
  if (existsSync(place.clusterDir) && readdirSync(place.clusterDir).length > 0) {
    throw new Error(`${place.clusterDir} exists but is not a PostgreSQL cluster: move it elsewhere.`);
  }
  const aside = join(place.dataDir, ASIDE_PREFIX + process.pid);
  await mkdir(aside, { mode: 0o700 });
  if (place.runAs !== undefined) await chown(aside, place.runAs.uid, place.runAs.gid);
  await initdb(place, binaries, aside);
  await rename(aside, place.clusterDir).catch(async (cause: Error) => {
    await rm(aside, { recursive: true, force: true });
    // Another process was faster: we use its cluster.
    if (!existsSync(join(place.clusterDir, 'PG_VERSION'))) throw cause;
  });
  await syncDirectory(place.dataDir);
}

/** Deletes what a killed initdb left behind; never a directory with data. */
async function removeUnfinished(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (!name.startsWith(ASIDE_PREFIX)) continue;
    const pid = Number(name.slice(ASIDE_PREFIX.length));
    // Our own pid counts as dead: in a container, every start has the same pid, and we haven't created anything yet.
    if (pid === process.pid || !isAlive(pid)) await rm(join(dataDir, name), { recursive: true, force: true });
  }
}

function checkMajor({ clusterDir }: ClusterLocation, binaries: Binaries): void {
  const created = readFileSync(join(clusterDir, 'PG_VERSION'), 'utf8').trim();
  const ours = Number.parseInt(binaries.version, 10).toString();
  if (created === ours) return;
  throw new Error(
    `${clusterDir} was created by PostgreSQL ${created}, but this release includes ${ours}: back up with the old release, then restore into a new DATA_DIR.`,
  );
}

async function initdb(place: ClusterLocation, binaries: Binaries, target: string): Promise<void> {
  const args = ['-D', target, `--username=${SUPERUSER}`, '--encoding=UTF8', '--locale=C'];
  args.push('--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--no-instructions');
  const passwordFile = `${target}.password`;
  if (place.password === undefined) {
    args.push('--auth-local=trust', '--auth-host=reject');
  } else {
    await writeFile(passwordFile, place.password, { mode: 0o600 });
    args.push('--auth=scram-sha-256', `--pwfile=${passwordFile}`);
  }
  const child = spawn(join(binaries.native, 'bin', 'initdb'), args, {
    ...spawnOptions(place),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
  await rm(passwordFile, { force: true });
  if (code !== 0) throw new Error(`initdb failed (${code}): ${errors.trim()}`);
}

/** Spawn options of every program of the cluster: the right account, no inherited secrets, an accessible directory. */
export function spawnOptions({ dataDir, runAs }: ClusterLocation): {
  cwd: string;
  env: NodeJS.ProcessEnv;
  uid?: number;
  gid?: number;
  windowsHide: boolean;
} {
  const env = { LC_ALL: 'C', TZ: 'UTC', ...(process.platform === 'win32' && { SystemRoot: 'C:\\Windows' }) };
  return { cwd: dataDir, env, windowsHide: true, ...(runAs && { uid: runAs.uid, gid: runAs.gid }) };
}

async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path);
  await folder.sync();
  await folder.close();
}

/** Creates the application's role and database unless they exist. Several processes may call this concurrently. */
export async function ensureDatabase(superuser: Client, password: string | undefined): Promise<void> {
  const found = await superuser.query('select 1 from pg_database where datname = $1', [DATABASE]);
  if (found.rowCount !== 0) return;
  // Session-level, as `create database` cannot run inside a transaction; ends with the connection.
  await superuser.query("select pg_advisory_lock(hashtext('steward.first-start'))");
  const role = await superuser.query('select 1 from pg_roles where rolname = $1', [DATABASE]);
  if (role.rowCount === 0) {
    const secret = password === undefined ? '' : `password ${superuser.escapeLiteral(password)}`;
    await superuser.query(`create role ${DATABASE} login createdb ${secret}`);
    // So that the application can report its data directory.
    await superuser.query(`grant pg_read_all_settings to ${DATABASE}`);
  }
  const again = await superuser.query('select 1 from pg_database where datname = $1', [DATABASE]);
  if (again.rowCount === 0) await superuser.query(`create database ${DATABASE} owner ${DATABASE}`);
}
