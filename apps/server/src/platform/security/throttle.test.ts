import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { afterAll, beforeAll, test } from 'vitest';
import { startApp, type TestApp } from '#testing/app/start-app.ts';

const LIMIT = { name: 'test.limit', attempts: 5, seconds: 60 };

let node: TestApp;
let other: TestApp;

beforeAll(async () => {
  node = await startApp({ work: false, pool: 6 });
  other = await startApp({ beside: node, work: false, pool: 6 });
});

afterAll(async () => {
  await other[Symbol.asyncDispose]();
  await node[Symbol.asyncDispose]();
});

test('of 60 concurrent attempts on two nodes, exactly as many pass as the limit allows', async () => {
  const attempts = Array.from({ length: 60 }, (_, i) => (i % 2 ? node : other).deps.throttle.allows(LIMIT, 'shared'));
  assert.equal((await Promise.all(attempts)).filter(Boolean).length, 5);
});

test('keys and limits are counted separately, and a cleared key starts over', async () => {
  const { throttle } = node.deps;
  const many = async (limit: typeof LIMIT, key: string) => {
    let passed = 0;
    for (let i = 0; i < 7; i += 1) if (await throttle.allows(limit, key)) passed += 1;
    return passed;
  };
  assert.deepEqual([await many(LIMIT, 'a'), await many(LIMIT, 'b'), await many(LIMIT, 'a')], [5, 5, 0]);
  assert.equal(await many({ ...LIMIT, name: 'test.other', attempts: 2 }, 'a'), 2);
  await throttle.clear(LIMIT, 'a');
  assert.deepEqual([await many(LIMIT, 'a'), await many(LIMIT, 'b')], [5, 0]);
});

test('a counter expires, and cleanup deletes it', async () => {
  const { throttle } = node.deps;
  for (let i = 0; i < 6; i += 1) await throttle.allows(LIMIT, 'timed');
  assert.equal(await throttle.allows(LIMIT, 'timed'), false);
  const { rows } = await sql<{ expire: number }>`select max(expire) as expire from throttles`.execute(node.db);
  assert.ok((rows[0]?.expire ?? 0) <= Date.now() + 60_000);
  await sql`update throttles set expire = ${Date.now() - 1}`.execute(node.db);
  assert.equal(await throttle.allows(LIMIT, 'timed'), true);
  await sql`update throttles set expire = ${Date.now() - 1}`.execute(node.db);
  await throttle.removeExpired();
  assert.deepEqual((await sql`select 1 from throttles`.execute(node.db)).rows, []);
});

test('tells how long a key stays without attempts, and counts nothing by that', async () => {
  const { throttle } = other.deps;
  for (let i = 0; i < 5; i += 1) {
    assert.equal(await throttle.secondsLeft(LIMIT, 'asked'), 0);
    assert.ok(await node.deps.throttle.allows(LIMIT, 'asked'));
  }
  const seconds = await throttle.secondsLeft(LIMIT, 'asked');
  assert.ok(seconds > 0 && seconds <= 60, `${seconds}`);
  assert.equal(await throttle.secondsLeft(LIMIT, 'another'), 0);
  await sql`update throttles set expire = ${Date.now() - 1}`.execute(node.db);
  assert.equal(await throttle.secondsLeft(LIMIT, 'asked'), 0);
});

test('the table does not contain the key as typed', async () => {
  await node.deps.throttle.allows(LIMIT, 'private@example.test');
  const { rows } = await sql<{ key: string }>`select key from throttles`.execute(node.db);
  assert.ok(rows.length > 0);
  for (const { key } of rows) assert.ok(!key.includes('private'));
});
