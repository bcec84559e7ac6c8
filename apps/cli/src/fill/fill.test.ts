import assert from 'node:assert/strict';
import { loadNames } from '@steward/server/src/app/demo/sample-data/name-pools.ts';
import type { EntryRow } from '@steward/server/src/features/directory/directory.store.ts';
import { bulkInsertEntries } from '@steward/server/src/features/directory/entries.store.ts';
import {
  createDatabase,
  createPool,
  type Database,
  inTransaction,
  type Trx,
} from '@steward/server/src/platform/database/database.ts';
import { memberState } from '@steward/server/src/workspace/users/members.store.ts';
import { derivedColumns } from '@steward/server/src/workspace/users/memberships.store.ts';
import type { TestApp } from '@steward/server/testing/app/start-app.ts';
import { startApp } from '@steward/server/testing/app/start-app.ts';
import { entries } from '@steward/server/testing/workspace/directory.ts';
import { team } from '@steward/server/testing/workspace/factories.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, it } from 'vitest';
import { fillEntries, fillUsers } from './fill.actions.ts';
import { isAlone } from './fill.store.ts';

/** Commands connect as the owner of the database, who may rebuild indexes. */
const toWorkspace = (node: TestApp) => ({ ...node.deps, db: node.db });

const quiet = () => undefined;

let node: TestApp;

beforeAll(async () => {
  node = await startApp({ work: false });
});

afterAll(() => node[Symbol.asyncDispose]());

async function getRows(db: Database, teamId: string): Promise<unknown[]> {
  const { rows } = await sql`select m.*, p.email as account, p.first_name as first, p.apps, pr.status
    from memberships m left join people p on p.id = m.person_id left join presence pr on pr.person_id = p.id
    where m.team_id = ${teamId} order by m.person_id`.execute(db);
  return rows;
}

async function listEntryRows(db: Database, teamId: string): Promise<EntryRow[]> {
  const { rows } = await sql<EntryRow>`select * from directory_entries where team_id = ${teamId} order by id`.execute(
    db,
  );
  return rows;
}

async function getShape(db: Database): Promise<unknown[]> {
  const { rows } = await sql`select indexdef as shape from pg_indexes
      where tablename in ('memberships', 'directory_entries')
    union all select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) from pg_constraint
      where conrelid in ('memberships'::regclass, 'directory_entries'::regclass) order by 1`.execute(db);
  return rows;
}

it('filling adds no user twice, and a larger number adds the rest', async () => {
  const teamId = await team(node);
  const recipe = { pools: await loadNames(), key: teamId, seed: 3 };
  assert.equal(await fillUsers(toWorkspace(node), { recipe, count: 300, progress: quiet }), 300);
  const before = await getRows(node.db, teamId);
  assert.equal(await fillUsers(toWorkspace(node), { recipe, count: 300, progress: quiet }), 0);
  assert.deepEqual(await getRows(node.db, teamId), before);
  assert.equal(await fillUsers(toWorkspace(node), { recipe, count: 450, progress: quiet }), 150);
  // Another seed adds other users, but no second Zendesk user.
  assert.equal(
    await fillUsers(toWorkspace(node), { recipe: { ...recipe, seed: 4 }, count: 300, progress: quiet }),
    299,
  );
  const { rows } = await sql`select 1 from memberships where team_id = ${teamId} and 'zendesk' = any(roles)`.execute(
    node.db,
  );
  assert.equal(rows.length, 1);
});

it('filled memberships repeat what their people say, by the same rule as everywhere', async () => {
  const teamId = await team(node);
  const recipe = { pools: await loadNames(), key: teamId, seed: 1 };
  await fillUsers(toWorkspace(node), { recipe, count: 1_000, progress: quiet });
  const { rows } = await sql`select p.email, m.name_key, m.search from memberships m
    join people p on p.id = m.person_id
    where (m.name_key, m.search) is distinct from (fold_letters(${derivedColumns.nameKey}), search_fold(${derivedColumns.search}))
    union all select p.email, p.name_key, p.search from memberships p where email is not null
      and (p.name_key, p.search) is distinct from (fold_letters(${derivedColumns.nameKey}), search_fold(${derivedColumns.search}))`.execute(
    node.db,
  );
  assert.deepEqual(rows, []);
  const { rows: states } = await sql<{ state: string }>`select distinct ${memberState} as state from memberships m
    where team_id = ${teamId} order by 1`.execute(node.db);
  assert.deepEqual(
    states.map(({ state }) => state),
    ['active', 'deactivated', 'invited'],
  );
});

