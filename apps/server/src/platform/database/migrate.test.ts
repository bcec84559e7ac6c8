import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, test } from 'vitest';
import { foldStoredSearch } from '#migrations/0011-fold-stored-search.ts';
import { foldStoredNames } from '#migrations/0033-fold-stored-names.ts';
import { migrations } from '#migrations/index.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { renderTables } from '#testing/database/render-tables.ts';
import { emptyDatabase, testDatabase } from '#testing/database/template-database.ts';
import { waitForLockWaiter } from '#testing/faults/wait-for-lock.ts';
import { createDatabase, createPool } from './database.ts';
import { migrate } from './migrate.ts';
import { matchesSearch } from './search.ts';

const run = promisify(execFile);
const PROGRAM = join(import.meta.dirname, '../../../testing/database/migrate-once.ts');

let node: TestApp;

beforeAll(async () => {
  node = await startApp({ work: false, pool: 2 });
});

afterAll(() => node[Symbol.asyncDispose]());

test('the generated table types match the migrated schema', async () => {
  const file = join(import.meta.dirname, '../../migrations/tables.gen.ts');
  assert.equal(readFileSync(file, 'utf8'), await renderTables(node.db), 'run `npm run generate:tables`');
});

// Teams can share a connected server, so its tables have the server first.
test('every table that belongs to a team has the team first in its key', async () => {
  const { rows } = await sql<{ table: string; first: string }>`
    select c.relname as table, a.attname as first from pg_index i
    join pg_class c on c.oid = i.indrelid join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
    where i.indisprimary and c.relnamespace = 'public'::regnamespace and exists (
      select 1 from pg_attribute t where t.attrelid = c.oid and t.attname = 'team_id' and t.attnotnull)
      and not exists (select 1 from pg_attribute s where s.attrelid = c.oid and s.attname = 'server_id')`.execute(
    node.db,
  );
  assert.ok(rows.length >= 2);
  for (const { table, first } of rows) assert.equal(first, 'team_id', table);
});

test('migrating twice does nothing', async () => {
  assert.deepEqual(await migrate(node.db), []);
  assert.deepEqual(await migrate(node.db), []);
});

test('when two processes migrate an empty database at once, one migrates and both continue', async () => {
  const name = `${new URL(node.database.url).pathname.slice(1)}_empty`;
  await sql.raw(`create database ${name}`).execute(node.db);
  try {
    const url = new URL(node.database.url);
    url.pathname = `/${name}`;
    const results = await Promise.all([1, 2].map(() => run(process.execPath, [PROGRAM, url.href])));
    const applied = results.map(({ stdout }) => JSON.parse(stdout) as string[]);
    assert.deepEqual(applied.flat().sort(), Object.keys(migrations).sort());
  } finally {
    // Both are gone. With force, it would also terminate an autovacuum, for which our role lacks permission.
    await sql.raw(`drop database ${name}`).execute(node.db);
  }
});

test('a migration that fails in an empty database is named, and can be repeated once the reason is gone', async () => {
  await using empty = await emptyDatabase();
  await using db = createDatabase(createPool(empty.connection, { max: 2, name: 'migrate test', unlimited: true }));
  await sql`create table holds ()`.execute(db);
  await assert.rejects(migrate(db), /^Error: Migration 0024-holds failed: relation "holds" already exists$/);
  await sql`drop table holds`.execute(db);
  const applied = await migrate(db);
  // The migrations before it, up to the last one with a transaction of its own, were rolled back with it.
  assert.equal(applied[0], '0021-known-devices');
  assert.equal(applied.at(-1), Object.keys(migrations).at(-1));
});

test('creating an index in a migration does not block writes to its table', async () => {
  await using empty = await emptyDatabase();
  const open = () => createDatabase(createPool(empty.connection, { max: 2, name: 'migrate test', unlimited: true }));
  await using db = open();
  await using migrating = open();
  await migrate(db, '0008-attention');
  await sql`insert into teams (id, display_name, create_at) values ('t', 'Team', 0)`.execute(db);
  await sql`insert into people (id, email, type, create_at, update_at) values ('p', 'p@x.test', 2, 0, 0)`.execute(db);
  const join = sql`insert into memberships (team_id, person_id, roles, name_key, search, create_at)
    values ('t', 'p', '{team_user}', 'p', 'p', 0)`;
  let making: Promise<string[]> | undefined;
  // Creating the index waits for this older transaction.
  await db.transaction().execute(async (trx) => {
    await sql`update memberships set create_at = 1`.execute(trx);
    making = migrate(migrating, '0009-search-keys');
    await waitForLockWaiter({ db }, 'create index concurrently memberships_by_key');
    await db.connection().execute(async (other) => {
      await sql`set lock_timeout = '1s'`.execute(other);
      await join.execute(other);
    });
  });
  assert.deepEqual(await making, ['0009-search-keys']);
});

