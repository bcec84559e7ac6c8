import assert from 'node:assert/strict';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, test } from 'vitest';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { copyIn, copyOut } from './copy.ts';
import { inTransaction, type Trx } from './database.ts';

let node: TestApp;

beforeAll(async () => {
  node = await startApp({ work: false });
});

afterAll(() => node[Symbol.asyncDispose]());

async function read(trx: Trx, query: RawBuilder<unknown>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of copyOut(trx, query)) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

const ODD = `a'b"c\\d\te\nf{g},$1 null ; drop table people; --`;

test('values are read as they are, in lists too', async () => {
  await inTransaction(node.db, async (trx) => {
    const text = await read(
      trx,
      sql`select ${ODD}::text = ${ODD}, array_length(${[ODD, 'b', '']}::text[], 1), (${['x', ODD]}::text[])[2] = ${ODD},
        ${null}::text is null, ${7}::int + 1, ${true}::boolean`,
    );
    assert.equal(text, 't\t3\tt\tt\t8\tt\n');
  });
});

test('many rows are read and written in the transaction', async () => {
  await inTransaction(node.db, async (trx) => {
    await sql`create temporary table copied (n integer, text text) on commit drop`.execute(trx);
    const given = await read(trx, sql`select n, repeat('x', ${100}::int) from generate_series(1, ${50_000}::int) n`);
    await copyIn(trx, sql`copied (n, text)`, Buffer.from(given));
    const { rows } = await sql<{ count: number; sum: number }>`select count(*)::int as count, sum(n)::int as sum
      from copied`.execute(trx);
    assert.deepEqual(rows, [{ count: 50_000, sum: 1_250_025_000 }]);
    const gone = await read(trx, sql`delete from copied where n <= ${2} returning n`);
    assert.equal(gone, '1\n2\n');
  });
});

test('a statement that fails is reported, and the connection can be used again', async () => {
  for (let time = 0; time < 20; time += 1) {
    await inTransaction(node.db, async (trx) => {
      await sql`savepoint before`.execute(trx);
      await assert.rejects(read(trx, sql`select 1 / (n - 30000) from generate_series(1, 50000) n`), { code: '22012' });
      await sql`rollback to savepoint before`.execute(trx);
      await assert.rejects(read(trx, sql`select nothing`), { code: '42703' });
      await sql`rollback to savepoint before`.execute(trx);
      await assert.rejects(copyIn(trx, sql`teams (id)`, Buffer.from('x\ty\n')), { code: '22P04' });
      await sql`rollback to savepoint before`.execute(trx);
      assert.equal(await read(trx, sql`select 1`), '1\n');
    });
  }
});

test('a caller who stops reading leaves a connection that can be used', async () => {
  await inTransaction(node.db, async (trx) => {
    for await (const chunk of copyOut(trx, sql`select repeat('x', 1000) from generate_series(1, 20000)`)) {
      assert.ok(chunk.length > 0);
      break;
    }
    assert.equal(await read(trx, sql`select 2`), '2\n');
  });
});

test('a statement that takes too long fails, and the pool goes on', async () => {
  await assert.rejects(
    inTransaction(node.db, async (trx) => {
      await sql`set local statement_timeout = 50`.execute(trx);
      await read(trx, sql`select pg_sleep(5)`);
    }),
    { code: '57014' },
  );
  const { rows } = await sql<{ one: number }>`select 1 as one`.execute(node.db);
  assert.deepEqual(rows, [{ one: 1 }]);
});
