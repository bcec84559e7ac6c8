import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type ListedUser, listUsers, saveUser } from '@steward/contract/users';
import { sql } from 'kysely';
import { call, type Sending, send } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { join, type PersonOptions, person, type SignedInPerson, signedIn, team } from '#testing/workspace/factories.ts';
import { getAbilities } from '../users.policy.ts';

let node: TestApp;
let made = 0;

before(async () => {
  node = await startApp({ work: false });
});

after(() => node[Symbol.asyncDispose]());

/** A team of its own for every test, with an owner who is in none of the searches. */
async function createTeam(people: PersonOptions[]): Promise<{ id: string; owner: SignedInPerson }> {
  const id = await team(node);
  const owner = await signedIn(node, {
    team: id,
    kind: 'owner',
    first_name: '~',
    last_name: '',
    email: `~${++made}@0.test`,
  });
  // Addresses of digits: no search for a name can meet one by chance.
  for (const options of people) await person(node, { team: id, email: `${++made}@0.test`, ...options });
  return { id, owner };
}

type Asked = { id: string; owner: SignedInPerson };

const list = (of: Asked, query: Sending['query'] = {}) =>
  call(node, listUsers, { as: of.owner, params: { teamId: of.id }, query });

async function names(of: Asked, query: Sending['query'] = {}): Promise<string[]> {
  const reply = await list(of, query);
  assert.equal(reply.status, 200, reply.text);
  return reply.body.records
    .map((row: { first_name: string; last_name: string }) => `${row.first_name} ${row.last_name}`.trim())
    .filter((name: string) => name !== '~');
}

/** Every page from the first to the last. */
async function allIds(of: Asked, query: Record<string, string>): Promise<string[][]> {
  const pages: string[][] = [];
  for (let last_key: string | null = ''; last_key !== null; ) {
    const { body } = await list(of, { ...query, ...(last_key ? { last_key } : {}) });
    assert.equal(body.reset, pages.length === 0 ? true : undefined, 'the first page replaces, others append');
    pages.push(body.records.map((row: { id: string }) => row.id));
    last_key = body.last_key;
  }
  return pages;
}

