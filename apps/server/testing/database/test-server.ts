import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type EmbeddedConnection, startEmbeddedPostgres } from '@steward/embedded-postgres';
import { findRunningPostmaster, isAlive } from '@steward/embedded-postgres/processes.ts';
import { fastTmpdir } from '@steward/embedded-postgres/testing/fast-tmpdir.ts';

export interface TestServer {
  connection: { connectionString: string };
  stop(): Promise<void>;
}

const PREFIX = 'steward-test-';

// Test data need not survive a loss of power. Many files run concurrently, each with its own pools.
const THROWAWAY = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' };

let ours: Promise<TestServer> | undefined;

/**
 * The PostgreSQL for a test run: TEST_DATABASE_URL or DATABASE_URL (15 or newer, a role with createdb), else an embedded
 * one in a temporary directory. The runner passes it to the test files: `TEST_POSTGRES=JSON.stringify(server.connection)`.
 */
export async function startTestServer(): Promise<TestServer> {
  const url = process.env.TEST_DATABASE_URL || process.env.DATABASE_URL;
  if (url) return { connection: { connectionString: url }, stop: async () => undefined };
  dropLeftoverDatabases();
  const dataDir = mkdtempSync(join(fastTmpdir(), `${PREFIX}${process.pid}-`));
  const server = await startEmbeddedPostgres({ dataDir, settings: THROWAWAY });
  return {
    connection: { connectionString: toUrl(server.connection) },
    stop: async () => {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** The runner's server. A test file that is run alone starts its own and stops it at the end. */
export async function testServer(): Promise<TestServer['connection']> {
  const given = process.env.TEST_POSTGRES;
  if (given) return JSON.parse(given) as TestServer['connection'];
  ours ??= startTestServer().then((server) => {
    process.once('beforeExit', () => server.stop());
    return server;
  });
  return (await ours).connection;
}

function toUrl({ host, port, user, database, password }: EmbeddedConnection): string {
  const secret = password === undefined ? '' : `:${encodeURIComponent(password)}`;
  return `postgres://${user}${secret}@${encodeURIComponent(host)}:${port}/${database}`;
}

/** A killed run leaves its PostgreSQL and its directory, named after a process that no longer exists. */
function dropLeftoverDatabases(): void {
  for (const name of readdirSync(fastTmpdir()).filter((entry) => entry.startsWith(PREFIX))) {
    const owner = Number.parseInt(name.slice(PREFIX.length), 10);
    if (!(owner > 0) || isAlive(owner)) continue;
    const dataDir = join(fastTmpdir(), name);
    const postmaster = findRunningPostmaster(join(dataDir, 'postgres'));
    if (postmaster !== undefined) process.kill(postmaster, 'SIGQUIT');
    try {
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    } catch {
      // The folder belongs to another user, or its last process is still writing: the next run removes it.
    }
  }
}
