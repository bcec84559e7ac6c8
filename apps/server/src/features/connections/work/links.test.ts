import assert from 'node:assert/strict';
import { answerInvitation } from '@steward/contract/account/memberships';
import {
  inviteConnectedUser,
  leaveConnection,
  listConnectedUsers,
  unlinkConnectedUser,
} from '@steward/contract/connections';
import { saveUser } from '@steward/contract/users';
import { cancelInvitation } from '@steward/contract/users/invitations';
import { removeUser } from '@steward/contract/users/lifecycle';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { newId } from '#platform/database/ids.ts';
import { call } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { connectedServer, remoteUser, sendList, type TestConnection } from '#testing/workspace/connections.ts';
import { createTeamWithMembers, invite, signedIn, type TestTeam } from '#testing/workspace/factories.ts';
import { auditRows } from '#testing/workspace/snapshot-tables.ts';

let node: TestApp;
let team: TestTeam;
let chat: TestConnection;
let address: string;

beforeAll(async () => {
  node = await startApp({ work: false });
});

beforeEach(async () => {
  team = await createTeamWithMembers(node);
  chat = await connectedServer(node, { teamId: team.id, acceptedBy: team.owner.id });
  address = `${newId()}@example.test`;
  await list();
});

afterAll(() => node[Symbol.asyncDispose]());

/** The server's list, in which each user has an address that can get email, and ada the one of the test. */
const list = (ada = address) =>
  sendList(chat, {
    users: [
      remoteUser({ id: 'ada', email: ada }),
      remoteUser({ id: 'grace', email: `grace.${address}` }),
      remoteUser({ id: 'bot', is_bot: true }),
      remoteUser({ id: 'off', deactivated_at: 5 }),
      remoteUser({ id: 'nameless', email: '' }),
    ],
  });

const toParams = (remoteUserId: string) => ({ teamId: team.id, connectionId: chat.id, remoteUserId });
const inviteFrom = (remoteUserId: string, email = address) =>
  call(node, inviteConnectedUser, { as: team.admin, params: toParams(remoteUserId), body: { email } });
const unlink = (remoteUserId: string) =>
  call(node, unlinkConnectedUser, { as: team.admin, params: toParams(remoteUserId) });

async function users() {
  const params = { teamId: team.id, connectionId: chat.id };
  const { body } = await call(node, listConnectedUsers, { as: team.admin, params });
  return Object.fromEntries(body.records.map((user: { id: string }) => [user.id, user]));
}

/** An account with this address accepts the invitation of the team. */
async function accept(email = address) {
  const who = await signedIn(node, { email });
  const { status } = await call(node, answerInvitation, {
    as: who,
    params: { teamId: team.id },
    body: { accept: true },
  });
  assert.equal(status, 200);
  return who;
}

test('a user is invited from their row, and the account that accepts is linked to them', async () => {
  assert.partialDeepStrictEqual((await users()).ada, { account: null, can_invite: true });
  assert.equal((await inviteFrom('ada')).status, 200);
  const invited = (await users()).ada;
  assert.partialDeepStrictEqual(invited, { account: { state: 'invited', email: address }, can_invite: false });
  const mails = await node.db.selectFrom('mails').select('kind').where('team_id', '=', team.id).execute();
  assert.deepEqual(mails, [{ kind: 'users.invitation' }]);
  const { id } = await accept();
  assert.deepEqual((await users()).ada.account, { user_id: id, name: 'Some Body', email: address, state: 'active' });
  const [row] = (await auditRows(node, 'users.invited_from_server')).filter(({ team_id }) => team_id === team.id);
  assert.partialDeepStrictEqual(row, {
    target: invited.account.user_id,
    details: { connection_id: chat.id, remote_user_ids: ['ada'] },
  });
});

test('the invited account is a Team User, whatever its roles at the server', async () => {
  await sendList(chat, { users: [remoteUser({ id: 'ada', email: address, roles: ['team_admin', 'system_admin'] })] });
  await inviteFrom('ada');
  const { id } = await accept();
  const row = await node.db.selectFrom('memberships').select('roles').where('person_id', '=', id);
  assert.deepEqual(await row.where('team_id', '=', team.id).executeTakeFirst(), { roles: ['team_user'] });
});

describe('an equal address means nothing', () => {
  test('another invitation to it links no account', async () => {
    const body = { email: address, account_type: 2 as const };
    await call(node, saveUser, { as: team.admin, params: { teamId: team.id }, body });
    assert.equal((await users()).ada.account, null);
    assert.equal((await inviteFrom('ada')).body.id, 'connections.address_in_team', 'while that invitation is open');
    await accept();
    assert.equal((await users()).ada.account, null);
    assert.equal((await inviteFrom('ada')).body.id, 'connections.address_in_team', 'as a member has it');
  });

  test('an invitation of another team links no account', async () => {
    const other = await createTeamWithMembers(node);
    await inviteFrom('ada');
    await invite(node, { teamId: other.id, email: address });
    const who = await signedIn(node, { email: address });
    await call(node, answerInvitation, { as: who, params: { teamId: other.id }, body: { accept: true } });
    assert.partialDeepStrictEqual((await users()).ada.account, { state: 'invited' });
  });

  test('a new address at the server changes neither the invitation nor the link', async () => {
    await inviteFrom('ada');
    await list(team.owner.email);
    assert.partialDeepStrictEqual((await users()).ada.account, { state: 'invited', email: address });
    const { id } = await accept();
    await list(team.member.email);
    assert.partialDeepStrictEqual((await users()).ada.account, { user_id: id, email: address });
  });

  test('an invitation is refused if the address changed since it was shown', async () => {
    await list(`new.${address}`);
    assert.equal((await inviteFrom('ada')).body.id, 'connections.address_changed');
    assert.equal((await users()).ada.account, null);
  });
});

