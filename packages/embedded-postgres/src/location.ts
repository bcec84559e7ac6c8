import { createHash, randomBytes } from 'node:crypto';
import { existsSync, lstatSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { access, chmod, chown, constants, mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { findInaccessibleDir, isRoot, type SystemUser, systemUsers, unprivilegedUser } from './user.ts';

/** Location of a cluster, its address, and the account it runs as. */
export interface ClusterLocation {
  /** Absolute, without symlinks. */
  dataDir: string;
  /** PostgreSQL's own data directory inside dataDir. */
  clusterDir: string;
  logFile: string;
  /** Private directory of the Unix socket; on Windows, a loopback address. */
  host: string;
  port: number;
  /** Windows only: the loopback port is open to every user of the machine. */
  password?: string;
  /** The unprivileged account if we are root; absent for our own account. */
  runAs?: SystemUser;
}

// The system's limit for a socket's path is 107 bytes on Linux and 103 on macOS.
const SOCKET_PATH_LIMIT = 100;
const SOCKET_PORT = 5432;

/** Creates the data directory and the socket directory with their owners and modes. */
export async function prepareLocation(wantedDir: string, dbUser?: string): Promise<ClusterLocation> {
  await makeDataDir(wantedDir);
  const dataDir = realpathSync(wantedDir);
  const clusterDir = join(dataDir, 'postgres');
  const runAs = clusterOwner(clusterDir, dbUser);
  await requireWritable(dataDir);
  if (runAs !== undefined) {
    const closed = findInaccessibleDir(dataDir, runAs);
    if (closed !== undefined) {
      throw new Error(
        `DATA_DIR ${dataDir}: the database's user "${runAs.name}" cannot enter ${closed}. Choose another DATA_DIR.`,
      );
    }
  }
  const place = { dataDir, clusterDir, logFile: join(dataDir, 'postgres.log'), ...(runAs && { runAs }) };
  if (process.platform === 'win32') return { ...place, ...(await loopbackAddress(dataDir)) };
  const host = socketDir(dataDir);
  await makePrivateDir(host, runAs);
  return { ...place, host, port: SOCKET_PORT };
}

async function makeDataDir(dataDir: string): Promise<void> {
  // Started by root, PostgreSQL runs as another user, who must be able to enter but not list the directory.
  const mode = isRoot() ? 0o711 : 0o700;
  const first = await mkdir(dataDir, { recursive: true, mode }).catch(async (cause: Error) => {
    // With `recursive`, a read-only file system is reported as a missing directory.
    let parent = dirname(dataDir);
    while (!existsSync(parent)) parent = dirname(parent);
    const reason = await access(parent, constants.W_OK).catch((error: Error) => error);
    throw new Error(`DATA_DIR ${dataDir} can't be created: ${(reason ?? cause).message}`, { cause });
  });
  // mkdir's mode is limited by the umask.
  if (first !== undefined) {
    for (let at = dataDir; at.length >= first.length; at = dirname(at)) await chmod(at, mode);
  } else if (isRoot()) {
    await requireWritable(dataDir);
    await chmod(dataDir, mode);
  }
}

async function requireWritable(dataDir: string): Promise<void> {
  await access(dataDir, constants.W_OK | constants.X_OK).catch((cause: Error) => {
    throw new Error(`DATA_DIR ${dataDir} isn't writable: ${cause.message}`, { cause });
  });
}

function clusterOwner(clusterDir: string, dbUser: string | undefined): SystemUser | undefined {
  const owner = existsSync(clusterDir) ? statSync(clusterDir) : undefined;
  if (!isRoot()) {
    const self = process.getuid?.();
    if (owner !== undefined && self !== undefined && owner.uid !== self) {
      throw new Error(
        `${clusterDir} belongs to the user ${getName(owner.uid)}: start as root or as that user, or set DATA_DIR.`,
      );
    }
    return undefined;
  }
  // A cluster created by another account (for example by a normal user before a start as root) keeps its owner.
  if (owner !== undefined && owner.uid !== 0) {
    if (dbUser !== undefined && unprivilegedUser(dbUser).uid !== owner.uid) {
      throw new Error(
        `${clusterDir} belongs to the user ${getName(owner.uid)}, but EMBEDDED_DB_USER names "${dbUser}".`,
      );
    }
    return { name: getName(owner.uid), uid: owner.uid, gid: owner.gid };
  }
  return unprivilegedUser(dbUser);
}

function getName(uid: number): string {
  return systemUsers().find((user) => user.uid === uid)?.name ?? String(uid);
}

function socketDir(dataDir: string): string {
  const inside = join(dataDir, 'socket');
  if (Buffer.byteLength(`${inside}/.s.PGSQL.${SOCKET_PORT}`) <= SOCKET_PATH_LIMIT) return inside;
  return `/tmp/steward-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`;
}

async function makePrivateDir(dir: string, runAs: SystemUser | undefined): Promise<void> {
  await mkdir(dir, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  // In /tmp, another user could have created the directory first and would control access to our database.
  const found = lstatSync(dir);
  const trusted = [process.getuid?.(), runAs?.uid];
  if (!found.isDirectory() || !trusted.includes(found.uid)) {
    throw new Error(`${dir} should be the database's private socket directory but belongs to another user. Remove it.`);
  }
  if (runAs !== undefined) await chown(dir, runAs.uid, runAs.gid);
  if (found.uid === process.getuid?.() || isRoot()) await chmod(dir, 0o700);
}

/** Windows: a port and a password, chosen once per data directory. Not tested on Windows. */
async function loopbackAddress(dataDir: string): Promise<{ host: string; port: number; password: string }> {
  const file = join(dataDir, 'postgres-address.json');
  if (!existsSync(file)) {
    const address = { port: await freePort(), password: randomBytes(24).toString('base64url') };
    await writeFile(file, JSON.stringify(address), { mode: 0o600 });
  }
  const { port, password } = JSON.parse(readFileSync(file, 'utf8')) as { port: number; password: string };
  return { host: '127.0.0.1', port, password };
}

/** Finds a free port on the loopback address. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
