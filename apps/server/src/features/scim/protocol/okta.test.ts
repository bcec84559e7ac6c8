// The sequence of requests that Okta documents for its provisioning, rewritten: its calls, and the responses that it needs.
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

let node: TestApp;
let team: TestTeam;
let okta: TestProvisioner;

beforeAll(async () => {
  node = await startApp({ work: false, pool: 4 });
  team = await createTeamWithMembers(node);
  okta = await scimToken(node, team.id, team.owner.id);
});

afterAll(() => node[Symbol.asyncDispose]());

const send = async (request: string, sending: ScimSending, status: number) => {
  const reply = await scim(node, okta, request, sending);
  assert.equal(reply.status, status, `${request}: ${reply.text}`);
  return reply.body;
};
const page = (filter: string) => ({ query: { filter, startIndex: '1', count: '100' } });
const profile = (email: string, more: object = {}) => ({
  schemas: [USER_SCHEMA],
  userName: email,
  name: { givenName: 'Isaac', familyName: 'Brock' },
  emails: [{ primary: true, value: email, type: 'work' }],
  displayName: 'Isaac Brock',
  locale: 'en-US',
  externalId: '00ujl29u0le5T6Aj10h7',
  groups: [],
  password: '1mz050nq',
  active: true,
  ...more,
});

test('the credentials are tested by reading a page', async () => {
  const { totalResults, Resources } = await send('GET /Users', { query: { startIndex: '1', count: '1' } }, 200);
  assert.ok(totalResults > 0);
  assert.equal(Resources.length, 1);
});

test('a user is looked for, created, read, replaced, deactivated and reactivated', async () => {
  const email = `${newId()}@example.test`;
  assert.deepEqual((await send('GET /Users', page(`userName eq "${email}"`), 200)).Resources, []);
  const created = await send('POST /Users', { body: profile(email) }, 201);
  assert.deepEqual([created.userName, created.active, created.displayName], [email, true, 'Isaac Brock']);
  assert.equal(created.password, undefined);
  const { id } = created;
  assert.equal((await send(`GET /Users/${id}`, {}, 200)).id, id);
  const again = await send('POST /Users', { body: profile(email) }, 409);
  assert.deepEqual([again.schemas, again.status], [['urn:ietf:params:scim:api:messages:2.0:Error'], '409']);
  const renamed = {
    ...profile(email),
    id,
    name: { givenName: 'Another', familyName: 'Brock' },
    meta: { resourceType: 'User' },
  };
  assert.equal((await send(`PUT /Users/${id}`, { body: renamed }, 200)).name.givenName, 'Another');
  for (const active of [false, true]) {
    const replaced = await send(`PUT /Users/${id}`, { body: { ...renamed, active } }, 200);
    assert.deepEqual([replaced.active, replaced.name.givenName], [active, 'Another']);
  }
  for (const active of [false, true]) {
    const patched = await send(`PATCH /Users/${id}`, { body: toPatch({ op: 'replace', value: { active } }) }, 200);
    assert.deepEqual([patched.id, patched.active], [id, active]);
  }
});

test('someone who is in the team already is found by their address and taken over', async () => {
  const [found] = (await send('GET /Users', page(`userName eq "${team.member.email}"`), 200)).Resources;
  assert.equal(found.id, team.member.id);
  const body = profile(team.member.email, { id: found.id });
  assert.equal((await send(`PUT /Users/${found.id}`, { body }, 200)).externalId, '00ujl29u0le5T6Aj10h7');
});

test('users are imported page by page', async () => {
  const { totalResults, itemsPerPage } = await send('GET /Users', { query: { startIndex: '1', count: '100' } }, 200);
  assert.equal(itemsPerPage, totalResults);
});

test('a group is pushed, changed, replaced with its id, and removed', async () => {
  const name = `Test ${newId()}`;
  const found = await send('GET /Groups', page(`displayName eq "${name}"`), 200);
  assert.deepEqual([found.totalResults, found.Resources], [0, []]);
  const body = { schemas: [GROUP_SCHEMA], displayName: name, members: [] };
  const { id } = await send('POST /Groups', { body }, 201);
  const members = [{ value: team.admin.id, display: team.admin.email }];
  const add = { op: 'add', path: 'members', value: members };
  const remove = { op: 'remove', path: `members[value eq "${team.member.id}"]` };
  await send(`PATCH /Groups/${id}`, { body: toPatch(remove, add) }, 204);
  assert.equal((await send(`GET /Groups/${id}`, {}, 200)).members[0].value, team.admin.id);
  const rename = { op: 'replace', value: { id, displayName: `${name} renamed` } };
  await send(`PATCH /Groups/${id}`, { body: toPatch(rename) }, 204);
  await send(`PATCH /Groups/${id}`, { body: toPatch({ op: 'replace', path: 'members', value: [] }) }, 204);
  const put = { ...body, id, displayName: name, members };
  assert.equal((await send(`PUT /Groups/${id}`, { body: put }, 200)).members.length, 1);
  const listed = await send('GET /Groups', { query: { startIndex: '1', count: '100' } }, 200);
  assert.ok(listed.Resources.some((group: { id: string }) => group.id === id));
  await send(`DELETE /Groups/${id}`, {}, 204);
  assert.equal((await send(`GET /Groups/${id}`, {}, 404)).status, '404');
});
