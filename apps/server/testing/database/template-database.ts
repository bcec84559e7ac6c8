import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { createWorkers } from '#app/features.ts';
import { grantServerRights } from '#migrations/server-role.ts';
import { type Connection, createDatabase, createPool } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import { migrate } from '#platform/database/migrate.ts';
import type { Deps } from '#platform/deps.ts';
import { createJobs } from '#platform/jobs/jobs.ts';
import { createLog } from '#platform/observability/log.ts';
import { testEnv } from '#testing/app/test-env.ts';
import { startPgBouncer } from '#testing/system/pgbouncer.ts';
import { testServer } from './test-server.ts';

export interface TestDatabase extends AsyncDisposable {
  /** The role is the owner of the tables. Also suitable as DATABASE_URL of a server in another process. */
  url: string;
  /** The server's role: TEST_SERVER_ROLE, which owns nothing, or the owner. */
  connection: { connectionString: string };
  /** PgBouncer in front of it, with TEST_POOLER=1. */
  pooler?: { connectionString: string };
}

/** With `TEST_POOLER=1 npm test -- --only server`, servers reach their database through PgBouncer. */
const HAS_POOLER = process.env.TEST_POOLER === '1';

const MIGRATIONS = join(import.meta.dirname, '../../src/migrations');

/** Clones the migrated template. Close every pool on the clone before disposing of it. */
export async function testDatabase(template = templateName()): Promise<TestDatabase> {
  const server = (await testServer()).connectionString;
  await ensureTemplate(getAdmin(server), server, template);
  // Without fsync, this takes half the time of the default, which writes the copy to the WAL as well.
  const created = await createOn(server, `template ${template} strategy file_copy`);
  const connection = { connectionString: asServer(created.url) };
  if (!HAS_POOLER) return { ...created, connection };
  const pooler = await startPgBouncer(connection.connectionString);
  return {
    ...created,
    connection,
    pooler: { connectionString: pooler.url },
    async [Symbol.asyncDispose]() {
      await pooler[Symbol.asyncDispose]();
      await created[Symbol.asyncDispose]();
    },
  };
}

export const emptyDatabase = async (): Promise<TestDatabase> => createOn((await testServer()).connectionString, '');

async function createOn(server: string, options: string): Promise<TestDatabase> {
  const name = `steward_test_${newId()}`;
  const admin = getAdmin(server);
  await admin.query(`create database ${name} ${options}`);
  const url = onDatabase(server, name);
  const dispose = () => drop(admin, name);
  return { url, connection: { connectionString: url }, [Symbol.asyncDispose]: dispose };
}

/** The role of servers under test, which needs a PostgreSQL where roles can be created; the owner by default. */
const SERVER_ROLE = process.env.TEST_SERVER_ROLE;
const PASSWORD = 'test';

function asServer(owner: string): string {
  if (!SERVER_ROLE) return owner;
  return Object.assign(new URL(owner), { username: SERVER_ROLE, password: PASSWORD }).href;
}

/** Autovacuum may be running in it: only a superuser can end that by force, but a plain drop makes it leave. */
async function drop(admin: pg.Pool, name: string): Promise<void> {
  try {
    await admin.query(`drop database if exists ${name} with (force)`);
  } catch (error) {
    if ((error as { code?: string }).code !== '42501') throw error;
    await admin.query(`drop database if exists ${name}`);
  }
}

/** The name changes with the migrations, so that a running test server never provides an old schema. */
function templateName(): string {
  const hash = createHash('sha256');
  for (const file of readdirSync(MIGRATIONS).sort()) hash.update(file).update(readFileSync(join(MIGRATIONS, file)));
  if (SERVER_ROLE) hash.update(SERVER_ROLE);
  return `steward_template_${hash.digest('hex').slice(0, 16)}`;
}

async function ensureTemplate(admin: pg.Pool, server: string, template: string): Promise<void> {
  if (await hasDatabase(admin, template)) return;
  const session = await admin.connect();
  try {
    await createTemplate(session, server, template);
  } finally {
    // The lock ends with the connection.
    session.release(true);
  }
}

async function hasDatabase(admin: pg.Pool | pg.ClientBase, name: string): Promise<boolean> {
  return (await admin.query('select 1 from pg_database where datname = $1', [name])).rowCount !== 0;
}

async function createTemplate(admin: pg.ClientBase, server: string, template: string): Promise<void> {
  // Test files start concurrently.
  await admin.query('select pg_advisory_lock(hashtext($1))', [template]);
  if (await hasDatabase(admin, template)) return;
  if (SERVER_ROLE) await ensureRole(admin, SERVER_ROLE);
  // Renamed when complete, so that an existing template is complete even if a run is killed here.
  const unfinished = `${template}_new`;
  await admin.query(`drop database if exists ${unfinished} with (force)`);
  await admin.query(`create database ${unfinished}`);
  await migrateAndDisconnect(onDatabase(server, unfinished));
  await admin.query(`alter database ${unfinished} rename to ${template}`);
}

async function ensureRole(admin: pg.ClientBase, role: string): Promise<void> {
  const { rowCount } = await admin.query('select 1 from pg_roles where rolname = $1', [role]);
  if (rowCount === 0) await admin.query(`create role ${pg.escapeIdentifier(role)} login password '${PASSWORD}'`);
}

async function migrateAndDisconnect(connectionString: string): Promise<void> {
  const pool = createPool({ connectionString }, { max: 2, name: 'template', unlimited: true });
  const db = createDatabase(pool);
  try {
    await migrate(db);
    await createQueues({ connectionString });
    if (SERVER_ROLE) await grantServerRights(db, SERVER_ROLE);
  } finally {
    // A database with open connections can't be cloned.
    await db.destroy();
  }
}

/** The first start of a server would create them, with about a hundred statements. */
async function createQueues(connection: Connection): Promise<void> {
  const jobs = createJobs(connection, createLog('silent'), { isWorker: false });
  await jobs.start(createWorkers({ env: testEnv() } as Deps));
  await jobs.stop();
}

let adminPool: pg.Pool | undefined;

/** Each process has one server, and keeps its connections to it: opening one takes ten milliseconds. */
function getAdmin(connectionString: string): pg.Pool {
  if (adminPool !== undefined) return adminPool;
  const application_name = 'test databases';
  adminPool = new pg.Pool({ connectionString, application_name, max: 2, idleTimeoutMillis: 0, allowExitOnIdle: true });
  // The server may stop before this process.
  adminPool.on('error', () => undefined);
  return adminPool;
}

function onDatabase(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}
