import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { afterAll, beforeAll, test } from 'vitest';
import { toRefusal } from '#platform/http/errors.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { testDatabase } from '#testing/database/template-database.ts';
import { TIME_SCALE } from '#testing/system/time-scale.ts';
import { createDatabase, createPool, inTransaction } from './database.ts';
import { runPrepared } from './prepared.ts';

let node: TestApp;

beforeAll(async () => {
  node = await startApp({ work: false, pool: 3 });
});

afterAll(() => node[Symbol.asyncDispose]());

const raising = (code: string) => sql.raw(`do $$ begin raise exception 'x' using errcode = '${code}'; end $$`);

test('a transaction aborted because of a deadlock is attempted up to three times', async () => {
  for (const code of ['40P01', '40001']) {
    let attempts = 0;
    const result = await inTransaction(node.db, async (trx) => {
      attempts += 1;
      if (attempts < 3) await raising(code).execute(trx);
      return 'done';
    });
    assert.deepEqual([result, attempts], ['done', 3]);
    attempts = 0;
    const always = inTransaction(node.db, async (trx) => {
      attempts += 1;
      await raising(code).execute(trx);
    });
    await assert.rejects(always, { code });
    assert.equal(attempts, 3);
  }
});

test('any other error aborts it immediately and leaves nothing behind', async () => {
  let attempts = 0;
  const failing = inTransaction(node.db, async (trx) => {
    attempts += 1;
    await sql`insert into teams (id, display_name, create_at) values ('half', 'half', 0)`.execute(trx);
    await raising('23505').execute(trx);
  });
  await assert.rejects(failing, { code: '23505' });
  assert.equal(attempts, 1);
  assert.deepEqual((await sql`select 1 from teams where id = 'half'`.execute(node.db)).rows, []);
});

test('every connection has timeouts and compiles no statements', async () => {
  const pool = createPool(node.database.connection, { max: 1, name: 'test' });
  const { rows } = await sql<Record<string, string>>`select current_setting('statement_timeout') as statement,
    current_setting('lock_timeout') as lock, current_setting('jit') as jit,
    current_setting('idle_in_transaction_session_timeout') as idle`.execute(createDatabase(pool));
  await pool.end();
  assert.deepEqual(rows, [{ statement: '4300ms', lock: '2s', jit: 'off', idle: '10s' }]);
});

test('milliseconds are returned as numbers, and ids compare by bytes', async () => {
  const { rows } = await sql<{ ms: number }>`select ${Date.UTC(2100, 0)}::bigint as ms`.execute(node.db);
  assert.equal(rows[0]?.ms, Date.UTC(2100, 0));
  const { rows: order } = await sql<{
    id: string;
  }>`select id from (values ('a' collate "C"), ('B' collate "C"), ('_' collate "C")) t(id)
    order by id`.execute(node.db);
  assert.deepEqual(
    order.map(({ id }) => id),
    ['B', '_', 'a'],
  );
});

test('only statements that are run as prepared ones are planned once per connection', async () => {
  // Without the pooler of TEST_POOLER: through one, no statement is prepared.
  const db = createDatabase(createPool(node.database.connection, { max: 1, name: 'test' }));
  try {
    for (const number of [1, 2]) {
      const added = await runPrepared(db, sql<{ answer: number }>`select ${number}::int + 41 as answer`);
      assert.deepEqual(added, [{ answer: number + 41 }]);
      await sql`select ${number}::int + 40 as answer`.execute(db);
    }
    const { rows } = await sql<{ text: string }>`select statement as text from pg_prepared_statements`.execute(db);
    assert.deepEqual(rows, [{ text: 'select $1::int + 41 as answer' }]);
  } finally {
    await db.destroy();
  }
});

test('a connection to a server that became a replica is dropped, and the call gets 503', async () => {
  await using database = await testDatabase();
  const db = createDatabase(createPool(database.connection, { max: 1, name: 'test' }));
  try {
    const pid = async () => (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)).rows[0]?.pid;
    const first = await pid();
    await sql`set default_transaction_read_only = on`.execute(db);
    assert.equal(await pid(), first);
    const error = await db
      .deleteFrom('teams')
      .execute()
      .catch((reason: unknown) => reason);
    assert.equal(toRefusal(error).status, 503);
    assert.notEqual(await pid(), first);
  } finally {
    await db.destroy();
  }
});

test('a statement without an answer in time fails with 503, and its connection is dropped', async () => {
  await using database = await testDatabase();
  // With a pooler, the server itself has no limit for these statements.
  const pool = createPool(database.connection, { max: 1, name: 'test', statementMs: 250 * TIME_SCALE, pooled: true });
  const db = createDatabase(pool, { pooled: true });
  try {
    const pid = async () => (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)).rows[0]?.pid;
    const first = await pid();
    for (const ask of [() => sql`select pg_sleep(60)`.execute(db), () => pool.query('select pg_sleep(60)')]) {
      const error = await ask().catch((reason: unknown) => reason);
      assert.equal(toRefusal(error).status, 503);
    }
    assert.notEqual(await pid(), first);
  } finally {
    await db.destroy();
  }
});
