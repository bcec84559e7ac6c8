import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import type pg from 'pg';
import { toRefusal } from '#platform/http/errors.ts';
import { testDatabase } from '#testing/database/template-database.ts';
import { createDatabase, createPool, type Database, inTransaction } from '../database.ts';
import { createStatement, readBound, readTogether, runPrepared } from './statement.ts';

const echo = createStatement(
  ({ text, number, list }: { text: string | null; number: number; list: number[] }) =>
    sql<{
      text: string | null;
      number: number;
      list: number[];
    }>`select ${text}::text as text, ${number}::bigint as number,
      ${list}::int[] as list`,
);
const divide = createStatement(({ by }: { by: number }) => sql<{ result: number }>`select 10 / ${by}::int as result`);
const sleep = createStatement(({ seconds }: { seconds: number }) => sql`select pg_sleep(${seconds})`);
const series = createStatement(({ count }: { count: number }) => sql`select generate_series(1, ${count}::int)`);
const getPid = createStatement((_: object) => sql<{ pid: number }>`select pg_backend_pid() as pid`);

let database: Awaited<ReturnType<typeof testDatabase>>;
let pool: pg.Pool;
let db: Database;

/** A pool of one connection, so that each statement meets what the ones before left. */
const open = (options: { statementMs?: number; pooled?: boolean } = {}) =>
  createPool(database.connection, { max: 1, name: 'test', ...options });

before(async () => {
  database = await testDatabase();
  pool = open();
  db = createDatabase(pool);
});

after(async () => {
  await db.destroy();
  await database[Symbol.asyncDispose]();
});

/** The content of the message in which PostgreSQL sends a row. */
function row(...values: string[]): Buffer {
  const parts = values.map((value) => {
    const length = Buffer.alloc(4);
    length.writeInt32BE(Buffer.byteLength(value));
    return Buffer.concat([length, Buffer.from(value)]);
  });
  return Buffer.concat([Buffer.from([0, values.length]), ...parts]);
}

describe('a created statement', () => {
  test('returns the same rows when it is prepared and later, with null, quotes and letters beyond ASCII', async () => {
    for (const text of ['plain', null, `"', \\ {} Ä 😀\n`, '']) {
      const values = { text, number: 2 ** 40, list: [1, -2, 3] };
      assert.deepEqual(await echo(db, values), [values]);
    }
  });

  test('runs in a transaction, whose changes it sees', async () => {
    const count = createStatement((_: object) => sql<{ count: number }>`select count(*)::int as count from seen`);
    await inTransaction(db, async (trx) => {
      await sql`create temporary table seen (id int) on commit drop`.execute(trx);
      for (const expected of [1, 2]) {
        await sql`insert into seen values (1)`.execute(trx);
        assert.deepEqual(await count(trx, {}), [{ count: expected }]);
      }
    });
  });

  test('fails alone: the connection and the statement can be used again', async () => {
    for (const by of [2, 5]) {
      assert.deepEqual(await divide(db, { by }), [{ result: 10 / by }]);
      await assert.rejects(divide(db, { by: 0 }), /division by zero/);
    }
  });

  test('of parts returns the same rows when it is prepared and later, with lists of texts', async () => {
    const lists = [[], ['a"b', 'c\\d', 'e,f', '{}', '', 'null', ' g '], ['x']];
    for (const list of [...lists, ...lists]) {
      const rows = await runPrepared(
        db,
        sql<{ list: string[]; is: boolean }>`select ${list}::text[] as list, ${true}::boolean as is`,
      );
      assert.deepEqual(rows, [{ list, is: true }]);
    }
  });

  test('refuses a value that it can not write', () => {
    const write = createStatement(({ value }: { value: unknown }) => sql`select ${value}::text`);
    for (const value of [{}, [{}], [['a']], new Date(0)]) assert.throws(() => write.bindValues({ value }), TypeError);
  });
});

