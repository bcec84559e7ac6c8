import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { afterAll, beforeAll, test } from 'vitest';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { team } from '#testing/workspace/factories.ts';
import { countMatches, listMembers } from './users.store.ts';

let node: TestApp;
let teamId: string;

beforeAll(async () => {
  node = await startApp({ work: false });
  teamId = await team(node);
  // One text is in all names, one in every fifth, one late in the alphabet, one is rare, and one occurs early and rarely after
  // that.
  await sql`with created as (
      select 's' || lpad(i::text, 25, '0') as id, i % 7 = 0 as gone,
        (array['abel', 'cora', 'mona', 'wolfgang', 'zora'])[1 + i % 5] || ' ' || case
          when i % 1201 = 3 then '0thin'
          when i % 1500 = 1 then 'quint' || i
          else 'smith' || i % 2500 end as name
      from generate_series(1, 3000) i
    ), added as (
      insert into people (id, email, create_at, update_at)
      select id, id || '@bulk.test', 0, 0 from created)
    insert into memberships (team_id, person_id, roles, name_key, search, deactivated, deactivated_at, create_at)
    select ${teamId}, id, '{team_user}', name, name || e'\n' || id || '@bulk.test', gone, case when gone then 1 end, 0 from created`.execute(
    node.db,
  );
  await sql`analyze people, memberships`.execute(node.db);
});

afterAll(() => node[Symbol.asyncDispose]());

const UNFILTERED = {
  owners: false,
  admins: false,
  members: false,
  pending: false,
  inactiveSince: undefined,
  activeSince: undefined,
  endingDays: undefined,
  withoutFactor: false,
  invitedBefore: undefined,
  ...({ sort: 'name', descending: false } as const),
};

async function searched(search: string, deactivated: boolean, limit: number): Promise<string[]> {
  const ids: string[] = [];
  for (let after: { key: string; id: string } | undefined; ; ) {
    const page = await listMembers(node.db, { teamId, search, deactivated, ...UNFILTERED, after, limit });
    ids.push(...page.map((row) => row.id));
    const last = page.at(-1);
    if (!last || page.length < limit) return ids;
    after = { key: last.sort_key, id: last.id };
  }
}

async function allThatMatch(search: string, deactivated: boolean): Promise<string[]> {
  const { rows } = await sql<{ person_id: string }>`select person_id from memberships
    where team_id = ${teamId} and (${deactivated} or not deactivated)
      and (select bool_and(position(word in search) > 0) from unnest(${search.split(' ')}::text[]) as words (word))
    order by name_key, person_id`.execute(node.db);
  return rows.map((row) => row.person_id);
}

for (const [search, is] of [
  ['bulk.test', 'in every row'],
  ['cora', 'in every fifth row'],
  ['wolfgang', 'late in the alphabet'],
  ['quint', 'rare'],
  ['thin', 'among the first names and then hardly again'],
  ['a s', 'without three letters together'],
  ['qu', 'of two rare letters'],
  ['z', 'of one character'],
  ['absent', 'in no row'],
] as const) {
  test(`the pages for a text that is ${is} have every match once, in order`, async () => {
    for (const deactivated of [false, true]) {
      const expected = await allThatMatch(search, deactivated);
      for (const limit of expected.length > 500 ? [101, 600] : [7, 100, 101]) {
        const found = await searched(search, deactivated, limit);
        assert.ok(found.length === expected.length, `${found.length} of ${expected.length} at ${limit}`);
        assert.deepEqual(found, expected);
      }
    }
  });
}

test('up to 10,000 matches are counted where no page tells their number', async () => {
  const query = { teamId, search: 'cora', deactivated: false, ...UNFILTERED, after: undefined, limit: 101 };
  assert.equal(await countMatches(node.db, query), (await allThatMatch('cora', false)).length);
  await sql`with added as (
      insert into people (id, email, create_at, update_at)
      select id, id || '@bulk.test', 0, 0 from (select 'm' || lpad(i::text, 25, '0') as id from generate_series(1, 7500) i) new
      returning id, email
    )
    insert into memberships (team_id, person_id, roles, name_key, search, create_at)
    select ${teamId}, id, '{team_user}', email, email, 0 from added`.execute(node.db);
  assert.equal(await countMatches(node.db, query), (await allThatMatch('cora', false)).length);
  assert.equal(await countMatches(node.db, { ...query, search: 'bulk.test' }), null);
  assert.equal(await countMatches(node.db, { ...query, pending: true }), 0, 'of the few who are invited');
});
