import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { temporaryDir } from '@steward/embedded-postgres/testing/temporary-cluster.ts';
import { sql } from 'kysely';
import { test } from 'vitest';
import { migrations } from '#migrations/index.ts';
import { createDatabase, createPool, type Database } from '#platform/database/database.ts';
import { type KillableServer, killableServer } from '#testing/app/killable-server.ts';
import { testEnv } from '#testing/app/test-env.ts';
import { emptyDatabase, type TestDatabase, testDatabase } from '#testing/database/template-database.ts';
import { waitForLockWaiter } from '#testing/faults/wait-for-lock.ts';
import { hold } from '#testing/workspace/integrations.ts';

/** Number of killed starts; more with FAULT_ROUNDS=50. */
const KILLS = Number(process.env.FAULT_ROUNDS ?? 2);
const AT_ONCE = 3;

interface Place extends AsyncDisposable {
  db: Database;
  server(): KillableServer;
}

const emptyPlace = async (): Promise<Place> => toPlace(await emptyDatabase());

function toPlace(database: TestDatabase): Place {
  const files = temporaryDir();
  const env = testEnv({ FILES_URL: pathToFileURL(files.path).href });
  const db = createDatabase(createPool(database.connection, { max: 3, name: 'place' }));
  const servers: KillableServer[] = [];
  return {
    db,
    server() {
      const server = killableServer({ database, deps: { env } }, { roles: 'web,worker' });
      servers.push(server);
      return server;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(servers.map((server) => server.kill()));
      await db.destroy();
      await database[Symbol.asyncDispose]();
      await files[Symbol.asyncDispose]();
    },
  };
}

/** Lists applied migrations, with repetitions. */
async function applied(db: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return rows.map(({ name }) => name);
}

/** Lists columns and indexes of all tables, including those of the queue. */
async function getShape(db: Database): Promise<string[]> {
  const { rows } = await sql<{
    line: string;
  }>`select format('%s.%s.%s %s', table_schema, table_name, column_name, data_type) as line
    from information_schema.columns where table_schema in ('public', 'pgboss')
    union all select indexdef from pg_indexes where schemaname in ('public', 'pgboss') order by 1`.execute(db);
  return rows.map(({ line }) => line);
}

async function isReady(url: string): Promise<boolean> {
  return (await fetch(`${url}/readyz`)).status === 200;
}

const ALL = Object.keys(migrations).sort();

test(`${AT_ONCE} processes that start at once on an empty database all come up, and each migration is applied once`, async () => {
  await using place = await emptyPlace();
  const servers = Array.from({ length: AT_ONCE }, () => place.server());
  const urls = await Promise.all(servers.map((server) => server.start()));
  assert.deepEqual(await Promise.all(urls.map(isReady)), Array(AT_ONCE).fill(true));
  assert.deepEqual(await applied(place.db), ALL);
  const shape = await getShape(place.db);
  assert.ok(shape.length > 300, `${shape.length}`);

  const again = place.server();
  assert.ok(await isReady(await again.start()));
  assert.deepEqual(await applied(place.db), ALL, 'one more start applies nothing');
  assert.deepEqual(await getShape(place.db), shape);
});

test('killed in the middle of the migrations, a start leaves nothing half done, and the next one does it all', async () => {
  await using place = await emptyPlace();
  const server = place.server();
  // This transaction creates a table of one of the last migrations, so that the migration waits.
  await using rival = await hold(place, (trx) => sql`create table deliveries (id text)`.execute(trx));
  const started = server.start();
  await waitForLockWaiter(place, 'deliveries');
  const refused = assert.rejects(started, /ended while it started: SIGKILL/);
  await server.kill();
  await refused;
  await rival.release();
  assert.ok(await isReady(await server.start()));
  assert.deepEqual(await applied(place.db), ALL);
});

test(`killed ${KILLS} times while it starts, it comes up as if that had never been`, async () => {
  await using whole = toPlace(await testDatabase());
  const shape = await getShape(whole.db);
  for (let kill = 0; kill < KILLS; kill += 1) {
    await using place = await emptyPlace();
    const server = place.server();
    const started = server.start().catch(() => undefined);
    await touched(place.db);
    // Each kill comes at a different point: during migrations, queue creation, or while listening.
    await pause((kill * 53) % 400);
    await server.kill();
    await started;
    assert.ok(await isReady(await server.start()));
    assert.deepEqual(await applied(place.db), ALL);
    assert.deepEqual(await getShape(place.db), shape);
  }
});

/** Waits until a server has connected to the database. */
async function touched(db: Database): Promise<void> {
  for (;;) {
    const { rows } = await sql`select 1 from pg_stat_activity where datname = current_database()
      and application_name like 'steward%'`.execute(db);
    if (rows.length > 0) return;
    await pause(5);
  }
}
