import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { packagedBinaries, removeOldCopies, usableBinaries } from './binaries.ts';
import { DATABASE, ensureCluster, ensureDatabase } from './cluster.ts';
import { connectSuperuser, lower, raise, type Settings } from './lifecycle.ts';
import { type Place, preparePlace } from './location.ts';
import { findInaccessibleDir, isRoot, unprivilegedUser } from './user.ts';

/** Connection parameters for `pg`. */
export interface EmbeddedConnection {
  /** Directory of the Unix socket, or a host name. */
  host: string;
  port: number;
  user: string;
  database: string;
  password?: string;
}

/** A running embedded PostgreSQL. It keeps running after this process unless it is stopped. */
export interface EmbeddedPostgres {
  /** For pg's Pool: the application's database and its owner, which is no superuser. */
  connection: EmbeddedConnection;
  /** True if this call started the postmaster, false if it adopted a running one. */
  started: boolean;
  /** Stops the postmaster (fast shutdown). Called last. */
  stop(): Promise<void>;
  /** Stops the postmaster unless other clients are connected, and returns whether it did. For operator commands. */
  stopWhenUnused(): Promise<boolean>;
}

const SYSTEM_DATA_DIR = '/var/lib/steward';
const ALONE_WITHIN_MS = 500;
const CLAIM_WAIT_MS = 2_000;

const SMALL_MACHINE: Settings = {
  max_connections: '60',
  shared_buffers: '128MB',
  // A container's /dev/shm is often 64 MB, which parallel workers overrun.
  max_parallel_workers_per_gather: '0',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  // The server logs failed statements; here they would fill the disk and contain personal data.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
};

/** Creates (on first use), adopts or starts the PostgreSQL of a data directory. Started by root, it runs as `dbUser`. */
export async function startEmbeddedPostgres(options: {
  dataDir: string;
  dbUser?: string;
  log?: (line: string) => void;
  settings?: Settings;
}): Promise<EmbeddedPostgres> {
  const log = options.log ?? (() => undefined);
  const packaged = packagedBinaries();
  const place = await preparePlace(options.dataDir, options.dbUser);
  const binaries = await usableBinaries(packaged, place.dataDir, place.runAs);
  if (!existsSync(place.clusterDir)) log(`creating a new database in ${place.clusterDir}`);
  await ensureCluster(place, binaries);
  const started = await raise(place, binaries, { ...SMALL_MACHINE, ...options.settings });
  log(started ? 'PostgreSQL started' : 'using the running PostgreSQL');
  const superuser = await connectSuperuser(place);
  await ensureDatabase(superuser, place.password).finally(() => superuser.end());
  if (started) await removeOldCopies(place.dataDir, binaries);
  return {
    connection: applicationConnection(place),
    started,
    stop: () => lower(place),
    stopWhenUnused: () => stopIfUnused(place),
  };
}

/**
 * The default of DATA_DIR: var/data in the repository, or /var/lib/steward if the unprivileged user can't access the repository
 * (as root, below a directory with mode 0700).
 */
export function defaultDataDir(repository: string, dbUser?: string): string {
  const home = realpathSync(repository);
  if (isRoot() && findInaccessibleDir(home, unprivilegedUser(dbUser)) !== undefined) return SYSTEM_DATA_DIR;
  return join(home, 'var', 'data');
}

/** A data directory locked for one server. */
export interface Claim {
  /** Resolves when the claim ends: by release, or because PostgreSQL stopped. */
  ended: Promise<void>;
  release(): Promise<void>;
}

/** Locks the data directory for one server; a second one fails. Operator commands don't lock it. */
export async function claimDataDir(connection: EmbeddedConnection): Promise<Claim> {
  const client = new pg.Client({ ...connection, application_name: 'steward claim', keepAlive: true });
  client.on('error', () => undefined);
  const ended = new Promise<void>((resolve) => client.once('end', resolve));
  await client.connect();
  try {
    // A server killed a moment ago keeps its lock until PostgreSQL notices, so wait a little.
    await client.query(`set lock_timeout = ${CLAIM_WAIT_MS}`);
    await client.query("select pg_advisory_lock(hashtext('steward.data-dir'))");
    return { ended, release: () => client.end() };
  } catch (cause) {
    const { rows } = await client.query<{ dir: string }>("select current_setting('data_directory') as dir");
    await client.end();
    throw new Error(`Another Steward server is running on ${dirname(rows[0]?.dir ?? '')}: stop it, or set DATA_DIR.`, {
      cause,
    });
  }
}

function applicationConnection({ host, port, password }: Place): EmbeddedConnection {
  return { host, port, user: DATABASE, database: DATABASE, ...(password !== undefined && { password }) };
}

async function stopIfUnused(place: Place): Promise<boolean> {
  const superuser = await connectSuperuser(place).catch(() => undefined);
  if (superuser === undefined) return false;
  // The caller's own connections, closed just before, take a moment to end.
  const deadline = Date.now() + ALONE_WITHIN_MS;
  let alone = false;
  while (!alone && Date.now() < deadline) {
    const others = await superuser.query(
      "select 1 from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()",
    );
    alone = others.rowCount === 0;
    if (!alone) await delay(25);
  }
  await superuser.end();
  if (alone) await lower(place);
  return alone;
}
