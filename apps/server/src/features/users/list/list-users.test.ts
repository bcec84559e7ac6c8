import assert from 'node:assert/strict';
import { type ListedUser, listUsers, PROFILE_FIELDS, saveUser } from '@steward/contract/users';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { call, type Sending } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { join, type SignedInUser, signedIn, team, type UserOptions, user } from '#testing/workspace/factories.ts';
import { getAbilities } from '../users.policy.ts';

let node: TestApp;
let created = 0;

beforeAll(async () => {
  node = await startApp({ work: false });
});

afterAll(() => node[Symbol.asyncDispose]());

/** No search finds the owner. */
async function createTeam(users: UserOptions[]): Promise<{ id: string; owner: SignedInUser }> {
  const id = await team(node);
  const owner = await signedIn(node, {
    team: id,
    kind: 'owner',
    first_name: '~',
    last_name: '',
    email: `~${++created}@0.test`,
  });
  // Addresses of digits, so that no search for a name matches one by chance.
  for (const options of users) await user(node, { team: id, email: `${++created}@0.test`, ...options });
  return { id, owner };
}

type TestList = { id: string; owner: SignedInUser };

const list = (ours: TestList, query: Sending['query'] = {}) =>
  call(node, listUsers, { as: ours.owner, params: { teamId: ours.id }, query });

async function names(ours: TestList, query: Sending['query'] = {}): Promise<string[]> {
  const reply = await list(ours, query);
  assert.equal(reply.status, 200, reply.text);
  return reply.body.records
    .map((row: { first_name: string; last_name: string }) => `${row.first_name} ${row.last_name}`.trim())
    .filter((name: string) => name !== '~');
}

/** Ids of all pages. */
async function allIds(ours: TestList, query: Record<string, string>): Promise<string[][]> {
  const pages: string[][] = [];
  for (let last_key: string | null = ''; last_key !== null; ) {
    const { body } = await list(ours, { ...query, ...(last_key ? { last_key } : {}) });
    assert.equal(body.reset, pages.length === 0 ? true : undefined, 'only the first page has reset');
    pages.push(body.records.map((row: { id: string }) => row.id));
    last_key = body.last_key;
  }
  return pages;
}

describe('the user list', () => {
  test('has the fields of a row and no secrets', async () => {
    const ours = await createTeam([{ first_name: 'Bea', last_name: 'B', kind: 'admin' }]);
    const { text, body } = await list(ours);
    assert.deepEqual(Object.keys(body).sort(), ['last_key', 'records', 'reset', 'total']);
    const fields = [
      ...PROFILE_FIELDS,
      'abilities',
      'account_type',
      'apps',
      'create_at',
      'delete_at',
      'email',
      'ends_on',
      'id',
      'invitation',
      'invited_at',
      'joined_at',
      'last_active_at',
      'last_picture_update',
      'refusals',
      'roles',
      'state',
      'status',
      'type',
      'update_at',
    ];
    assert.deepEqual(Object.keys(body.records[0]).sort(), fields.sort());
    assert.partialDeepStrictEqual(body.records[0], { account_type: 1, type: 2, roles: ['team_user', 'team_admin'] });
    assert.doesNotMatch(text.replaceAll('send_password_reset', ''), /argon2|hash|password|token|secret/);
  });

  test('says what the caller may do to each user', async () => {
    const ours = await createTeam([{ first_name: 'Ann' }, { first_name: 'Pia', pending: true }]);
    const { records } = (await list(ours)).body;
    assert.deepEqual(
      records.map(({ abilities, refusals }: ListedUser) => ({ abilities, refusals })),
      records.map((row: ListedUser) =>
        getAbilities(row, { userId: ours.owner.id, roles: ['team_user', 'team_admin', 'team_owner'] }),
      ),
    );
    assert.deepEqual(records[1].abilities, ['edit', 'resend_invitation', 'cancel_invitation']);
    assert.deepEqual(records[2].refusals, { edit: 'users.own_account', revoke_sessions: 'users.own_account' });
  });

  test('is sorted by full name in any case, or by address without a name', async () => {
    const ours = await createTeam([
      { first_name: 'bob', last_name: 'Z' },
      { first_name: 'Bob', last_name: 'A' },
      { first_name: '', last_name: 'Carl' },
      { first_name: '', last_name: '', email: 'bz@example.test' },
      { first_name: 'anna', last_name: '' },
    ]);
    assert.deepEqual(await names(ours), ['anna', 'Bob A', 'bob Z', '', 'Carl']);
  });

  test('has no key after a last page that is exactly full', async () => {
    const ours = await createTeam(Array.from({ length: 4 }, () => ({ first_name: 'Even' })));
    assert.deepEqual(
      (await allIds(ours, { search: 'even', limit: '2' })).map((page) => page.length),
      [2, 2],
    );
  });

  test('continues after a new user before the page without gaps or duplicates', async () => {
    const ours = await createTeam([{ first_name: 'B' }, { first_name: 'C' }, { first_name: 'D' }]);
    const first = await list(ours, { limit: '2' });
    await user(node, { team: ours.id, first_name: 'A' });
    const second = await list(ours, { limit: '2', last_key: first.body.last_key });
    assert.deepEqual(
      second.body.records.map((row: { first_name: string }) => row.first_name),
      ['D', '~'],
    );
  });

  test('has 100 rows by default and up to 2,000 on request', async () => {
    const ours = await createTeam([]);
    await sql`with added as (
      insert into people (id, email, create_at, update_at)
      select 'z' || lpad(i::text, 25, '0'), 'z' || i || '@bulk.test', 0, 0 from generate_series(1, 2100) i returning id, email)
      insert into memberships (team_id, person_id, roles, name_key, search, create_at)
      select ${ours.id}, id, '{team_user}', email, email, 0 from added`.execute(node.db);
    assert.equal((await list(ours)).body.records.length, 100);
    assert.equal((await list(ours, { limit: '2000' })).body.records.length, 2000);
    assert.equal((await allIds(ours, { limit: '1000' })).flat().length, 2101);
  });

  test('finds a changed name, and no longer the old one', async () => {
    const ours = await createTeam([{ first_name: 'Old', email: 'renamed@example.test' }]);
    const body = { email: 'renamed@example.test', account_type: 2, first_name: 'Zoë', last_name: 'New' };
    assert.equal((await call(node, saveUser, { as: ours.owner, params: { teamId: ours.id }, body })).status, 200);
    assert.deepEqual(await names(ours, { search: 'zoë n' }), ['Zoë New']);
    assert.deepEqual(await names(ours, { search: 'old' }), []);
  });
});

