import assert from 'node:assert/strict';
import {
  askConnectedServer,
  leaveConnection,
  listConnectedUsers,
  saveConnectedDefaults,
} from '@steward/contract/connections';
import { reportWork, takeLease, takeWork } from '@steward/contract/connections/connector';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { call } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import {
  connectedServer,
  remoteChannel,
  remoteUser,
  sendList,
  type TestConnection,
} from '#testing/workspace/connections.ts';
import { createTeamWithMembers, join, type TestTeam } from '#testing/workspace/factories.ts';
import { auditRows } from '#testing/workspace/snapshot-tables.ts';

let node: TestApp;
let team: TestTeam;
let chat: TestConnection;

beforeAll(async () => {
  node = await startApp({ work: false });
});

beforeEach(async () => {
  team = await createTeamWithMembers(node);
  chat = await connectedServer(node, { teamId: team.id, acceptedBy: team.owner.id });
  await sendList(chat, {
    users: [
      remoteUser({ id: 'ada' }),
      remoteUser({ id: 'off', deactivated_at: 5 }),
      remoteUser({ id: 'root', is_protected: true }),
      remoteUser({ id: 'bot', is_bot: true }),
      remoteUser({ id: 'maker', owns_bots: true }),
      remoteUser({ id: 'guest', team_ids: ['team1', 'team2'] }),
    ],
  });
});

afterAll(() => node[Symbol.asyncDispose]());

const params = () => ({ teamId: team.id, connectionId: chat.id });
const ask = (action: string, user_ids: string[], as = team.admin) =>
  call(node, askConnectedServer, { as, params: params(), body: { action, user_ids } });
const work = async (wait = '0') => (await chat.send(takeWork, { query: { wait } })).body.records;
const report = (workId: string, outcome: string, detail = '') =>
  chat.send(reportWork, { params: { workId }, body: { outcome, detail } });

async function users(as = team.admin) {
  const { body } = await call(node, listConnectedUsers, { as, params: params() });
  return Object.fromEntries(body.records.map((user: { id: string }) => [user.id, user]));
}

test('each user of the server has the actions that the caller may ask for, and a reason', async () => {
  const always = ['revoke_sessions', 'send_password_reset'];
  const listed = await users();
  assert.deepEqual(listed.ada.actions, [...always, 'deactivate', 'remove_from_team']);
  assert.deepEqual(listed.off.actions, ['revoke_sessions', 'reactivate', 'remove_from_team']);
  for (const id of ['root', 'bot']) assert.deepEqual(listed[id].actions, [], id);
  for (const id of ['maker', 'guest']) assert.deepEqual(listed[id].actions, [...always, 'remove_from_team'], id);
  assert.match(listed.guest.reason, /other|teams that you do not manage/);
  assert.match(listed.maker.reason, /owns bots/);
});

test('an account of two teams is deactivated only by an admin of both', async () => {
  const second = await createTeamWithMembers(node);
  await connectedServer(node, { teamId: second.id, acceptedBy: second.owner.id, remoteTeamId: 'team2', on: chat });
  await sendList(chat, { users: [remoteUser({ id: 'guest', team_ids: ['team1', 'team2'] })] });
  assert.equal((await ask('deactivate', ['guest'])).body.records[0].remote, 'refused');
  await join(node, second.id, team.admin.id, 'admin');
  assert.equal((await ask('deactivate', ['guest'])).body.records[0].remote, 'waiting');
});

describe('asking the server', () => {
  test('records work for each user it may be done to, and one row in the audit log', async () => {
    const { status, body } = await ask('deactivate', ['ada', 'root', 'ada']);
    assert.equal(status, 200);
    assert.partialDeepStrictEqual(body.records, [
      { user_id: 'ada', remote: 'waiting' },
      { user_id: 'root', remote: 'refused' },
    ]);
    const records = await work();
    assert.partialDeepStrictEqual(records, [
      { action: 'deactivate', user_id: 'ada', team_id: 'team1', channel_ids: [] },
    ]);
    const [row] = (await auditRows(node, 'connections.asked')).filter(({ team_id }) => team_id === team.id);
    assert.deepEqual(row?.details, {
      remote_action: 'deactivate',
      remote_user_ids: ['ada'],
      refused_user_ids: ['root'],
    });
    assert.partialDeepStrictEqual((await users()).ada.last_work, { action: 'deactivate', remote: 'waiting' });
  });

  test('refuses unknown users and writes nothing if none is left', async () => {
    assert.equal((await ask('deactivate', ['ada', 'nobody'])).status, 400);
    assert.equal((await ask('deactivate', ['root'])).body.records[0].remote, 'refused');
    assert.deepEqual(await work(), []);
    assert.deepEqual(
      (await auditRows(node, 'connections.asked')).filter(({ team_id }) => team_id === team.id),
      [],
    );
  });

  test('to add someone to default channels names the channels of that moment, public ones only', async () => {
    await sendList(chat, { channels: [remoteChannel({ id: 'general' }), remoteChannel({ id: 'secret', type: 'P' })] });
    const save = (channel_ids: string[]) =>
      call(node, saveConnectedDefaults, { as: team.admin, params: params(), body: { channel_ids } });
    assert.equal((await ask('add_to_channels', ['ada'])).body.records[0].remote, 'refused', 'there are none yet');
    assert.equal((await save(['secret'])).status, 400);
    assert.equal((await save(['general'])).status, 200);
    await ask('add_to_channels', ['ada']);
    await save([]);
    assert.deepEqual((await work())[0].channel_ids, ['general']);
  });

  test('ends when the team stops governing the server', async () => {
    await ask('deactivate', ['ada']);
    await call(node, leaveConnection, { as: team.owner, params: params() });
    assert.deepEqual(await work(), []);
  });
});

describe('the outcome of work', () => {
  test('is written once, with a row in the audit log', async () => {
    await ask('revoke_sessions', ['ada']);
    const [{ id }] = await work();
    const detail = 'Two tokens of bots stay valid.';
    for (const _ of ['once', 'and again']) assert.equal((await report(id, 'done', detail)).status, 200);
    assert.equal((await report(id, 'refused')).body.id, 'connector.reported');
    assert.deepEqual(await work(), []);
    assert.partialDeepStrictEqual((await users()).ada.last_work, { remote: 'done', detail });
    const rows = (await auditRows(node, 'connections.work_ended')).filter(({ team_id }) => team_id === team.id);
    assert.equal(rows.length, 1);
  });

  test('of another connection is unknown', async () => {
    await ask('revoke_sessions', ['ada']);
    const [{ id }] = await work();
    const other = await connectedServer(node, { teamId: team.id, acceptedBy: team.owner.id });
    assert.equal(
      (await other.send(reportWork, { params: { workId: id }, body: { outcome: 'done', detail: '' } })).status,
      404,
    );
  });
});

describe('waiting for work', () => {
  test('ends as soon as there is some', async () => {
    const waiting = work('25');
    await ask('revoke_sessions', ['ada']);
    assert.equal((await waiting).length, 1);
  });

  test('ends when another bridge gets the lease', async () => {
    const waiting = chat.send(takeWork, { query: { wait: '25' } });
    await sql`update connected_servers set lease_until = now() where id = ${chat.id}`.execute(node.db);
    const taken = await chat.send(takeLease, { body: { bridge: 'second' } });
    assert.equal(taken.status, 200);
    assert.equal((await waiting).body.id, 'connector.leased');
  });
});