describe('two statements in one packet', () => {
  test('return the rows of both, in this order, on one connection', async () => {
    const values = { text: 'a', number: 1, list: [] };
    for (let time = 0; time < 3; time += 1) {
      const [[one], rows] = await readTogether(pool, getPid.bindValues({}), echo.bindValues(values));
      assert.deepEqual(rows, [values]);
      assert.deepEqual(await getPid(db, {}), [one]);
    }
  });

  test('return the same where a pooler keeps no prepared statements', async () => {
    const pooled = open({ pooled: true });
    try {
      for (let time = 0; time < 2; time += 1)
        assert.deepEqual(await readTogether(pooled, divide.bindValues({ by: 2 }), divide.bindValues({ by: 5 })), [
          [{ result: 5 }],
          [{ result: 2 }],
        ]);
      const { rows } = await pooled.query('select count(*)::int as count from pg_prepared_statements');
      assert.deepEqual(rows, [{ count: 0 }]);
    } finally {
      await pooled.end();
    }
  });

  test('fail together, whichever of them does, and leave the connection usable', async () => {
    const [works, fails] = [divide.bindValues({ by: 2 }), divide.bindValues({ by: 0 })];
    const pid = await getPid(db, {});
    for (const [first, second] of [
      [works, fails],
      [fails, works],
    ] as const) {
      await assert.rejects(readTogether(pool, first, second), /division by zero/);
      assert.deepEqual(await readTogether(pool, works, getPid.bindValues({})), [[{ result: 5 }], pid]);
    }
  });

  test('give rows to what takes them, once the connection has prepared the statement', async () => {
    const values = { text: 'é"', number: 12, list: [] };
    const expected = [...row('é"', '12', '{}')];
    const taken: number[][] = [];
    const take = (bytes: Buffer, start: number, end: number) => taken.push([...bytes.subarray(start, end)]);
    const taking = { ...echo.bindValues(values), take };
    const one = divide.bindValues({ by: 5 });
    const fresh = open();
    try {
      assert.deepEqual(await readTogether(fresh, one, taking), [[{ result: 2 }], [values]]);
      assert.deepEqual(taken, []);
      assert.deepEqual(await readTogether(fresh, one, taking), [[{ result: 2 }], []]);
      assert.deepEqual(await readTogether(fresh, taking, one), [[], [{ result: 2 }]]);
      assert.deepEqual(taken, [expected, expected]);
      assert.deepEqual(await echo(createDatabase(fresh), values), [values]);
    } finally {
      await fresh.end();
    }
  });

  test('report what fails where rows are taken, and leave the connection usable', async () => {
    const take = () => {
      throw new Error('not this one');
    };
    const [works, many] = [divide.bindValues({ by: 2 }), { ...series.bindValues({ count: 3_000 }), take }];
    await readTogether(pool, works, series.bindValues({ count: 1 }));
    await assert.rejects(readTogether(pool, works, many), /not this one/);
    await assert.rejects(readTogether(pool, divide.bindValues({ by: 0 }), many), /division by zero/);
    assert.deepEqual(await readTogether(pool, works, works), [[{ result: 5 }], [{ result: 5 }]]);
  });

  test('the second sees what was committed while the first ran', async () => {
    const other = open();
    const count = createStatement((_: object) => sql<{ count: number }>`select count(*)::int as count from throttles`);
    const wait = createStatement((_: object) => sql`select pg_advisory_xact_lock(1)::text`);
    await readTogether(pool, wait.bindValues({}), count.bindValues({}));
    const client = await other.connect();
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock(1)');
    const reading = readTogether(pool, wait.bindValues({}), count.bindValues({}));
    await client.query("insert into throttles (key, points, expire) values ('noted', 1, 0)");
    await client.query('commit');
    assert.deepEqual((await reading)[1], [{ count: 1 }]);
    client.release();
    await other.end();
  });

  test('without an answer in time fail with 503, and their connection is dropped', async () => {
    const limited = open({ statementMs: 300 });
    const both = [getPid.bindValues({}), sleep.bindValues({ seconds: 60 })] as const;
    try {
      await readTogether(limited, getPid.bindValues({}), sleep.bindValues({ seconds: 0 }));
      // Otherwise PostgreSQL itself would end the statement first.
      await limited.query('set statement_timeout = 0');
      const [before] = await readBound(createDatabase(limited), getPid.bindValues({}));
      const error = await readTogether(limited, ...both).catch((reason: unknown) => reason);
      assert.equal(toRefusal(error).status, 503);
      const [afterwards] = await readBound(createDatabase(limited), getPid.bindValues({}));
      assert.notDeepEqual(afterwards, before);
    } finally {
      await limited.end();
    }
  });

  test('fail with 503 when their connection is lost', async () => {
    const [[own]] = await readTogether(pool, getPid.bindValues({}), sleep.bindValues({ seconds: 0 }));
    const other = open();
    const reading = readTogether(pool, getPid.bindValues({}), sleep.bindValues({ seconds: 60 })).catch(
      (reason: unknown) => reason,
    );
    const running = `select 1 from pg_stat_activity where pid = $1 and state = 'active' and query like '%pg_sleep%'`;
    while ((await other.query(running, [own?.pid])).rows.length === 0);
    await other.query('select pg_terminate_backend($1)', [own?.pid]);
    assert.equal(toRefusal(await reading).status, 503);
    await other.end();
  });
});
