import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { newId } from '#platform/database/ids.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { buildGroup, buildUser, type ScimSending, scim, scimToken, type TestProvisioner } from '#testing/peers/scim.ts';
import { addMembers, createTeamWithMembers, type TestTeam } from '#testing/workspace/factories.ts';

let node: TestApp;
let team: TestTeam;
let idp: TestProvisioner;
const tag = newId().slice(0, 8);
const ids: Record<string, string> = {};

const send = (request: string, sending?: ScimSending) => scim(node, idp, request, sending);
const find = async (filter: string): Promise<string[]> => {
  const { status, body, text } = await send('GET /Users', { query: { filter } });
  assert.equal(status, 200, `${filter}: ${text}`);
  const found = body.Resources.map(({ userName }: { userName: string }) => userName.split('-')[0]);
  return found.filter((name: string) => name in ids).sort();
};

beforeAll(async () => {
  node = await startApp({ work: false, pool: 4 });
  team = await createTeamWithMembers(node);
  idp = await scimToken(node, team.id, team.owner.id);
  const users = [
    [
      'ada',
      {
        externalId: 'X-1',
        displayName: 'Countess',
        emails: [
          { value: `Ada.${tag}@A.test`, type: 'work' },
          { value: `ada.${tag}@home.test`, type: 'home' },
        ],
      },
    ],
    ['bob', { externalId: 'x-1', name: { givenName: '100%_', familyName: 'O\'Neil "B"' } }],
    ['eve', { active: false }],
  ] as const;
  for (const [name, more] of users) {
    const { status, body } = await send('POST /Users', { body: { ...buildUser(`${name}-${tag}@a.test`), ...more } });
    assert.equal(status, 201);
    ids[name] = body.id;
  }
});

afterAll(() => node[Symbol.asyncDispose]());

describe('filters', () => {
  test('compare texts without case, and ids of the provider with it', async () => {
    assert.deepEqual(await find(`userName eq "ADA-${tag}@a.test"`), ['ada']);
    assert.deepEqual(await find('externalId eq "X-1"'), ['ada']);
    assert.deepEqual(await find('externalId eq "x-1"'), ['bob']);
    assert.deepEqual(await find('displayName eq "countess"'), ['ada']);
    assert.deepEqual(await find(`id eq "${ids.bob}"`), ['bob']);
    assert.deepEqual(await find('name.familyName eq "o\'neil \\"b\\""'), ['bob']);
  });

  test('take patterns literally', async () => {
    assert.deepEqual(await find('name.givenName co "%_"'), ['bob']);
    assert.deepEqual(await find('name.givenName sw "%"'), []);
    assert.deepEqual(await find('name.givenName ew "_"'), ['bob']);
    assert.deepEqual(await find('name.givenName eq "\' or 1=1 --"'), []);
  });

  test('find by any address, and by one with its type as Microsoft Entra ID asks', async () => {
    for (const filter of [
      `emails eq "ada.${tag}@a.test"`,
      `emails.value eq "ada.${tag}@home.test"`,
      `emails[type eq "work"].value eq "ada.${tag}@a.test"`,
      `emails[type eq "work" and value eq "ADA.${tag}@A.test"]`,
      `emails.type eq "home"`,
    ])
      assert.deepEqual(await find(filter), ['ada'], filter);
    assert.deepEqual(await find(`emails[type eq "home"].value eq "ada.${tag}@a.test"`), []);
    assert.deepEqual(await find(`emails eq "bob-${tag}@a.test"`), ['bob']);
  });

  test('compare texts by their order, and find what is there', async () => {
    const bob = `userName %s "BOB-${tag}@a.test"`;
    assert.deepEqual(await find(bob.replace('%s', 'ne')), ['ada', 'eve']);
    assert.deepEqual(await find(bob.replace('%s', 'gt')), ['eve']);
    assert.deepEqual(await find(bob.replace('%s', 'ge')), ['bob', 'eve']);
    assert.deepEqual(await find(bob.replace('%s', 'lt')), ['ada']);
    assert.deepEqual(await find(bob.replace('%s', 'le')), ['ada', 'bob']);
    assert.deepEqual(await find('externalId ne null'), ['ada', 'bob']);
  });

  test('are joined and negated', async () => {
    assert.deepEqual(await find(`externalId eq "X-1" and userName eq "ada-${tag}@a.test"`), ['ada']);
    assert.deepEqual(await find('externalId eq "X-1" and externalId eq "x-1"'), []);
    assert.deepEqual(await find('externalId eq "X-1" or externalId eq "x-1"'), ['ada', 'bob']);
    assert.deepEqual(await find('externalId pr and not (displayName pr)'), ['bob']);
    assert.deepEqual(await find('active eq false'), ['eve']);
    assert.deepEqual(await find('active eq "True" and externalId pr'), ['ada', 'bob']);
    assert.deepEqual(await find('externalId eq null'), ['eve']);
    assert.deepEqual(await find('meta.created gt "2020-01-01T00:00:00Z"'), ['ada', 'bob', 'eve']);
    assert.deepEqual(await find('meta.lastModified lt "2020-01-01T00:00:00Z"'), []);
  });
});

