import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { afterAll, beforeAll, test } from 'vitest';
import { inTransaction } from '#platform/database/database.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { user } from '#testing/workspace/factories.ts';
import { addLink, consumeLink, findLink, type LinkKind, removeUserLinks } from './links.store.ts';

let node: TestApp;
let userId: string;

beforeAll(async () => {
  node = await startApp({ work: false, pool: 4 });
  userId = (await user(node)).id;
});

afterAll(() => node[Symbol.asyncDispose]());

const add = (kind: LinkKind) => inTransaction(node.db, (trx) => addLink(trx, { kind, userId, teamId: null }));
const use = (token: string, kind: LinkKind = 'invite') =>
  inTransaction(node.db, (trx) => consumeLink(trx, kind, token));
const has = async (token: string) =>
  [await findLink(node.db, 'invite', token), await findLink(node.db, 'reset', token)].some(Boolean);

test('an expired link is neither found nor consumed', async () => {
  const token = await add('invite');
  assert.equal(await has(token), true);
  await sql`update links set expires_at = now()`.execute(node.db);
  assert.deepEqual([await has(token), await use(token)], [false, undefined]);
});

test('a link is consumed once, and finding it doesn’t consume it', async () => {
  const token = await add('invite');
  assert.deepEqual([await has(token), await has(token)], [true, true]);
  assert.equal(await use(token, 'reset'), undefined);
  assert.deepEqual(await use(token), { person_id: userId, team_id: null, email: null });
  assert.deepEqual([await use(token), await has(token)], [undefined, false]);
});

test('a newer reset link ends older ones, invitations coexist', async () => {
  const [oldReset, oldInvite] = [await add('reset'), await add('invite')];
  const [newReset, newInvite] = [await add('reset'), await add('invite')];
  assert.deepEqual(await Promise.all([oldReset, newReset, oldInvite, newInvite].map(has)), [false, true, true, true]);
  await inTransaction(node.db, (trx) => removeUserLinks(trx, userId));
  assert.deepEqual(await Promise.all([newReset, newInvite].map(has)), [false, false]);
});

test('of two concurrent resets, one link remains', async () => {
  await inTransaction(node.db, (trx) => removeUserLinks(trx, userId));
  const first = Promise.withResolvers<string>();
  const goOn = Promise.withResolvers<void>();
  const slow = inTransaction(node.db, async (trx) => {
    first.resolve(await addLink(trx, { kind: 'reset', userId, teamId: null }));
    await goOn.promise;
  });
  const older = await first.promise;
  const second = add('reset');
  await waitForLockWaiter();
  goOn.resolve();
  const [newer] = await Promise.all([second, slow]);
  assert.deepEqual(await Promise.all([older, newer].map(has)), [false, true]);
});

/** Waits until a statement waits for a lock; PostgreSQL has no event for that. */
async function waitForLockWaiter(): Promise<void> {
  for (let attempt = 0; attempt < 500; attempt += 1) {
    const { rows } = await sql`select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(node.db);
    if (rows.length > 0) return;
  }
}

test('a link expires after the time of its kind, and its token is not in the table', async () => {
  await inTransaction(node.db, (trx) => removeUserLinks(trx, userId));
  const token = await add('reset');
  await add('invite');
  const { rows } = await sql<{ minutes: number; row: string }>`select l::text as row,
    round(extract(epoch from expires_at - created_at) / 60)::int as minutes from links l where ended is null order by kind`.execute(
    node.db,
  );
  assert.deepEqual(
    rows.map(({ minutes }) => minutes),
    [48 * 60, 60],
  );
  for (const { row } of rows) assert.ok(!row.includes(token));
});