describe('the list of people', () => {
  test('shows what a row needs and nothing that signs anybody in', async () => {
    const of = await createTeam([{ first_name: 'Bea', last_name: 'B', kind: 'admin' }]);
    const { text, body } = await list(of);
    assert.deepEqual(Object.keys(body).sort(), ['last_key', 'records', 'reset']);
    assert.deepEqual(Object.keys(body.records[0]).sort(), [
      'abilities',
      'account_type',
      'apps',
      'create_at',
      'delete_at',
      'email',
      'first_name',
      'id',
      'last_name',
      'last_picture_update',
      'refusals',
      'roles',
      'status',
      'type',
      'update_at',
    ]);
    assert.partialDeepStrictEqual(body.records[0], { account_type: 1, type: 2, roles: ['team_user', 'team_admin'] });
    assert.doesNotMatch(text.replaceAll('send_password_reset', ''), /argon2|hash|password|token|secret/);
  });

  test('says what the caller may do to each user', async () => {
    const of = await createTeam([{ first_name: 'Ann' }, { first_name: 'Pia', pending: true }]);
    const { records } = (await list(of)).body;
    assert.deepEqual(
      records.map(({ abilities, refusals }: ListedUser) => ({ abilities, refusals })),
      records.map((row: ListedUser) => getAbilities(row, of.owner.id)),
    );
    assert.deepEqual(records[1].abilities, ['edit', 'resend_invitation', 'cancel_invitation']);
    assert.deepEqual(records[2].refusals, { edit: 'users.owner_is_locked', revoke_sessions: 'users.own_account' });
  });

  test('is in the order of full names whatever their case; who has no name stands where the address does', async () => {
    const of = await createTeam([
      { first_name: 'bob', last_name: 'Z' },
      { first_name: 'Bob', last_name: 'A' },
      { first_name: '', last_name: 'Carl' },
      { first_name: '', last_name: '', email: 'bz@example.test' },
      { first_name: 'anna', last_name: '' },
    ]);
    assert.deepEqual(await names(of), ['anna', 'Bob A', 'bob Z', '', 'Carl']);
  });

  test('pages without a gap or a double when every name is the same', async () => {
    const of = await createTeam(Array.from({ length: 23 }, () => ({ first_name: 'Same', last_name: 'Name' })));
    const pages = await allIds(of, { search: 'same', limit: '5' });
    assert.deepEqual(
      pages.map((page) => page.length),
      [5, 5, 5, 5, 3],
    );
    assert.equal(new Set(pages.flat()).size, 23);
    assert.deepEqual(pages.flat(), [...pages.flat()].sort());
  });

  test('ends without a key when the last page is exactly full', async () => {
    const of = await createTeam(Array.from({ length: 4 }, () => ({ first_name: 'Even' })));
    assert.deepEqual(
      (await allIds(of, { search: 'even', limit: '2' })).map((page) => page.length),
      [2, 2],
    );
  });

  test('a page shows people who come in front of it as neither missing nor doubled', async () => {
    const of = await createTeam([{ first_name: 'B' }, { first_name: 'C' }, { first_name: 'D' }]);
    const first = await list(of, { limit: '2' });
    await person(node, { team: of.id, first_name: 'A' });
    const second = await list(of, { limit: '2', last_key: first.body.last_key });
    assert.deepEqual(
      second.body.records.map((row: { first_name: string }) => row.first_name),
      ['D', '~'],
    );
  });

  test('gives 100 rows when nothing is said, and up to 2,000 when asked', async () => {
    const of = await createTeam([]);
    await sql`with added as (
      insert into people (id, email, type, create_at, update_at)
      select 'z' || lpad(i::text, 25, '0'), 'z' || i || '@bulk.test', 2, 0, 0 from generate_series(1, 2100) i returning id, email)
      insert into memberships (team_id, person_id, roles, name_key, search, create_at)
      select ${of.id}, id, '{team_user}', email, email, 0 from added`.execute(node.db);
    assert.equal((await list(of)).body.records.length, 100);
    assert.equal((await list(of, { limit: '2000' })).body.records.length, 2000);
    assert.equal((await allIds(of, { limit: '1000' })).flat().length, 2101);
    for (const limit of ['0', '-1', '2001', '1.5', '1e3', 'x', '', '0x10', '００１', '99999999999'])
      assert.equal((await list(of, { limit })).status, 400, limit);
  });

  test('a name changed on the way keeps list and search true', async () => {
    const of = await createTeam([{ first_name: 'Old', email: 'renamed@example.test' }]);
    const body = { email: 'renamed@example.test', account_type: 2, first_name: 'Zoë', last_name: 'New' };
    assert.equal((await call(node, saveUser, { as: of.owner, params: { teamId: of.id }, body })).status, 200);
    assert.deepEqual(await names(of, { search: 'zoë n' }), ['Zoë New']);
    assert.deepEqual(await names(of, { search: 'old' }), []);
  });
});

