// A command only needs `startEmbeddedPostgres`; a server also calls `supervisePostgres`. The README describes both.
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { packagedBinaries, removeOldCopies, usableBinaries } from './binaries.ts';
import { DATABASE, ensureCluster, ensureDatabase } from './cluster.ts';
import { type ClusterLocation, prepareLocation } from './location.ts';
import { connectSuperuser, type Settings, startPostmaster, stopPostmaster } from './postmaster.ts';
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

/** A running embedded PostgreSQL. It outlives this process unless it is stopped. */
export interface EmbeddedPostgres {
  /** For pg's Pool: the application's database and its owner, which is no superuser. */
  connection: EmbeddedConnection;
  /** True if this call started the postmaster, false if it adopted a running one. */
  started: boolean;
  /** Stops the postmaster by a fast shutdown, which ends all connections. */
  stop(): Promise<void>;
  /** Stops the postmaster unless other clients are connected; returns whether it did. For commands beside a server. */
  stopWhenUnused(): Promise<boolean>;
}

const SYSTEM_DATA_DIR = '/var/lib/steward';
/** Time for the caller's own connections to end before `stopWhenUnused` counts connections. */
const UNUSED_WITHIN_MS = 500;
const LOCK_WAIT_MS = 2_000;
/** Delay between two attempts to restart PostgreSQL. */
const RESTART_EVERY_MS = 1_000;

/** Settings for a small machine; `settings` of the options override them. */
const DEFAULTS: Settings = {
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

export interface StartOptions {
  dataDir: string;
  /** The account that PostgreSQL runs as if this process is root; by default `postgres` or `nobody`. */
  dbUser?: string;
  log?: (line: string) => void;
  /** Settings of PostgreSQL in addition to, or instead of, the defaults. */
  settings?: Settings;
}

/** Adopts the running PostgreSQL of a data directory, or starts it; the first start creates it. */
export async function startEmbeddedPostgres(options: StartOptions): Promise<EmbeddedPostgres> {
  const log = options.log ?? (() => undefined);
  const packaged = packagedBinaries();
  const place = await prepareLocation(options.dataDir, options.dbUser);
  const binaries = await usableBinaries(packaged, place.dataDir, place.runAs);
  if (!existsSync(place.clusterDir)) log(`creating a new database in ${place.clusterDir}`);
  await ensureCluster(place, binaries);
  const started = await startPostmaster(place, binaries, { ...DEFAULTS, ...options.settings });
  log(started ? 'PostgreSQL started' : 'using the running PostgreSQL');
  const superuser = await connectSuperuser(place);
  await ensureDatabase(superuser, place.password).finally(() => superuser.end());
  if (started) await removeOldCopies(place.dataDir, binaries);
  return {
    connection: applicationConnection(place),
    started,
    stop: () => stopPostmaster(place),
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

/** Locks the data directory for one server; a second server fails. Commands beside a server don't lock it. */
export async function claimDataDir(connection: EmbeddedConnection): Promise<Claim> {
  const client = new pg.Client({ ...connection, application_name: 'steward claim', keepAlive: true });
  client.on('error', () => undefined);
  const ended = new Promise<void>((resolve) => client.once('end', resolve));
  await client.connect();
  try {
    // A server killed a moment ago keeps its lock until PostgreSQL notices, so wait a little.
    await client.query(`set lock_timeout = ${LOCK_WAIT_MS}`);
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

/** A data directory that is locked for this server and whose PostgreSQL is restarted when it dies. */
export interface SupervisedPostgres {
  /** Releases the data directory. PostgreSQL itself is stopped separately. */
  release(): Promise<void>;
}

/**
 * Locks the data directory for this server and restarts PostgreSQL when it dies, for example when the machine runs out of
 * memory. Throws if another server has locked the directory.
 */
export async function supervisePostgres(
  embedded: EmbeddedPostgres,
  options: StartOptions,
): Promise<SupervisedPostgres> {
  const log = options.log ?? (() => undefined);
  let claim: Claim = await claimDataDir(embedded.connection);
  let released = false;
  const supervise = async () => {
    for (;;) {
      await claim.ended;
      if (released) return;
      log('PostgreSQL has stopped and is being restarted');
      claim = await restart(() => released, options);
      if (released) return claim.release();
    }
  };
  const supervising = supervise().catch((error) => log(`PostgreSQL is no longer supervised: ${String(error)}`));
  return {
    async release() {
      released = true;
      await claim.release();
      await supervising;
    },
  };
}

async function restart(isReleased: () => boolean, options: StartOptions): Promise<Claim> {
  for (;;) {
    try {
      const { connection } = await startEmbeddedPostgres(options);
      return await claimDataDir(connection);
    } catch (error) {
      if (isReleased()) throw error;
      options.log?.(`can't restart PostgreSQL yet: ${error instanceof Error ? error.message : String(error)}`);
      await delay(RESTART_EVERY_MS);
    }
  }
}

function applicationConnection({ host, port, password }: ClusterLocation): EmbeddedConnection {
  return { host, port, user: DATABASE, database: DATABASE, ...(password !== undefined && { password }) };
}

async function stopIfUnused(place: ClusterLocation): Promise<boolean> {
  const superuser = await connectSuperuser(place).catch(() => undefined);
  if (superuser === undefined) return false;
  // The caller's own connections, closed just before, take a moment to end.
  const deadline = Date.now() + UNUSED_WITHIN_MS;
  let isUnused = false;
  while (!isUnused && Date.now() < deadline) {
    const others = await superuser.query(
      "select 1 from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()",
    );
    isUnused = others.rowCount === 0;
    if (!isUnused) await delay(25);
  }
  await superuser.end();
  if (isUnused) await stopPostmaster(place);
  return isUnused;
}
