import assert from 'node:assert/strict';
import { sql } from 'kysely';
import type pg from 'pg';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { toRefusal } from '#platform/http/errors.ts';
import { testDatabase } from '#testing/database/template-database.ts';
import { TIME_SCALE } from '#testing/system/time-scale.ts';
import { createDatabase, createPool, type Database, inTransaction } from './database.ts';
import { runPrepared } from './prepared.ts';

let database: Awaited<ReturnType<typeof testDatabase>>;
let pool: pg.Pool;
let db: Database;

/** A pool of one connection, so that each statement meets what the ones before left. */
const open = (options: { statementMs?: number; pooled?: boolean } = {}) =>
  createPool(database.connection, { max: 1, name: 'test', ...options });

beforeAll(async () => {
  database = await testDatabase();
  pool = open();
  db = createDatabase(pool);
});

afterAll(async () => {
  await db.destroy();
  await database[Symbol.asyncDispose]();
});

const divide = (source: Database, by: number) =>
  runPrepared(source, sql<{ result: number }>`select 10 / ${by}::int as result`);

const countPrepared = async (source: pg.Pool) =>
  (await source.query('select count(*)::int as count from pg_prepared_statements')).rows[0].count;

describe('a prepared statement', () => {
  test('returns the same rows when it is prepared and later', async () => {
    const values = [
      { text: 'plain', number: 2 ** 40, list: [] },
      { text: null, number: 1, list: ['a"b', 'c\\d', 'e,f', '{}', '', 'null', ' g '] },
      { text: `"', \\ {} Ä 😀\n`, number: -1, list: ['x'] },
    ];
    for (const { text, number, list } of [...values, ...values]) {
      const rows = await runPrepared(
        db,
        sql<{ text: string | null; number: number; list: string[]; is: boolean }>`select ${text}::text as text,
          ${number}::bigint as number, ${list}::text[] as list, ${true}::boolean as is`,
      );
      assert.deepEqual(rows, [{ text, number, list, is: true }]);
    }
  });

  test('runs in a transaction, whose changes it sees', async () => {
    await inTransaction(db, async (trx) => {
      await sql`create temporary table seen (id int) on commit drop`.execute(trx);
      for (const expected of [1, 2]) {
        await sql`insert into seen values (1)`.execute(trx);
        const count = await runPrepared(trx, sql.raw<{ count: number }>('select count(*)::int as count from seen'));
        assert.deepEqual(count, [{ count: expected }]);
      }
    });
  });

  test('fails alone: the connection and the statement can be used again', async () => {
    const before = await countPrepared(pool);
    for (const by of [2, 5]) {
      assert.deepEqual(await divide(db, by), [{ result: 10 / by }]);
      await assert.rejects(divide(db, 0), /division by zero/);
    }
    assert.equal(await countPrepared(pool), before + 1);
  });

  test('has no name where a pooler keeps no prepared statements', async () => {
    const pooled = open({ pooled: true });
    const unnamed = createDatabase(pooled, { pooled: true });
    try {
      for (const by of [2, 5]) assert.deepEqual(await divide(unnamed, by), [{ result: 10 / by }]);
      assert.equal(await countPrepared(pooled), 0);
    } finally {
      await pooled.end();
    }
  });

  test('without an answer in time fails with 503, and its connection is dropped', async () => {
    const limited = open({ statementMs: 250 * TIME_SCALE });
    const getPid = async () => (await limited.query('select pg_backend_pid() as pid')).rows[0].pid;
    try {
      // Otherwise PostgreSQL itself would end the statement first.
      await limited.query('set statement_timeout = 0');
      const earlier = await getPid();
      const sleep = runPrepared(createDatabase(limited), sql`select pg_sleep(${60})`);
      const error = await sleep.catch((reason: unknown) => reason);
      assert.equal(toRefusal(error).status, 503);
      assert.notEqual(await getPid(), earlier);
    } finally {
      await limited.end();
    }
  });
});