test('of two users with the same address, only one is invited, and two are never linked to one account', async () => {
  await sendList(chat, {
    users: [remoteUser({ id: 'ada', email: address }), remoteUser({ id: 'twin', email: address })],
  });
  await inviteFrom('ada');
  assert.equal((await inviteFrom('twin')).body.id, 'connections.address_in_team');
  const who = await accept();
  assert.equal((await inviteFrom('ada')).body.id, 'connections.linked');
  assert.equal((await inviteFrom('twin')).body.id, 'connections.address_in_team');
  // The account takes another address, and accepts an invitation that was sent there for another user.
  const second = `second.${address}`;
  await sendList(chat, {
    users: [remoteUser({ id: 'ada', email: address }), remoteUser({ id: 'twin', email: second })],
  });
  await inviteFrom('twin', second);
  await sql`update people set email = ${second} where id = ${who.id}`.execute(node.db);
  const sending = { as: who, params: { teamId: team.id }, body: { accept: true } };
  assert.equal((await call(node, answerInvitation, sending)).status, 200);
  const { ada, twin } = await users();
  assert.deepEqual([ada.account.user_id, twin.account], [who.id, null]);
});

test('a member who proves the invited address is linked, because the invitation was sent from that user', async () => {
  await inviteFrom('ada');
  await sql`update people set email = ${address} where id = ${team.member.id}`.execute(node.db);
  await call(node, answerInvitation, { as: team.member, params: { teamId: team.id }, body: { accept: true } });
  assert.partialDeepStrictEqual((await users()).ada.account, { user_id: team.member.id, state: 'active' });
});

test('bots, deactivated users, and users without an address are not invited', async () => {
  const listed = await users();
  for (const id of ['bot', 'off', 'nameless']) {
    assert.equal(listed[id].can_invite, false, id);
    assert.equal((await inviteFrom(id)).body.id, 'connections.not_invitable', id);
  }
});

test('of two clicks at the same time, one sends an invitation and the other is refused', async () => {
  await using busy = await startApp({ beside: node, work: false, pool: 4 });
  const params = toParams('ada');
  const click = () => call(busy, inviteConnectedUser, { as: team.admin, params, body: { email: address } });
  const statuses = (await Promise.all([click(), click(), click()])).map(({ status }) => status);
  assert.deepEqual(statuses.toSorted(), [200, 409, 409]);
  const mails = await node.db.selectFrom('mails').select('id').where('team_id', '=', team.id).execute();
  assert.equal(mails.length, 1);
  await accept();
  assert.equal((await users()).ada.account.state, 'active');
});

describe('a link ends', () => {
  test('with the invitation, and the user can be invited again', async () => {
    await inviteFrom('ada');
    const { user_id: userId } = (await users()).ada.account;
    await call(node, cancelInvitation, { as: team.admin, params: { teamId: team.id, userId } });
    assert.partialDeepStrictEqual((await users()).ada, { account: null, can_invite: true });
    assert.equal((await inviteFrom('ada')).status, 200);
  });

  test('when an admin unlinks it: the account stays a member', async () => {
    await inviteFrom('ada');
    const { id } = await accept();
    assert.equal((await unlink('ada')).status, 200);
    assert.equal((await users()).ada.account, null);
    assert.equal((await unlink('ada')).body.id, 'connections.not_linked');
    assert.equal((await inviteFrom('ada')).body.id, 'connections.address_in_team', 'the account is a member');
    const rows = await auditRows(node, 'users.unlinked_from_server');
    assert.partialDeepStrictEqual(
      rows.filter(({ team_id }) => team_id === team.id),
      [{ target: id, details: { connection_id: chat.id, remote_user_ids: ['ada'] } }],
    );
  });

  test('when the account leaves the team: only that it had one stays known', async () => {
    await inviteFrom('ada');
    const { id } = await accept();
    await call(node, removeUser, { as: team.admin, params: { teamId: team.id, userId: id } });
    const left = { account: { user_id: '', name: '', email: '', state: 'left' }, can_invite: true };
    assert.partialDeepStrictEqual((await users()).ada, left);
    const rows = await node.db.selectFrom('connected_links').selectAll().where('server_id', '=', chat.id).execute();
    assert.ok(!JSON.stringify(rows).includes(id));
    assert.equal((await inviteFrom('ada')).status, 200);
  });

  test('when the team stops governing the server', async () => {
    await inviteFrom('ada');
    await accept();
    await call(node, leaveConnection, { as: team.owner, params: { teamId: team.id, connectionId: chat.id } });
    const rows = await node.db.selectFrom('connected_links').select('user_id').where('team_id', '=', team.id).execute();
    assert.deepEqual(rows, []);
  });
});