it('filling adds no entry twice, and a larger number adds the rest', async () => {
  const teamId = await team(node);
  const recipe = { pools: await loadNames(), key: teamId, seed: 3 };
  assert.equal(await fillEntries(toWorkspace(node), { recipe, count: 300, progress: quiet }), 300);
  const before = await listEntryRows(node.db, teamId);
  assert.equal(await fillEntries(toWorkspace(node), { recipe, count: 300, progress: quiet }), 0);
  assert.deepEqual(await listEntryRows(node.db, teamId), before);
  assert.equal(await fillEntries(toWorkspace(node), { recipe, count: 450, progress: quiet }), 150);
  assert.equal(
    await fillEntries(toWorkspace(node), { recipe: { ...recipe, seed: 4 }, count: 50, progress: quiet }),
    50,
  );
});

it('filled entries are linked to members of their own team, as entries that are typed', async () => {
  const [ours, other] = [await team(node), await team(node)];
  const recipe = { pools: await loadNames(), key: ours, seed: 1 };
  await fillUsers(toWorkspace(node), { recipe, count: 400, progress: quiet });
  await fillEntries(toWorkspace(node), { recipe, count: 300, progress: quiet });
  const filled = await listEntryRows(node.db, ours);
  assert.ok(filled.filter(({ user_id }) => user_id !== '').length > 90);
  const fields = filled.map(({ name, phone_number, sms, email }) => ({ name, phone_number, sms, email }));
  const getLink = ({ user_id, last_picture_update }: EntryRow) => ({ user_id, last_picture_update });
  const typed = await entries(node, ours, fields);
  assert.deepEqual(filled.map(getLink), typed.map(getLink));
  // The addresses of another team's members create no links.
  await inTransaction(node.db, (trx) => bulkInsertEntries(trx, other, filled));
  assert.ok((await listEntryRows(node.db, other)).every(({ user_id }) => user_id === ''));
});

it('the quick way is for a database that nothing else is connected to', async () => {
  await inDirectTransaction(node, async (trx) => {
    await node.db.selectFrom('teams').select('id').execute();
    assert.equal(await isAlone(trx), false);
  });
});

it('the quick way for many rows adds the same ones and leaves indexes and constraints as they were', async () => {
  const [slowTeam, quickTeam] = [await team(node), await team(node)];
  const shape = await getShape(node.db);
  const pools = await loadNames();
  for (const [key, rebuildsIndexes] of [
    [slowTeam, false],
    [quickTeam, true],
  ] as const) {
    const filling = { recipe: { pools, key, seed: 1 }, count: 500, progress: quiet, rebuildsIndexes };
    assert.equal(await fillUsers(toWorkspace(node), filling), 500);
    assert.equal(await fillEntries(toWorkspace(node), filling), 500);
  }
  assert.deepEqual(await getShape(node.db), shape);
  const kinds = async (teamId: string) =>
    (
      await sql`select roles, ${memberState} as state, count(*)::int from memberships m
      where team_id = ${teamId} group by 1, 2 having count(*) > 0 order by 1, 2`.execute(node.db)
    ).rows.length;
  assert.equal(await kinds(quickTeam), await kinds(slowTeam));
  assert.equal((await listEntryRows(node.db, quickTeam)).length, 500);
});

/** Uses its own connection, without the pooler of TEST_POOLER. */
async function inDirectTransaction(node: TestApp, work: (trx: Trx) => Promise<void>): Promise<void> {
  const pool = createPool(node.database.connection, { max: 1, name: 'steward test' });
  try {
    await createDatabase(pool).transaction().execute(work);
  } finally {
    await pool.end();
  }
}
