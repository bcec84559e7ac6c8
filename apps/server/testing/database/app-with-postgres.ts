import { join } from 'node:path';
import { startEmbeddedPostgres } from '@steward/embedded-postgres';
import { findRunningPostmaster } from '@steward/embedded-postgres/processes.ts';
import { temporaryDir } from '@steward/embedded-postgres/testing/temporary-cluster.ts';
import { createDatabase, createPool } from '#platform/database/database.ts';
import { migrate } from '#platform/database/migrate.ts';
import { startApp, type TestAppOptions } from '#testing/app/start-app.ts';

export type AppWithPostgres = Awaited<ReturnType<typeof startAppWithPostgres>>;

/** Starts both, below `base` if given. When the test ends, the app stops first. */
export async function startAppWithPostgres({
  base,
  settings = {},
  ...options
}: TestAppOptions & { base?: string; settings?: Record<string, string> } = {}) {
  const directory = temporaryDir(base);
  let postgres = await startEmbeddedPostgres({ dataDir: directory.path, settings });
  const connection = { ...postgres.connection };
  const migrating = createDatabase(createPool(connection, { max: 1, name: 'outage', unlimited: true }));
  await migrate(migrating).finally(() => migrating.destroy());
  const database = { connection, url: '', [Symbol.asyncDispose]: async () => undefined };
  const node = await startApp({ database, work: false, pool: 2, ...options });
  return {
    node,
    /** Stops PostgreSQL like an operator would. */
    stop: () => postgres.stop(),
    postmaster: () => findRunningPostmaster(join(directory.path, 'postgres')),
    async start() {
      postgres = await startEmbeddedPostgres({ dataDir: directory.path, settings });
    },
    async [Symbol.asyncDispose]() {
      await node[Symbol.asyncDispose]();
      await postgres.stop();
      await directory[Symbol.asyncDispose]();
    },
  };
}
