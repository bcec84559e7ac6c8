import assert from 'node:assert/strict';
import { listScimLog } from '@steward/contract/scim';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { newId } from '#platform/database/ids.ts';
import { call } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import {
  buildGroup,
  buildUser,
  type ScimSending,
  scim,
  scimToken,
  type TestProvisioner,
  toPatch,
} from '#testing/peers/scim.ts';
import { replaceConnection } from '#testing/sso/sso.ts';
import { serviceToken } from '#testing/workspace/content.ts';
import { createTeamWithMembers, signedIn, type TestTeam } from '#testing/workspace/factories.ts';
import { auditRows } from '#testing/workspace/snapshot-tables.ts';
import { hasProvisionedRoles, listGroupNames } from '#workspace/users/identity-providers/provisioning.store.ts';

let node: TestApp;
let team: TestTeam;
let idp: TestProvisioner;

beforeAll(async () => {
  node = await startApp({ work: false, pool: 4 });
});

afterAll(() => node[Symbol.asyncDispose]());

beforeEach(async () => {
  team = await createTeamWithMembers(node);
  idp = await scimToken(node, team.id, team.owner.id);
});

const send = (request: string, sending?: ScimSending, by = idp) => scim(node, by, request, sending);
const patch = (id: string, ...operations: object[]) => send(`PATCH /Groups/${id}`, { body: toPatch(...operations) });
const add = async (name: string, memberIds: readonly string[] = [], more: object = {}) => {
  const reply = await send('POST /Groups', { body: buildGroup(name, memberIds, more) });
  assert.equal(reply.status, 201, reply.text);
  return reply.body as { id: string; meta: { version: string } };
};
const getMembers = async (id: string): Promise<string[]> =>
  ((await send(`GET /Groups/${id}`)).body.members ?? []).map(({ value }: { value: string }) => value).sort();
const getRoles = async (userId: string) =>
  (
    await node.db
      .selectFrom('memberships')
      .select('roles')
      .where('team_id', '=', team.id)
      .where('person_id', '=', userId)
      .executeTakeFirst()
  )?.roles;
const USER = ['team_user'];
const ADMIN = ['team_user', 'team_admin'];
const OWNER = ['team_user', 'team_admin', 'team_owner'];

