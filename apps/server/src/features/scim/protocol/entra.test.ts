// The requests that Microsoft documents for the provisioning service of Entra ID, rewritten, with its deviations from RFC
// 7644.
import assert from 'node:assert/strict';
import { afterAll, beforeAll, test } from 'vitest';
import { newId } from '#platform/database/ids.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import {
  GROUP_SCHEMA,
  type ScimSending,
  scim,
  scimToken,
  type TestProvisioner,
  toPatch,
  USER_SCHEMA,
} from '#testing/peers/scim.ts';
import { createTeamWithMembers, type TestTeam } from '#testing/workspace/factories.ts';

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

let node: TestApp;
let team: TestTeam;
let entra: TestProvisioner;

beforeAll(async () => {
  node = await startApp({ work: false, pool: 4 });
  team = await createTeamWithMembers(node);
  entra = await scimToken(node, team.id, team.owner.id);
});

afterAll(() => node[Symbol.asyncDispose]());

const send = async (request: string, sending: ScimSending, status: number) => {
  const reply = await scim(node, entra, request, sending);
  assert.equal(reply.status, status, `${request}: ${reply.text}`);
  return reply.body;
};
const find = async (filter: string) => send('GET /Users', { query: { filter } }, 200);

function profile(name: string) {
  return {
    schemas: [USER_SCHEMA, ENTERPRISE],
    externalId: newId(),
    userName: `${name}@example.test`,
    active: true,
    displayName: 'Grace Hopper',
    emails: [{ primary: true, type: 'work', value: `${name}@example.test` }],
    meta: { resourceType: 'User' },
    name: { formatted: 'Grace Hopper', givenName: 'Grace', familyName: 'Hopper' },
    addresses: [{ type: 'work', country: 'US' }],
    title: 'Admiral',
    [ENTERPRISE]: { department: 'Navy', employeeNumber: '1' },
    roles: [],
  };
}

test('the connection is tested by looking for a user who does not exist', async () => {
  const { totalResults, Resources } = await find(`userName eq "${newId()}"`);
  assert.deepEqual([totalResults, Resources], [0, []]);
});

test('a user is found by name, by id of the provider and by address', async () => {
  const body = profile(newId());
  const { id, meta } = await send('POST /Users', { body }, 201);
  assert.ok(meta.created && meta.lastModified);
  for (const filter of [
    `userName eq "${body.userName}"`,
    `externalId eq "${body.externalId}"`,
    `emails[type eq "work"].value eq "${body.userName}"`,
    `userName eq "${body.userName}" and externalId eq "${body.externalId}"`,
  ])
    assert.deepEqual(
      (await find(filter)).Resources.map((user: { id: string }) => user.id),
      [id],
      filter,
    );
  assert.equal((await send('POST /Users', { body }, 409)).scimType, 'uniqueness');
});

test('the filters that Microsoft documents are answered', async () => {
  const body = profile(newId());
  const { id } = await send('POST /Users', { body }, 201);
  const count = async (filter: string) => (await find(filter)).totalResults;
  for (const filter of [
    'active eq true',
    'active eq "True"',
    `displayName eq "${body.displayName}"`,
    'name.givenName eq "grace"',
  ])
    assert.equal(await count(`id eq "${id}" and ${filter}`), 1, filter);
  assert.equal(await count(`id eq "${id}" and manager eq "${newId()}"`), 0);
  assert.equal(await count(`id eq "${id}" and ${ENTERPRISE}:manager eq "${newId()}"`), 0);
});

