import { resolve } from 'node:path';
import { type Blobs, createBlobs } from '@steward/server/src/platform/blobs/blobs.ts';
import { openData } from '@steward/server/src/platform/database/connect.ts';
import {
  type Connection,
  createDatabase,
  createPool,
  type Database,
} from '@steward/server/src/platform/database/database.ts';
import { migrate } from '@steward/server/src/platform/database/migrate.ts';
import { type Env, parseEnv } from '@steward/server/src/platform/env.ts';
import { createSecrets, type Secrets } from '@steward/server/src/platform/security/secrets.ts';
import { lendSession, type Session } from './backup/backup.store.ts';

/** A migrated database and the settings of the environment. */
export interface Workspace {
  env: Env;
  db: Database;
  connection: Connection;
  blobs: Blobs;
  secrets: Secrets;
  /** Lends a separate connection, for a transaction that streams. Only one more can be used at the same time. */
  withSession: <T>(work: (session: Session) => Promise<T>) => Promise<T>;
  /** Names of the migrations that opening it applied. */
  migrated: string[];
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Opens the database that the server would use, whether or not a server is running. An embedded PostgreSQL that was started for
 * this is stopped afterwards, unless a server has started using it.
 */
export async function withWorkspace<T>(
  variables: NodeJS.ProcessEnv,
  work: (workspace: Workspace) => Promise<T>,
  { keepsSchema = false }: { keepsSchema?: boolean | undefined } = {},
): Promise<T> {
  const repository = resolve(import.meta.dirname, '../../..');
  const env = parseEnv(variables, repository);
  // Migrations, backups and restores need sessions of their own.
  const { direct: connection, dataDir, embedded, secretKey } = await openData(env, repository);
  const leave = async (): Promise<unknown> => (embedded?.started ? embedded.stopWhenUnused() : undefined);
  const pool = createPool(connection, { max: 2, name: 'steward workspace', unlimited: true });
  const onSignal = () => {
    // PostgreSQL rolls the interrupted transaction back.
    const abandoned = embedded?.started ? embedded.stop() : Promise.resolve();
    void abandoned.finally(() => process.exit(130));
  };
  for (const signal of SIGNALS) process.once(signal, onSignal);
  try {
    const secrets = createSecrets(secretKey, env.SECRET_KEY_PREVIOUS);
    const db = createDatabase(pool);
    const blobs = createBlobs(env.FILES_URL, dataDir);
    const withSession: Workspace['withSession'] = (borrow) => lendSession(pool, borrow);
    const migrated = keepsSchema ? [] : await migrate(db);
    return await work({ env, db, connection, blobs, secrets, withSession, migrated });
  } finally {
    await pool.end();
    await leave();
    for (const signal of SIGNALS) process.off(signal, onSignal);
  }
}
