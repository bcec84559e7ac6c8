import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, rmdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, test } from 'vitest';
import { hold, query, temporaryDir } from '../testing/temporary-cluster.ts';
import { claimDataDir, startEmbeddedPostgres } from './embedded-postgres.ts';
import { prepareLocation } from './location.ts';
import { listProcesses } from './processes.ts';

// Creating a cluster is slow: the tests share one, and each stops the PostgreSQL that it started.
const dir = temporaryDir();
afterEach(() => dir.quiet());
afterAll(() => dir[Symbol.asyncDispose]());

test('the first start creates a database, and the second start keeps its data', async () => {
  const first = await startEmbeddedPostgres({ dataDir: dir.path });
  assert.equal(first.started, true);
  await query(first.connection, 'create table notes as select 42 as answer');
  await first.stop();
  const second = await startEmbeddedPostgres({ dataDir: dir.path });
  assert.equal(second.started, true);
  assert.deepEqual(await query(second.connection, 'select answer from notes'), [{ answer: 42 }]);
  await second.stop();
  assert.deepEqual(listProcesses(join(dir.path, 'postgres')), []);
  assert.match(readFileSync(join(dir.path, 'postgres.log'), 'utf8'), /received fast shutdown request/);
});

test('the application uses UTF-8 with locale C.UTF-8 and only a socket, and is no superuser; a second server fails until the first one stops', async () => {
  const postgres = await startEmbeddedPostgres({ dataDir: dir.path });
  const [found] = await query(
    postgres.connection,
    `select current_user as role, pg_encoding_to_char(encoding) as encoding, datlocprovider as provider, datlocale as locale,
       (select rolsuper from pg_roles where rolname = current_user) as superuser,
       current_setting('listen_addresses') as listens, current_setting('fsync') as fsync
     from pg_database where datname = current_database()`,
  );
  assert.deepEqual(found, {
    role: 'steward',
    encoding: 'UTF8',
    provider: 'b',
    locale: 'C.UTF-8',
    superuser: false,
    listens: '',
    fsync: 'on',
  });
  await query(postgres.connection, 'create extension pg_trgm');
  const claim = await claimDataDir(postgres.connection);
  await assert.rejects(claimDataDir(postgres.connection), (error: Error) => error.message.includes(dir.path));
  await claim.release();
  await (await claimDataDir(postgres.connection)).release();
  await postgres.stop();
});

test('two processes that start concurrently on an empty data directory share one PostgreSQL', async () => {
  await using empty = temporaryDir();
  const both = await Promise.all([1, 2].map(() => hold(empty.path, { args: ['--unclaimed'] })));
  assert.deepEqual(both.map(({ started }) => started).sort(), [false, true]);
  assert.equal(both[0]?.postmaster, both[1]?.postmaster);
  for (const held of both) assert.deepEqual(await query(held.connection, 'select 1 as one'), [{ one: 1 }]);
  const ends = both.map(({ process: holder }) => once(holder, 'exit'));
  for (const { process: holder } of both) holder.kill('SIGTERM');
  await Promise.all(ends);
});

test('a command that ends leaves a PostgreSQL in use running, and stops an unused one', async () => {
  const postgres = await startEmbeddedPostgres({ dataDir: dir.path });
  const server = new pg.Client(postgres.connection);
  await server.connect();
  assert.equal(await postgres.stopWhenUnused(), false);
  assert.equal((await server.query('select 1')).rowCount, 1);
  await server.end();
  assert.equal(await postgres.stopWhenUnused(), true);
  assert.deepEqual(listProcesses(join(dir.path, 'postgres')), []);
});

test('the log is rotated by size, and a failed statement leaves no personal data in it', async () => {
  const log = join(dir.path, 'postgres.log');
  writeFileSync(log, 'x'.repeat(9 * 1024 * 1024));
  const postgres = await startEmbeddedPostgres({ dataDir: dir.path });
  await assert.rejects(query(postgres.connection, "select 'ada@example.com'::int"));
  await postgres.stop();
  assert.equal(statSync(`${log}.1`).size, 9 * 1024 * 1024);
  assert.match(readFileSync(log, 'utf8'), /ready to accept connections/);
  assert.doesNotMatch(readFileSync(log, 'utf8'), /ada@example/);
});

test('a data directory whose path is too long for a socket gets a short private one', async () => {
  await using long = temporaryDir();
  const { host } = await prepareLocation(join(long.path, 'long'.repeat(30)));
  assert.match(host, /^\/tmp\/steward-/);
  assert.equal(statSync(host).mode & 0o777, 0o700);
  rmdirSync(host);
});