describe('the search', () => {
  test('finds parts of full name and address, whatever the case', async () => {
    const of = await createTeam([
      { first_name: 'Maria', last_name: 'Weiß', email: 'mw@search.test' },
      { first_name: 'Olga', last_name: 'Mari', email: 'x.y@other.test' },
    ]);
    assert.deepEqual(await names(of, { search: 'MARI' }), ['Maria Weiß', 'Olga Mari']);
    assert.deepEqual(await names(of, { search: 'aria wei' }), ['Maria Weiß']);
    assert.deepEqual(await names(of, { search: 'ß' }), ['Maria Weiß']);
    assert.deepEqual(await names(of, { search: 'X.Y@OTHER' }), ['Olga Mari']);
    assert.deepEqual(await names(of, { search: '  olga ' }), ['Olga Mari'], 'blanks around it do not count');
    assert.deepEqual(await names(of, { search: '' }), ['Maria Weiß', 'Olga Mari']);
    assert.deepEqual(await names(of, { search: 'weißmw' }), [], 'name and address are two things');
  });

  test('folds letters as well as case: ß is ss, a ligature its letters', async () => {
    const of = await createTeam([
      { first_name: 'Anna', last_name: 'Groß' },
      { first_name: 'So\uFB01a', last_name: 'RÖẞLER' },
    ]);
    for (const [search, found] of [
      ['GROSS', ['Anna Groß']],
      ['groß', ['Anna Groß']],
      ['sofia', ['So\uFB01a RÖẞLER']],
      ['SO\uFB01', ['So\uFB01a RÖẞLER']],
      ['rössler', ['So\uFB01a RÖẞLER']],
      ['a röß', ['So\uFB01a RÖẞLER']],
    ] as const)
      assert.deepEqual(await names(of, { search }), found, search);
  });

  test('takes every character as itself', async () => {
    const odd = [
      '50% off',
      'under_score',
      'back\\slash',
      'quo"te',
      "apos'trophe",
      'semi;colon',
      '<b>bold</b>',
      '$1 {}',
    ];
    const of = await createTeam([...odd.map((first_name) => ({ first_name, last_name: '' })), { first_name: 'plain' }]);
    for (const [search, found] of [
      ['%', ['50% off']],
      ['_', ['under_score']],
      ['\\', ['back\\slash']],
      ['\\s', ['back\\slash']],
      ['"', ['quo"te']],
      ["'", ["apos'trophe"]],
      [';', ['semi;colon']],
      ['<b>', ['<b>bold</b>']],
      ['$1', ['$1 {}']],
      ['%%', []],
      ['.*', []],
      ["' or '1'='1", []],
      ["'; drop table people; --", []],
    ] as const)
      assert.deepEqual(await names(of, { search }), found, search);
  });

  test('finds a composed letter by a combining one and the other way round', async () => {
    const of = await createTeam([
      { first_name: 'Zoe\u0308', last_name: '' },
      { first_name: 'Ren\u00e9', last_name: '' },
    ]);
    assert.deepEqual(await names(of, { search: 'zo\u00eb' }), ['Zo\u00eb']);
    assert.deepEqual(await names(of, { search: 'rene\u0301' }), ['Ren\u00e9']);
  });

  test('refuses what cannot be stored and what is too long, and bears pattern bombs', async () => {
    const of = await createTeam([{ first_name: 'a'.repeat(100) }]);
    for (const search of ['a\0', '\0', 'x'.repeat(5_000), 'x'.repeat(201)])
      assert.equal((await list(of, { search })).status, 400, JSON.stringify(search.slice(0, 10)));
    for (const search of ['%a'.repeat(100), '_'.repeat(200), '\\'.repeat(200), '(a+)+$', '\u202e', '😀'])
      assert.equal((await list(of, { search })).status, 200, search.slice(0, 10));
  });

  test('never looks at password hashes or tokens', async () => {
    const of = await createTeam([{ first_name: 'Plain' }]);
    for (const search of ['argon2', '$argon2id$v=19']) assert.deepEqual(await names(of, { search }), []);
    for (const name of ['password_hash', 'token', 'email[$ne]', 'filter'])
      assert.deepEqual(await names(of, { [name]: 'x' }), ['Plain Body'], 'unknown filters are ignored');
  });
});

