import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { afterAll, beforeAll, test } from 'vitest';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { team } from '#testing/workspace/factories.ts';
import { listDirectory } from './directory.store.ts';

let node: TestApp;
let teamId: string;

beforeAll(async () => {
  node = await startApp({ work: false });
  teamId = await team(node);
  // One text is in all names, one in every fifth, one late in the alphabet, one is rare. Numbers exist with and without signs.
  await sql`insert into directory_entries (team_id, id, name, phone_number, email, import_id)
    select ${teamId}, 'e' || lpad(i::text, 25, '0'),
      (array['Abel', 'Cora', 'Mona', 'Wolfgang', 'Zora'])[1 + i % 5] || ' ' || case
        when i % 1201 = 3 then '0thin' when i % 1500 = 1 then 'quint' || i else 'Smith' || i % 2500 end,
      case when i % 3 = 0 then '(555) 010-' || lpad((i % 1000)::text, 4, '0') else '' end, i || '@bulk.test', ''
    from generate_series(1, 6000) i`.execute(node.db);
  await sql`analyze directory_entries`.execute(node.db);
});

afterAll(() => node[Symbol.asyncDispose]());

async function searched(search: string, limit: number): Promise<string[]> {
  const ids: string[] = [];
  for (let after: { nameKey: string; id: string } | undefined; ; ) {
    const page = await listDirectory(node.db, { teamId, search, after, limit });
    ids.push(...page.map((row) => row.id));
    const last = page.at(-1);
    if (!last || page.length < limit) return ids;
    after = { nameKey: last.name_key, id: last.id };
  }
}

async function allThatMatch(search: string, digits: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from directory_entries where team_id = ${teamId}
    and (position(${search} in lower(name || ' ' || email || ' ' || phone_number)) > 0
      or position(${digits} in regexp_replace(phone_number, '[^0-9]', '', 'g')) > 0)
    order by lower(name) collate "C", id`.execute(node.db);
  return rows.map((row) => row.id);
}

for (const [search, digits, is] of [
  ['', 'no digits', 'empty'],
  ['bulk.test', 'no digits', 'in every row'],
  ['cora', 'no digits', 'in every fifth row'],
  ['wolfgang', 'no digits', 'late in the alphabet'],
  ['quint', 'no digits', 'rare'],
  ['thin', 'no digits', 'among the first names and then hardly again'],
  ['qu', 'no digits', 'of two rare letters'],
  ['5550100', '5550100', 'of digits that stand with signs between them'],
  ['555-010', '555010', 'of digits with other signs between them'],
  ['unknown', 'no digits', 'in no row'],
] as const) {
  test(`the pages of a text that is ${is} hold every match once and in order`, async () => {
    const expected = await allThatMatch(search, digits);
    assert.equal(expected.length > 0, is !== 'in no row');
    for (const limit of expected.length > 500 ? [101, 600] : [7, 100, 101])
      assert.deepEqual(await searched(search, limit), expected);
  });
}