test('search texts stored before case folding are folded in steps, and a second run changes nothing', async () => {
  await using empty = await emptyDatabase();
  await using db = createDatabase(createPool(empty.connection, { max: 2, name: 'migrate test', unlimited: true }));
  await migrate(db, '0009-search-keys');
  await sql`insert into teams (id, display_name, create_at) values ('t', 'Team', 0)`.execute(db);
  await sql`insert into people (id, email, type, create_at, update_at)
    select 'p' || i, 'p' || i || '@x.test', 2, 0, 0 from generate_series(1, 10200) i`.execute(db);
  await sql`insert into memberships (team_id, person_id, roles, name_key, search, create_at)
    select 't', 'p' || i, '{team_user}', 'p', case when i % 100 = 0 then 'groß ' else 'ann ' end || i, 0
    from generate_series(1, 10200) i`.execute(db);
  await sql`insert into directory_entries (team_id, id, name, phone_number)
    select 't', 'e' || i, case when i % 100 = 0 then 'Lange Straße ' else 'Ann ' end || i, '\uFF15 55' from generate_series(1, 10200) i`.execute(
    db,
  );
  const count = async (condition: RawBuilder<unknown>) => {
    const { rows } = await sql<{ count: string }>`select count(*) from ${condition}`.execute(db);
    return Number(rows[0]?.count);
  };
  const unfolded = (table: string) => count(sql`${sql.table(table)} where search <> search_fold(search)`);

  assert.deepEqual(await migrate(db, '0010-search-folding'), ['0010-search-folding']);
  assert.equal(await unfolded('memberships'), 102);
  // A node of the previous version still writes.
  await sql`update memberships set search = 'groß' where person_id = 'p1'`.execute(db);
  await sql`update directory_entries set name = 'Straße' where id = 'e1'`.execute(db);
  assert.equal(await count(sql`memberships where person_id = 'p1' and search = 'gross'`), 1);
  assert.equal(await count(sql`directory_entries where id = 'e1' and search like 'strasse%555%'`), 1);

  const versions = () => count(sql`(select distinct xmin::text from memberships) as written`);
  assert.deepEqual(await migrate(db, '0011-fold-stored-search'), ['0011-fold-stored-search']);
  assert.equal(await unfolded('memberships'), 0);
  assert.equal(await unfolded('directory_entries'), 0);
  assert.equal(await count(sql`memberships where search like 'gross %'`), 102);
  assert.equal(await count(sql`directory_entries where search like 'lange strasse%555%'`), 102);
  const before = await versions();
  await foldStoredSearch.up(db);
  assert.equal(await versions(), before);
});

test('names stored before marks were removed are folded in steps, and a second run changes nothing', async () => {
  await using empty = await emptyDatabase();
  await using db = createDatabase(createPool(empty.connection, { max: 2, name: 'migrate test', unlimited: true }));
  await migrate(db, '0031-notices');
  await sql`insert into teams (id, display_name, create_at) values ('t', 'Team', 0)`.execute(db);
  await sql`insert into memberships (team_id, person_id, roles, name_key, search, create_at)
    select 't', 'p' || i, '{team_user}', name, name || e'\np@x.test', 0
    from generate_series(1, 10200) i, lateral (select case i % 3 when 0 then 'ann ' when 1 then 'jörg ' else '小龙 李 ' end || i as name) n`.execute(
    db,
  );
  await sql`insert into directory_entries (team_id, id, name, phone_number)
    select 't', 'e' || i, case when i % 100 = 0 then 'Émile ' else 'Ann ' end || i, case when i % 2 = 0 then '(555) 01-23' else '' end
    from generate_series(1, 10200) i`.execute(db);
  const count = async (condition: RawBuilder<unknown>) => {
    const { rows } = await sql<{ count: string }>`select count(*) from ${condition}`.execute(db);
    return Number(rows[0]?.count);
  };
  await migrate(db, '0032-search-words');
  // A node of the previous version still writes.
  await sql`update memberships set name_key = 'zoë', search = 'zoë' where person_id = 'p1'`.execute(db);
  assert.equal(await count(sql`memberships where person_id = 'p1' and name_key = 'zoe' and search = 'zoe'`), 1);

  await migrate(db);
  const found = (table: string, text: string) =>
    count(sql`${sql.table(table)} where ${matchesSearch(sql`search`, text)}`);
  assert.equal(await found('memberships', 'jorg'), 3_399);
  assert.equal(await found('memberships', '小龙'), 3_400);
  assert.equal(await found('directory_entries', 'Emile'), 102);
  assert.equal(await found('directory_entries', '555-0123'), 5_100);
  assert.equal(await count(sql`directory_entries where name_key like 'emile %'`), 102);
  assert.equal(await count(sql`memberships where name_key like 'jorg %'`), 3_399);

  const versions = () =>
    count(sql`(select xmin::text from memberships union select xmin::text from directory_entries) as written`);
  const before = await versions();
  await foldStoredNames.up(db);
  assert.equal(await versions(), before);
  // A restored row is folded already.
  await sql`update memberships set search = search where person_id = 'p2'`.execute(db);
  assert.equal(await found('memberships', '小龙'), 3_400);
});

test('a database migrated by a newer version is refused and left unchanged', async () => {
  await using migrated = await testDatabase();
  const connection = { connectionString: migrated.url };
  await using db = createDatabase(createPool(connection, { max: 2, name: 'migrate test', unlimited: true }));
  await sql`insert into kysely_migration (name, timestamp) values ('9999-later', now()::text)`.execute(db);
  await assert.rejects(migrate(db), /belongs to a newer version \(migration 9999-later\)\. Start that version/);
  const { rows } = await sql<{ n: number }>`select count(*) as n from kysely_migration`.execute(db);
  assert.equal(Number(rows[0]?.n), Object.keys(migrations).length + 1);
});
