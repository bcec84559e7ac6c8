import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmdirSync, statSync } from 'node:fs';
import { chmod, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { defaultDataDir, type EmbeddedPostgres, startEmbeddedPostgres } from '@steward/embedded-postgres';
import { isRoot, systemUsers } from '@steward/embedded-postgres/user.ts';
import { parseFilesUrl } from '#platform/blobs/files-url.ts';
import type { Env } from '#platform/env.ts';
import { COUNTS } from '#platform/jobs/fair-queue.ts';
import type { Logger } from '#platform/observability/log.ts';
import { checkPooler } from './cluster/pooler.ts';
import { createReplica } from './cluster/replica.ts';
import { type Connection, createDatabase, createPool, type PoolLimits } from './database.ts';

/** The opened database, with the key of its secrets. */
interface DataPlace {
  connection: Connection;
  /** The same database without the pooler, for uses that need a session; equal to `connection` without a pooler. */
  direct: Connection;
  /** Also an address that leads to one of several replicas. */
  replica: Connection | undefined;
  secretKey: string;
  dataDir: string;
  /** The embedded server and its start options; undefined with DATABASE_URL. */
  embedded: (EmbeddedPostgres & { options: Parameters<typeof startEmbeddedPostgres>[0] }) | undefined;
}

/** Without DATABASE_URL, starts the embedded PostgreSQL or adopts a running one. */
export async function openData(env: Env, repository: string, log?: (line: string) => void): Promise<DataPlace> {
  const dataDir = env.dataDir ?? defaultDataDir(repository, env.EMBEDDED_DB_USER);
  refuseOtherOwner(dataDir, env.FILES_URL);
  if (env.DATABASE_URL !== undefined) {
    const connection = { connectionString: env.DATABASE_URL };
    const direct = env.DATABASE_DIRECT_URL === undefined ? connection : { connectionString: env.DATABASE_DIRECT_URL };
    const replica = env.DATABASE_REPLICA_URL === undefined ? undefined : { connectionString: env.DATABASE_REPLICA_URL };
    return { connection, direct, replica, secretKey: env.SECRET_KEY ?? '', dataDir, embedded: undefined };
  }
  const options = {
    dataDir,
    ...(env.EMBEDDED_DB_USER === undefined ? {} : { dbUser: env.EMBEDDED_DB_USER }),
    ...(log === undefined ? {} : { log }),
  };
  const embedded = { ...(await startEmbeddedPostgres(options)), options };
  const secretKey = env.SECRET_KEY ?? (await readOrCreateKey(dataDir));
  const { connection } = embedded;
  return { connection, direct: connection, replica: undefined, secretKey, dataDir, embedded };
}

/** Statement timeout for counting queries, in milliseconds. */
const SLOW_QUERY_MS = 60_000;

interface PoolsOptions {
  env: Pick<Env, 'DATABASE_POOL'>;
  log: Logger;
  limits: PoolLimits | undefined;
  name?: string;
}

/** Only the pool for calls uses the pooler. What closes the pools is added to `closers`. */
export async function openPools(
  { connection, direct, replica: connectionOfReplica }: Pick<DataPlace, 'connection' | 'direct' | 'replica'>,
  { env, log, limits, name = 'steward' }: PoolsOptions,
  closers: { push(close: () => Promise<unknown>): unknown },
) {
  const pooled = direct !== connection;
  const pool = createPool(connection, { max: env.DATABASE_POOL, name, pooled, ...limits });
  closers.push(() => pool.end());
  if (pooled) await checkPooler(pool);
  const counts = COUNTS.atOnce;
  const slowQueryPgPool = createPool(direct, { max: counts, name: `${name} counting`, statementMs: SLOW_QUERY_MS });
  closers.push(() => slowQueryPgPool.end());
  const pools = {
    pool,
    db: createDatabase(pool, { pooled, waiting: limits?.waiting }),
    slowQueryPool: createDatabase(slowQueryPgPool),
  };
  const max = { reads: env.DATABASE_POOL, counts };
  const replica = createReplica({ connection: connectionOfReplica, ...pools, log, max, slowQueryMs: SLOW_QUERY_MS });
  closers.push(() => replica.stop());
  return { ...pools, replica };
}

async function readOrCreateKey(dataDir: string): Promise<string> {
  const file = join(dataDir, 'secret-key');
  const stored = await readFile(file, 'utf8').catch(() => undefined);
  if (stored !== undefined) {
    if (!/^[0-9a-f]{64}$/.test(stored.trim()))
      throw new Error('The file secret-key in DATA_DIR is damaged: it must contain 64 hex digits.');
    return stored.trim();
  }
  const created = randomBytes(32).toString('hex');
  // Written under another name first, so that a crash never leaves half a key.
  await writeFile(`${file}.new`, created, { mode: 0o600 });
  await chmod(`${file}.new`, 0o600);
  await rename(`${file}.new`, file);
  return created;
}

/**
 * Refuses to work as another user than the server: the server couldn't read or replace the files that this process creates, such
 * as archives of retention runs, and would fail later.
 */
export function refuseOtherOwner(dataDir: string, filesUrl: string | undefined): void {
  const own = process.getuid?.();
  if (own === undefined) return;
  const files = filesUrl === undefined ? undefined : parseFilesUrl(filesUrl);
  const created = [join(dataDir, 'secret-key'), join(dataDir, 'files')];
  // A mounted volume can belong to root while the server may write there through its group.
  const given = isRoot() ? [dataDir, ...(files?.kind === 'directory' ? [files.location] : [])] : [];
  for (const path of [...created, ...given]) {
    const owner = statSync(path, { throwIfNoEntry: false })?.uid;
    if (owner === undefined || owner === own || getOwnerOfNew(path === created[0] ? dataDir : path) === owner) continue;
    const name = systemUsers().find(({ uid }) => uid === owner)?.name ?? `#${owner}`;
    throw new Error(
      `${path} belongs to the user ${name}, who couldn't use what this process creates there. Run it as that user: sudo --user=${name} …`,
    );
  }
}

/** Some network file systems give all files to one user, not to the one who creates them. Undefined if nothing can be created. */
function getOwnerOfNew(directory: string): number | undefined {
  try {
    const probe = mkdtempSync(join(directory, '.owner-'));
    const { uid } = statSync(probe);
    rmdirSync(probe);
    return uid;
  } catch {
    return undefined;
  }
}