test('operations are capitalized, have "False" for false, and name what is not kept', async () => {
  const body = profile(newId());
  const { id } = await send('POST /Users', { body }, 201);
  const changed = await send(
    `PATCH /Users/${id}`,
    {
      body: toPatch(
        { op: 'Replace', path: 'emails[type eq "work"].value', value: 'updated@example.test' },
        { op: 'Replace', path: 'name.familyName', value: 'Murray' },
        { op: 'Add', path: 'emails[type eq "home"].value', value: 'home@example.test' },
        { op: 'Replace', path: 'addresses[type eq "work"].country', value: 'DE' },
        { op: 'Add', path: `${ENTERPRISE}:manager`, value: newId() },
        { op: 'Replace', path: `${ENTERPRISE}:department`, value: 'Army' },
        { op: 'Replace', path: 'phoneNumbers[type eq "mobile"].value', value: '1' },
        { op: 'Remove', path: 'title' },
      ),
    },
    200,
  );
  assert.equal(changed.name.familyName, 'Murray');
  assert.deepEqual(
    changed.emails.map(({ type, value }: Record<string, string>) => [type, value]),
    [
      ['work', 'updated@example.test'],
      ['home', 'home@example.test'],
    ],
  );
  const off = toPatch({ op: 'Replace', path: 'active', value: 'False' });
  assert.equal((await send(`PATCH /Users/${id}`, { body: off }, 200)).active, false);
  assert.equal((await send(`GET /Users/${id}`, {}, 200)).active, false, 'inactive users can be read');
  const on = toPatch({ op: 'Add', path: 'active', value: [{ value: 'True' }] });
  assert.equal((await send(`PATCH /Users/${id}`, { body: on }, 200)).active, true);
});

test('an operation without a path has paths as its keys', async () => {
  const { id } = await send('POST /Users', { body: profile(newId()) }, 201);
  const value = {
    'name.givenName': 'Amazing',
    'emails[type eq "work"].value': 'dotted@example.test',
    [`${USER_SCHEMA}:displayName`]: 'Amazing Grace',
    [`${ENTERPRISE}:department`]: 'Army',
    [USER_SCHEMA]: { externalId: 'nested' },
    active: 'True',
    unknownAttribute: 'x',
  };
  const changed = await send(`PATCH /Users/${id}`, { body: toPatch({ op: 'replace', value }) }, 200);
  assert.deepEqual(
    [changed.name.givenName, changed.emails[0].value, changed.displayName, changed.externalId],
    ['Amazing', 'dotted@example.test', 'Amazing Grace', 'nested'],
  );
});

test('a user who is deleted there is removed, and a second time unknown', async () => {
  const { id } = await send('POST /Users', { body: profile(newId()) }, 201);
  await send(`DELETE /Users/${id}`, {}, 204);
  await send(`DELETE /Users/${id}`, {}, 404);
  assert.equal((await send(`GET /Users/${id}`, {}, 404)).status, '404');
});

test('a group is found by name without its members, and members are added and removed by value', async () => {
  const displayName = `Group ${newId()}`;
  const body = { schemas: [GROUP_SCHEMA], externalId: newId(), displayName, meta: { resourceType: 'Group' } };
  const { id } = await send('POST /Groups', { body }, 201);
  const query = { excludedAttributes: 'members', filter: `displayName eq "${displayName}"` };
  const { Resources } = await send('GET /Groups', { query }, 200);
  assert.deepEqual([Resources[0].id, Resources[0].members], [id, undefined]);
  assert.equal(
    (await send(`GET /Groups/${id}`, { query: { excludedAttributes: 'members' } }, 200)).displayName,
    displayName,
  );
  const member = (op: string, value: string) => toPatch({ op, path: 'members', value: [{ $ref: null, value }] });
  await send(`PATCH /Groups/${id}`, { body: member('Add', team.member.id) }, 204);
  await send(`PATCH /Groups/${id}`, { body: member('Add', team.member.id) }, 204);
  const holds = { filter: `id eq "${id}" and members eq "${team.member.id}"`, excludedAttributes: 'members' };
  assert.equal((await send('GET /Groups', { query: holds }, 200)).totalResults, 1);
  await send(`PATCH /Groups/${id}`, { body: member('Remove', team.member.id) }, 204);
  assert.equal((await send('GET /Groups', { query: holds }, 200)).totalResults, 0);
  await send(`PATCH /Groups/${id}`, { body: toPatch({ op: 'Replace', path: 'displayName', value: 'Renamed' }) }, 204);
  await send(`DELETE /Groups/${id}`, {}, 204);
});