describe('pages', () => {
  test('of all users follow each other without gaps, inactive ones too', async () => {
    const all = (await send('GET /Users')).body;
    const paged: string[] = [];
    for (let startIndex = 1; startIndex <= all.totalResults; startIndex += 2) {
      const { body } = await send('GET /Users', { query: { startIndex: `${startIndex}`, count: '2' } });
      assert.deepEqual([body.totalResults, body.startIndex], [all.totalResults, startIndex]);
      paged.push(...body.Resources.map(({ id }: { id: string }) => id));
    }
    assert.deepEqual(
      paged,
      all.Resources.map(({ id }: { id: string }) => id),
    );
    assert.equal(new Set(paged).size, 7);
  });

  test('begin at 1, are at most 200 long, and can be empty', async () => {
    const list = async (query: Record<string, string>, provisioner = idp) =>
      (await scim(node, provisioner, 'GET /Users', { query })).body;
    assert.equal((await list({ startIndex: '0' })).startIndex, 1);
    assert.equal((await list({ startIndex: '-5' })).startIndex, 1);
    for (const query of [{ count: '0' }, { count: '-1' }, { startIndex: '999' }]) {
      const { totalResults, Resources } = await list(query);
      assert.deepEqual([totalResults, Resources], [7, []]);
    }
    const filtered = { filter: 'externalId pr' };
    assert.deepEqual(
      [
        (await list({ ...filtered, count: '0' })).totalResults,
        (await list({ ...filtered, startIndex: '9' })).totalResults,
      ],
      [2, 2],
    );
    const large = await createTeamWithMembers(node);
    const provisioner = await scimToken(node, large.id, large.owner.id);
    await addMembers(node, large.id, 205);
    assert.equal((await list({ count: '1000' }, provisioner)).itemsPerPage, 200);
    assert.equal((await list({}, provisioner)).itemsPerPage, 100);
  });
});

test('a search by POST lists users, groups or both', async () => {
  const { id } = (await send('POST /Groups', { body: buildGroup('Search') })).body;
  const search = async (path: string, more: object) => {
    const body = { schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'], ...more };
    return (await send(`POST ${path}`, { body })).body;
  };
  const filter = `userName eq "ada-${tag}@a.test"`;
  assert.deepEqual((await search('/Users/.search', { filter })).Resources[0].id, ids.ada);
  assert.equal((await search('/Groups/.search', { filter: 'displayName eq "Search"' })).Resources[0].id, id);
  assert.equal((await search('/.search', { filter })).totalResults, 1);
  const both = await search('/.search', { filter: `id eq "${ids.ada}" or id eq "${id}"`, attributes: ['displayName'] });
  assert.deepEqual(
    both.Resources.map(({ id: found, meta }: { id: string; meta: unknown }) => [found, meta]),
    [
      [ids.ada, undefined],
      [id, undefined],
    ],
  );
  assert.equal((await search('/.search', { filter: 'userName eq 1' })).scimType, 'invalidFilter');
});

test('the base URL lists everyone, and slashes at its end or doubled ones make no difference', async () => {
  const filter = `userName eq "ada-${tag}@a.test"`;
  for (const path of ['', '/', '/Users/', '//Users', '//Users//'])
    assert.equal((await send(`GET ${path}`, { query: { filter } })).body.Resources[0].id, ids.ada, path);
  assert.equal((await send(`GET //Users/${ids.ada}/`)).body.id, ids.ada);
});

test('an attribute that is not stored has no value in a filter', async () => {
  const count = async (filter: string) => (await send('GET /Users', { query: { filter } })).body.totalResults;
  for (const filter of [
    'manager eq "1"',
    'emails[fax eq "1"]',
    'addresses[type eq "work"].country eq "US"',
    'title pr',
  ])
    assert.equal(await count(`id eq "${ids.ada}" and ${filter}`), 0, filter);
  for (const filter of ['manager ne "1"', 'manager eq null', 'not (title pr)'])
    assert.equal(await count(`id eq "${ids.ada}" and ${filter}`), 1, filter);
});

test('attributes are answered as they were asked for; id and schemas always', async () => {
  const get = async (query: Record<string, string>) =>
    Object.keys((await send(`GET /Users/${ids.ada}`, { query })).body).sort();
  assert.deepEqual(await get({ attributes: 'userName' }), ['id', 'schemas', 'userName']);
  assert.deepEqual(await get({ attributes: 'USERNAME,emails.value' }), ['emails', 'id', 'schemas', 'userName']);
  assert.ok(!(await get({ excludedAttributes: 'emails,id,meta' })).includes('emails'));
  assert.ok((await get({ excludedAttributes: 'emails,id,meta' })).includes('id'));
  const { body } = await send(`GET /Users/${ids.ada}`, { query: { attributes: 'name.givenName' } });
  assert.deepEqual(body.name, { givenName: 'Ada' });
});

test('discovery says what is served', async () => {
  const config = (await send('GET /ServiceProviderConfig')).body;
  assert.deepEqual([config.patch.supported, config.bulk.supported, config.etag.supported], [true, false, true]);
  const schemas = (await send('GET /Schemas')).body;
  assert.equal(schemas.totalResults, 2);
  for (const { id } of schemas.Resources) assert.equal((await send(`GET /Schemas/${id}`)).body.id, id);
  assert.equal((await send('GET /ResourceTypes/Group')).body.endpoint, '/Groups');
});