describe('a group', () => {
  test('has members, who show it; names may repeat', async () => {
    const { id } = await add('Engineering', [team.member.id, team.admin.id], { externalId: 'g-1' });
    await add('Engineering');
    const { body, headers } = await send(`GET /Groups/${id}`);
    assert.deepEqual([body.displayName, body.externalId, headers.etag], ['Engineering', 'g-1', body.meta.version]);
    assert.deepEqual(await getMembers(id), [team.admin.id, team.member.id].sort());
    assert.equal(body.members[0].type, 'User');
    const user = (await send(`GET /Users/${team.member.id}`)).body;
    assert.deepEqual(
      user.groups.map(({ value, display }: Record<string, string>) => [value, display]),
      [[id, 'Engineering']],
    );
  });

  test('is found by name, and listed without its members on request', async () => {
    const { id } = await add('Sales', [team.member.id]);
    const query = { filter: 'displayName eq "sales"', excludedAttributes: 'members' };
    const { body } = await send('GET /Groups', { query });
    assert.deepEqual([body.totalResults, body.Resources[0].id, body.Resources[0].members], [1, id, undefined]);
    const byMember = await send('GET /Groups', {
      query: { filter: `members.value eq "${team.member.id}"`, count: '0' },
    });
    assert.deepEqual([byMember.body.totalResults, byMember.body.Resources], [1, []]);
  });

  test('changes its members one after the other, and answers without them', async () => {
    const { id, meta } = await add('Sales');
    const value = [{ value: team.member.id }, { value: team.admin.id }];
    const added = await patch(id, { op: 'Add', path: 'members', value });
    assert.deepEqual([added.status, added.text], [204, '']);
    assert.notEqual((await send(`GET /Groups/${id}`)).body.meta.version, meta.version);
    await patch(id, { op: 'Remove', path: 'members', value: [{ value: team.member.id }] });
    assert.deepEqual(await getMembers(id), [team.admin.id]);
    await patch(id, { op: 'remove', path: `members[value eq "${team.admin.id}"]` });
    assert.deepEqual(await getMembers(id), []);
    const steps = [
      { op: 'add', path: 'members', value: [{ value: team.owner.id }] },
      { op: 'replace', path: 'members', value: [{ value: team.member.id }] },
    ];
    const asked = await send(`PATCH /Groups/${id}`, { body: toPatch(...steps), query: { attributes: 'members' } });
    assert.deepEqual([asked.status, asked.body.members.length, asked.body.displayName], [200, 1, undefined]);
    await patch(id, { op: 'remove', path: 'members' });
    assert.deepEqual(await getMembers(id), []);
  });

  test('is replaced by PUT, or by an operation without a path that holds its id', async () => {
    const { id } = await add('Old', [team.member.id]);
    const put = await send(`PUT /Groups/${id}`, { body: buildGroup('New', [team.admin.id]) });
    assert.deepEqual([put.status, put.body.displayName], [200, 'New']);
    assert.deepEqual(await getMembers(id), [team.admin.id]);
    assert.equal((await patch(id, { op: 'replace', value: { id, displayName: 'Newer' } })).status, 204);
    assert.equal((await send(`GET /Groups/${id}`)).body.displayName, 'Newer');
  });

  test('refuses members it cannot have, and changes nothing then', async () => {
    const { id } = await add('Sales', [team.member.id]);
    const members = (value: object[]) => ({ op: 'add', path: 'members', value });
    const wrong: [object, string][] = [
      [members([{ value: id, type: 'Group' }]), 'invalidValue'],
      [members([{}]), 'invalidValue'],
      [{ op: 'replace', path: `members[value eq "${team.member.id}"].display`, value: 'x' }, 'mutability'],
      [{ op: 'remove', path: 'members[display eq "x"]' }, 'invalidPath'],
      [{ op: 'remove', path: 'displayName' }, 'invalidValue'],
      [{ op: 'replace', path: 'id', value: 'x' }, 'mutability'],
      [{ op: 'replace', path: '__proto__.x', value: 'x' }, 'invalidPath'],
    ];
    for (const [operation, scimType] of wrong) {
      const reply = await patch(id, { op: 'replace', path: 'displayName', value: 'Changed' }, operation);
      assert.deepEqual([reply.status, reply.body.scimType], [400, scimType], JSON.stringify(operation));
    }
    const ignored = ['constructor.prototype', 'description'].map((path) => ({ op: 'replace', path, value: 'x' }));
    assert.equal((await patch(id, ...ignored)).status, 204, 'unknown attributes are ignored, as in POST');
    const { body } = await send(`GET /Groups/${id}`);
    assert.deepEqual([body.displayName, body.members.length], ['Sales', 1]);
  });

  test('leaves out who is not in the team, and says so in the log', async () => {
    const other = await createTeamWithMembers(node);
    const { id } = await add('Sales', [other.member.id, team.zendesk.id, newId(), team.member.id]);
    assert.deepEqual(await getMembers(id), [team.member.id]);
    const { records } = (await call(node, listScimLog, { as: team.owner, params: { teamId: team.id } })).body;
    assert.match(records[0].effect, /Left out 3 members who aren't in the team\./);
  });

  test('of another team is unknown', async () => {
    const other = await createTeamWithMembers(node);
    const theirs = await scimToken(node, other.id, other.owner.id);
    const { id } = await add('Ours');
    for (const [request, body] of [
      ['GET', undefined],
      ['PUT', buildGroup('Theirs')],
      ['PATCH', toPatch({ op: 'replace', path: 'displayName', value: 'Theirs' })],
      ['DELETE', undefined],
    ] as const)
      assert.equal((await send(`${request} /Groups/${id}`, { body }, theirs)).status, 404, request);
    assert.equal((await send('GET /Groups', {}, theirs)).body.totalResults, 0);
  });

  test('keeps its inactive members, and loses removed ones', async () => {
    const { id } = await add('Sales', [team.member.id, team.pending.id]);
    for (const who of [team.member, team.pending])
      await send(`PATCH /Users/${who.id}`, { body: toPatch({ op: 'replace', value: { active: false } }) });
    assert.equal((await getMembers(id)).length, 2);
    await send(`DELETE /Users/${team.member.id}`);
    assert.deepEqual(await getMembers(id), [team.pending.id]);
    assert.equal((await send(`DELETE /Groups/${id}`)).status, 204);
    assert.equal((await send(`GET /Users/${team.pending.id}`)).status, 200);
  });
});

describe('roles of groups', () => {
  // Groups must also work while the connection is switched off.
  beforeEach(async () => {
    await replaceConnection(node, team.id);
    await node.db
      .updateTable('sso_connections')
      .set({ group_roles: JSON.stringify({ Admins: 'team_admin', Staff: 'team_user' }), enabled: false })
      .where('team_id', '=', team.id)
      .execute();
  });

  test('make members admins and users again; what former admins let services do stops', async () => {
    const token = await serviceToken(node, team.id, { createdBy: team.member.id });
    const { id } = await add('Admins', [team.member.id]);
    assert.deepEqual(await getRoles(team.member.id), ADMIN);
    const mails = await node.db.selectFrom('mails').select('recipient').where('team_id', '=', team.id).execute();
    assert.deepEqual(mails.map(({ recipient }) => recipient).sort(), [team.admin.email, team.owner.email].sort());
    await patch(id, { op: 'remove', path: `members[value eq "${team.member.id}"]` });
    assert.deepEqual(await getRoles(team.member.id), USER);
    const { stopped_at } = await node.db
      .selectFrom('service_tokens')
      .select('stopped_at')
      .where('id', '=', token.id)
      .executeTakeFirstOrThrow();
    assert.ok(stopped_at);
    const rows = (await auditRows(node, 'scim.roles_changed')).filter(({ team_id }) => team_id === team.id);
    assert.deepEqual(
      rows.map(({ details }) => [details.made_admins, details.made_users]),
      [
        [[team.member.id], []],
        [[], [team.member.id]],
      ],
    );
    const { records } = (await call(node, listScimLog, { as: team.owner, params: { teamId: team.id } })).body;
    assert.match(records[0].effect, /Made 1 admin a user/);
  });

  test('never make or unmake owners', async () => {
    const { id } = await add('Staff', [team.owner.id]);
    assert.deepEqual(await getRoles(team.owner.id), OWNER);
    await send(`DELETE /Groups/${id}`);
    assert.deepEqual(await getRoles(team.owner.id), OWNER);
  });

  test('of several groups the strongest counts, and other groups change nothing', async () => {
    const staff = await add('Staff', [team.admin.id, team.member.id]);
    assert.deepEqual([await getRoles(team.admin.id), await getRoles(team.member.id)], [USER, USER]);
    const admins = await add('Admins', [team.admin.id]);
    const other = await signedIn(node, { team: team.id, kind: 'admin' });
    await add('Book club', [other.id]);
    assert.deepEqual([await getRoles(team.admin.id), await getRoles(other.id)], [ADMIN, ADMIN]);
    await send(`DELETE /Groups/${staff.id}`);
    assert.deepEqual(await getRoles(team.admin.id), ADMIN);
    await send(`DELETE /Groups/${admins.id}`);
    assert.deepEqual(await getRoles(team.admin.id), USER);
  });

  test('come before those of a sign-in, for members whom the provider manages, once it has such a group', async () => {
    const groups = ['Admins', 'Staff'];
    const ofMember = () => hasProvisionedRoles(node.db, { teamId: team.id, userId: team.member.id, groups });
    await add('Book club', [team.member.id]);
    await send(`PUT /Users/${team.member.id}`, { body: buildUser(team.member.email) });
    assert.equal(await ofMember(), false);
    await add('Staff');
    assert.equal(await ofMember(), true);
    assert.equal(await hasProvisionedRoles(node.db, { teamId: team.id, userId: team.admin.id, groups }), false);
  });

  test('follow the name of a group', async () => {
    const { id } = await add('Book club', [team.member.id]);
    const rename = (value: string) => patch(id, { op: 'replace', path: 'displayName', value });
    await rename('Admins');
    assert.deepEqual(await getRoles(team.member.id), ADMIN);
    await rename('Book club');
    assert.deepEqual(await getRoles(team.member.id), USER);
  });

  test('belong to a group by the id of the provider too, and end when a member leaves it', async () => {
    const objectId = newId();
    await node.db
      .updateTable('sso_connections')
      .set({ group_roles: JSON.stringify({ [objectId]: 'team_admin' }) })
      .where('team_id', '=', team.id)
      .execute();
    const body = { ...buildGroup('Administrators', [team.member.id]), externalId: objectId };
    const { id } = (await send('POST /Groups', { body })).body;
    assert.deepEqual(await getRoles(team.member.id), ADMIN);
    await send(`PUT /Users/${team.member.id}`, { body: buildUser(team.member.email) });
    const member = { teamId: team.id, userId: team.member.id };
    assert.equal(await hasProvisionedRoles(node.db, { ...member, groups: [objectId] }), true);
    assert.deepEqual(await listGroupNames(node.db, team.id, [objectId, newId()]), ['Administrators']);
    await patch(id, { op: 'remove', path: `members[value eq "${team.member.id}"]` });
    assert.deepEqual(await getRoles(team.member.id), USER);
    await patch(id, { op: 'add', path: 'members', value: [{ value: team.member.id }] });
    assert.deepEqual(await getRoles(team.member.id), ADMIN);
    await patch(id, { op: 'replace', path: 'externalId', value: newId() });
    assert.deepEqual(await getRoles(team.member.id), USER);
  });

  test('are those of an invitation too, and of someone who comes back', async () => {
    const email = `${newId()}@example.test`;
    const { id } = (await send('POST /Users', { body: buildUser(email) })).body;
    await add('Admins', [id]);
    assert.deepEqual(await getRoles(id), ADMIN);
    const setActive = (active: boolean) =>
      send(`PATCH /Users/${id}`, { body: toPatch({ op: 'replace', value: { active } }) });
    await setActive(false);
    await setActive(true);
    const again = await node.db.selectFrom('memberships').select('roles').where('email', '=', email).executeTakeFirst();
    assert.deepEqual(again?.roles, ADMIN);
  });
});
