import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { addTeamWithOwner } from '@steward/server/src/operator/access/create-team.actions.ts';
import { newPassword } from '@steward/server/src/operator/access/new-password.ts';
import { fillEntries, fillPeople } from '@steward/server/src/operator/fill/fill.actions.ts';
import { loadNames } from '@steward/server/src/operator/sample-data/name-pools.ts';
import {
  createDatabase,
  createPool,
  type Database,
  inTransaction,
} from '@steward/server/src/platform/database/database.ts';
import { migrate } from '@steward/server/src/platform/database/migrate.ts';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '@steward/server/src/platform/embedded-postgres/embedded-postgres.ts';
import { hashPassword } from '@steward/server/src/platform/security/passwords.ts';
import { createSecrets } from '@steward/server/src/platform/security/secrets.ts';
import { findAccount } from '@steward/server/src/workspace/people/accounts.store.ts';
import { savePassword } from '@steward/server/src/workspace/people/people.store.ts';
import type pg from 'pg';

/** A team filled for the bench, and its owner. */
export interface Team {
  id: string;
  people: number;
  /** Number of directory entries. */
  entries: number;
  owner: { email: string; password: string };
}

/** A migrated database. */
export interface BenchDatabase {
  name: string;
  /** As in DATABASE_URL, for the embedded server too. */
  url: string;
  secretKey: string;
  /** Directory of the embedded server. */
  dataDir: string | undefined;
  pool: pg.Pool;
  db: Database;
  /** Stops the embedded server, and starts it again; nothing for a foreign one. */
  stop(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

/** Opens a foreign PostgreSQL by its URL. */
export async function openForeign(url: string): Promise<BenchDatabase> {
  const nothing = async () => undefined;
  return open({ name: 'PostgreSQL', url, dataDir: undefined, stop: nothing, start: nothing, remove: nothing });
}

/** Starts an embedded PostgreSQL; without a directory, a temporary one is used. */
export async function openEmbedded(directory: string | undefined): Promise<BenchDatabase> {
  const dataDir = directory === undefined ? mkdtempSync(join(tmpdir(), 'steward-bench-')) : resolve(directory);
  // When we are root, PostgreSQL runs as another user, who needs access.
  if (directory === undefined) chmodSync(dataDir, 0o711);
  let embedded: EmbeddedPostgres = await startEmbeddedPostgres({ dataDir });
  const { host, port, user, database } = embedded.connection;
  return open({
    name: 'embedded',
    url: `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}&port=${port}`,
    dataDir,
    stop: () => embedded.stop(),
    start: async () => {
      embedded = await startEmbeddedPostgres({ dataDir });
    },
    remove: async () => {
      await embedded.stop();
      if (directory === undefined) rmSync(dataDir, { recursive: true, force: true });
    },
  });
}

async function open(
  database: Pick<BenchDatabase, 'name' | 'url' | 'dataDir' | 'stop' | 'start'> & { remove: () => Promise<void> },
): Promise<BenchDatabase> {
  const pool = createPool({ connectionString: database.url }, { max: 4, name: 'steward bench', unlimited: true });
  const secretKey = randomBytes(32).toString('hex');
  const db = createDatabase(pool, createSecrets(secretKey));
  const close = async () => {
    await pool.end();
    await database.remove();
  };
  try {
    await migrate(db);
    return { ...database, secretKey, pool, db, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The team with that many people and at least that many directory entries; its owner gets a new password each time. */
export async function getTeam(
  database: BenchDatabase,
  { people, entries }: { people: number; entries: number },
  say: (line: string) => void,
): Promise<Team> {
  const owner = { email: `bench-${people}@steward.example`, password: newPassword() };
  const id = (await findTeam(database, owner)) ?? (await addTeam(database, owner, people));
  const count = async (table: string): Promise<number> =>
    (await database.pool.query(`select count(*)::int as count from ${table} where team_id = $1`, [id])).rows[0].count;
  const filling = async (rows: number, what: string) => ({
    recipe: { pools: await loadNames(), key: id, seed: 1 },
    count: rows,
    progress: (done: number) => say(`${database.name}: ${done} of ${rows} ${what}`),
  });
  const addedPeople =
    (await count('memberships')) < people ? await fillPeople(database.db, await filling(people, 'people')) : 0;
  const addedEntries =
    (await count('directory_entries')) < entries
      ? await fillEntries(database.db, await filling(entries, 'entries'))
      : 0;
  // As autovacuum would within a minute; without it there are no index-only scans.
  if (addedPeople + addedEntries > 0) await database.pool.query('vacuum analyze');
  return { id, people, entries: await count('directory_entries'), owner };
}

async function addTeam(database: BenchDatabase, owner: Team['owner'], people: number): Promise<string> {
  const wanted = { display_name: `Bench ${people}`, time_zone: 'UTC', ...owner };
  return (await addTeamWithOwner(database.db, wanted)).teamId;
}

async function findTeam(database: BenchDatabase, owner: Team['owner']): Promise<string | undefined> {
  const account = await findAccount(database.db, owner.email);
  if (!account) return undefined;
  const hash = await hashPassword(owner.password);
  await inTransaction(database.db, (trx) => savePassword(trx, account.id, hash));
  await database.pool.query('delete from throttles');
  const { rows } = await database.pool.query('select team_id from memberships where person_id = $1', [account.id]);
  return rows[0]?.team_id;
}
