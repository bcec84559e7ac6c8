import { randomBytes } from 'node:crypto';
import { chmod, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { defaultDataDir, type EmbeddedPostgres, startEmbeddedPostgres } from '@steward/embedded-postgres';
import type { Env } from '#platform/env.ts';
import { refuseOtherOwner } from './data-owner.ts';
import type { Connection } from './database.ts';

/** The opened database, with the key of its secrets. */
export interface DataPlace {
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
