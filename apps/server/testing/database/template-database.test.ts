import assert from 'node:assert/strict';
import { query } from '@steward/embedded-postgres/testing/temporary-cluster.ts';
import pg from 'pg';
import { test } from 'vitest';
import { newId } from '#platform/database/ids.ts';
import { testDatabase } from './template-database.ts';
import { testServer } from './test-server.ts';

const rows = ({ url }: { url: string }, text: string) => query({ connectionString: url }, text);

test('databases created at the same time are migrated, empty and independent', async () => {
  const databases = await Promise.all([testDatabase(), testDatabase(), testDatabase()]);
  const [first, second] = databases;
  assert.ok(first && second);
  assert.deepEqual(await rows(first, 'select count(*)::int as people from people'), [{ people: 0 }]);
  await rows(first, 'create table mark ()');
  assert.deepEqual(await rows(second, "select to_regclass('mark') as mark"), [{ mark: null }]);
  await Promise.all(databases.map((database) => database[Symbol.asyncDispose]()));
});

test('a disposed database is dropped, even with open connections', async () => {
  const database = await testDatabase();
  const name = new URL(database.url).pathname.slice(1);
  const idle = new pg.Client(database.connection);
  idle.on('error', () => undefined);
  await idle.connect();
  await database[Symbol.asyncDispose]();
  assert.deepEqual(
    await rows({ url: (await testServer()).connectionString }, `select 1 from pg_database where datname = '${name}'`),
    [],
  );
});

test('an unfinished template is created again', async () => {
  const server = { url: (await testServer()).connectionString };
  // Uses its own template, because other test files clone the real one concurrently.
  const template = `steward_template_${newId()}`;
  // Simulates a run killed between the creation and the last migration.
  await rows(server, `create database ${template}_new`);
  await using database = await testDatabase(template);
  assert.deepEqual(await rows(database, 'select count(*)::int as people from people'), [{ people: 0 }]);
  await rows(server, `drop database ${template}`);
});