describe('the filters', () => {
  let of: Asked;
  before(async () => {
    of = await createTeam([
      { first_name: 'Owner', last_name: '', kind: 'owner' },
      { first_name: 'Admin', last_name: '', kind: 'admin' },
      { first_name: 'Member', last_name: '', kind: 'member' },
      { first_name: 'Invitee', last_name: '', pending: true },
      { first_name: 'Bridge', last_name: '', kind: 'zendesk' },
      { first_name: 'Gone', last_name: '', deactivated: true },
    ]);
  });

  test('add up among themselves, and none of them means all', async () => {
    assert.deepEqual(await names(of), ['Admin', 'Bridge', 'Invitee', 'Member', 'Owner']);
    assert.deepEqual(await names(of, { primary_owner: '1' }), ['Owner']);
    assert.deepEqual(await names(of, { workspace_admin: '1' }), ['Admin']);
    assert.deepEqual(await names(of, { member: '1' }), ['Invitee', 'Member']);
    assert.deepEqual(await names(of, { primary_owner: '1', workspace_admin: '1' }), ['Admin', 'Owner']);
    assert.deepEqual(await names(of, { primary_owner: '1', member: '1' }), ['Invitee', 'Member', 'Owner']);
    assert.deepEqual(await names(of, { primary_owner: '0', member: '1' }), ['Invitee', 'Member']);
  });

  test('narrow the search, and the search narrows them', async () => {
    assert.deepEqual(await names(of, { primary_owner: '1', workspace_admin: '1', search: 'mi' }), ['Admin']);
    assert.deepEqual(await names(of, { member: '1', search: 'admin' }), []);
  });

  test('deactivated people show only when asked for, and then beside the others', async () => {
    assert.deepEqual(await names(of, { deactivated_accounts: '1' }), [
      'Admin',
      'Bridge',
      'Gone',
      'Invitee',
      'Member',
      'Owner',
    ]);
    assert.deepEqual(await names(of, { deactivated_accounts: '1', member: '1' }), ['Gone', 'Invitee', 'Member']);
    assert.deepEqual(await names(of, { search: 'gone' }), []);
    const { body } = await list(of, { search: 'gone', deactivated_accounts: '1' });
    assert.ok(body.records[0].delete_at > 0);
  });

  test('a flag is 1, 0 or absent, once', async () => {
    for (const value of ['true', 'yes', '2', '', ' 1'])
      assert.equal((await list(of, { member: value })).status, 400, value);
    const url = `/api/v4/admin/teams/${of.id}/users?member=1&member=0`;
    assert.equal((await send(node, { url, headers: { cookie: of.owner.cookie } })).status, 400);
  });
});

describe('the place in the list', () => {
  test('is refused when it was edited, or made for another filter, search or list', async () => {
    const of = await createTeam(Array.from({ length: 4 }, (_, i) => ({ first_name: `P${i}` })));
    const { last_key } = (await list(of, { limit: '2' })).body;
    const [payload, signature] = last_key.split('.');
    const forged = Buffer.from(JSON.stringify(['', ''])).toString('base64url');
    for (const edited of [
      `${forged}.${signature}`,
      `${payload}.`,
      `${payload}`,
      `.${signature}`,
      `${payload}.${signature}x`,
      `${payload}.${signature.slice(1)}`,
      `${last_key}.`,
      ' ',
      'null',
      '%00',
      'x'.repeat(1_001),
    ]) {
      assert.equal((await list(of, { limit: '2', last_key: edited })).status, 400, edited.slice(0, 40));
    }
    for (const query of [{ search: 'p' }, { member: '1' }, { deactivated_accounts: '1' }])
      assert.equal((await list(of, { ...query, last_key })).status, 400, JSON.stringify(query));
    assert.equal((await list(of, { limit: '3', last_key })).status, 200, 'the size of a page may change');
    assert.equal((await list(of, { last_key: '' })).body.reset, true, 'an empty one is the beginning');
  });

  test('of one admin works for another admin of the same team', async () => {
    const of = await createTeam(Array.from({ length: 3 }, () => ({})));
    const { last_key } = (await list(of, { limit: '2' })).body;
    const second = await signedIn(node);
    await join(node, of.id, second.id, 'admin');
    assert.equal((await list({ ...of, owner: second }, { limit: '2', last_key })).status, 200);
  });
});
