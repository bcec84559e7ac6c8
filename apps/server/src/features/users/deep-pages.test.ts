import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { afterAll, beforeAll, test } from 'vitest';
import type { Trx } from '#platform/database/database.ts';
import { firstId } from '#platform/database/ids.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { team, user } from '#testing/workspace/factories.ts';
import { listSignIns, type SignInSearch } from './sign-ins.store.ts';

const PAGE = 101;
const ROWS = 30_000;
const START = Date.UTC(2026, 0, 1);

let node: TestApp;
let teamId: string;
let users: string[];

/** One row per second: every hundredth is of the second user, every thousandth is refused. */
beforeAll(async () => {
  node = await startApp({ work: false });
  teamId = await team(node);
  users = [(await user(node, { team: teamId })).id, (await user(node, { team: teamId })).id];
  const ids = Array.from({ length: ROWS }, (_, n) => firstId(START + n * 1_000));
  await sql`insert into sign_ins (team_id, id, person_id, at, outcome, method, address, device, request_id)
    select ${teamId}, id, (${users}::text[])[case when n % 100 = 0 then 2 else 1 end],
      to_timestamp(${START / 1_000}::float8 + n - 1), case when n % 1000 = 0 then 'bad_password' else 'ok' end,
      'password', '192.0.2.1', '', ''
    from unnest(${ids}::text[]) with ordinality as made (id, n)`.execute(node.db);
  await sql`analyze sign_ins`.execute(node.db);
});

afterAll(() => node[Symbol.asyncDispose]());

/** Returns a page, and the number of table rows that were read for it. */
function readPage(search: Partial<SignInSearch>): Promise<{ found: number; read: number }> {
  return node.db.transaction().execute(async (trx) => {
    const before = await countReads(trx);
    const { length } = await listSignIns(trx, { teamId, before: undefined, limit: PAGE, ...search });
    return { found: length, read: (await countReads(trx)) - before };
  });
}

async function countReads(trx: Trx): Promise<number> {
  const { rows } = await sql<{ read: number }>`select seq_tup_read + idx_tup_fetch as read
    from pg_stat_xact_user_tables where relname = 'sign_ins'`.execute(trx);
  return rows[0]?.read ?? 0;
}

test('a page in the depth reads as few rows as the first, with every filter', async () => {
  const before = firstId(START + 15_000_000);
  const filters: Partial<SignInSearch>[] = [
    {},
    { user_id: users[1] },
    { outcome: 'bad_password' },
    { outcome: 'ok' },
    { method: 'password' },
    { from: START, to: START + 12_000_000 },
  ];
  for (const filter of filters)
    for (const search of [filter, { ...filter, before }]) {
      const { found, read } = await readPage(search);
      assert.ok(found > 0 && read <= PAGE + 5, `${JSON.stringify(search)} reads ${read} rows to find ${found}`);
    }
});

test('rows that no one has are not looked for among all the others', async () => {
  for (const search of [{ outcome: 'sso_refused' }, { user_id: 'x' }, { to: START }] as const)
    assert.deepEqual(await readPage(search), { found: 0, read: 0 }, JSON.stringify(search));
});