describe('the search', () => {
  test('finds parts of the full name and address in any case', async () => {
    const ours = await createTeam([
      { first_name: 'Maria', last_name: 'Weiß', email: 'mw@search.test' },
      { first_name: 'Olga', last_name: 'Mari', email: 'x.y@other.test' },
    ]);
    assert.deepEqual(await names(ours, { search: 'MARI' }), ['Maria Weiß', 'Olga Mari']);
    assert.deepEqual(await names(ours, { search: 'aria wei' }), ['Maria Weiß']);
    assert.deepEqual(await names(ours, { search: 'ß' }), ['Maria Weiß']);
    assert.deepEqual(await names(ours, { search: 'X.Y@OTHER' }), ['Olga Mari']);
    assert.deepEqual(await names(ours, { search: '  olga ' }), ['Olga Mari'], 'surrounding blanks are ignored');
    assert.deepEqual(await names(ours, { search: '' }), ['Maria Weiß', 'Olga Mari']);
    assert.deepEqual(await names(ours, { search: 'weißmw' }), [], 'name and address are separate');
  });

  test('finds the longest names of other scripts, which an index has to hold', async () => {
    let state = 7;
    const randomName = (first: number, count: number) =>
      Array.from({ length: 100 }, () => {
        state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
        return String.fromCodePoint(first + Math.floor((state / 2_147_483_648) * count));
      }).join('');
    for (const [first, count] of [
      [0x4e00, 20_000],
      [0x20000, 40_000],
    ] as const) {
      const [first_name, last_name] = [randomName(first, count), randomName(first, count)];
      const ours = await createTeam([
        { first_name, last_name, email: `${randomName(97, 26)}${randomName(97, 26)}${++created}@long.test` },
      ]);
      assert.deepEqual(await names(ours, { search: last_name }), [`${first_name} ${last_name}`]);
    }
  });

  test('handles pattern bombs', async () => {
    const ours = await createTeam([{ first_name: 'a'.repeat(100) }]);
    for (const search of ['%a'.repeat(100), '_'.repeat(200), '\\'.repeat(200), '(a+)+$', '\u202e', '😀'])
      assert.equal((await list(ours, { search })).status, 200, search.slice(0, 10));
  });

  test('never searches password hashes or tokens', async () => {
    const ours = await createTeam([{ first_name: 'Plain' }]);
    for (const search of ['argon2', '$argon2id$v=19']) assert.deepEqual(await names(ours, { search }), []);
    for (const name of ['password_hash', 'token', 'email[$ne]', 'filter'])
      assert.deepEqual(await names(ours, { [name]: 'x' }), ['Plain Body'], 'unknown filters are ignored');
  });
});

describe('the page key', () => {
  test('is refused if it belongs to another filter or search', async () => {
    const ours = await createTeam(Array.from({ length: 4 }, (_, i) => ({ first_name: `P${i}` })));
    const { last_key } = (await list(ours, { limit: '2' })).body;
    for (const query of [{ search: 'p' }, { member: '1' }, { deactivated_accounts: '1' }])
      assert.equal((await list(ours, { ...query, last_key })).status, 400, JSON.stringify(query));
    assert.equal((await list(ours, { limit: '3', last_key })).status, 200, 'the size of a page may change');
    assert.equal((await list(ours, { last_key: '' })).body.reset, true, 'an empty key means the first page');
  });

  test('of one admin works for another admin of the same team', async () => {
    const ours = await createTeam(Array.from({ length: 3 }, () => ({})));
    const { last_key } = (await list(ours, { limit: '2' })).body;
    const second = await signedIn(node);
    await join(node, ours.id, second.id, 'admin');
    assert.equal((await list({ ...ours, owner: second }, { limit: '2', last_key })).status, 200);
  });
});
