import assert from 'node:assert/strict';
import {
  acceptConnection,
  leaveConnection,
  listConnectedChannels,
  listConnectedUsers,
  listConnections,
  saveConnectedDefaults,
} from '@steward/contract/connections';
import {
  addListPage,
  finishList,
  listChannelsToRead,
  releaseLease,
  saveRemoteMessages,
  startList,
  takeLease,
} from '@steward/contract/connections/connector';
import { listUsers } from '@steward/contract/users';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { newId } from '#platform/database/ids.ts';
import { call } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import {
  callAsBridge,
  connectedServer,
  fillMirror,
  remoteChannel,
  remoteMessage,
  remoteUser,
  reportReady,
  sendList,
  type TestConnection,
} from '#testing/workspace/connections.ts';
import { createTeamWithMembers, type TestTeam } from '#testing/workspace/factories.ts';
import { snapshotTables } from '#testing/workspace/snapshot-tables.ts';
import { removeMessagesWithoutChannel } from './mirror.store.ts';

let node: TestApp;
let team: TestTeam;
let chat: TestConnection;

beforeAll(async () => {
  node = await startApp({ work: false });
});

beforeEach(async () => {
  team = await createTeamWithMembers(node);
  chat = await connectedServer(node, { teamId: team.id, acceptedBy: team.owner.id });
});

afterAll(() => node[Symbol.asyncDispose]());

const general = () => remoteChannel({ id: 'general' });

async function storedMessages(): Promise<{ id: string; thread_id: string; channel_id: string; size: number | null }[]> {
  return node.db
    .selectFrom('connected_messages')
    .select(['id', 'thread_id', 'channel_id', 'size'])
    .where('server_id', '=', chat.id)
    .orderBy('id')
    .execute();
}

async function ids(table: 'connected_users' | 'connected_channels' | 'connected_messages'): Promise<string[]> {
  const rows = await node.db.selectFrom(table).select('id').where('server_id', '=', chat.id).orderBy('id').execute();
  return rows.map(({ id }) => id);
}

const connection = async (as = team.admin) =>
  (await call(node, listConnections, { as, params: { teamId: team.id } })).body.records[0];
const inTeam = () => ({ teamId: team.id, connectionId: chat.id });

describe('the lease', () => {
  test('belongs to one bridge until it ends or is released', async () => {
    const other = (body: object) => callAsBridge(node, { token: chat.token, lease: '' }, takeLease, { body });
    assert.equal((await other({ bridge: 'second' })).body.id, 'connector.leased');
    assert.equal(
      (await callAsBridge(node, { token: chat.token, lease: newId() }, startList, { body: { kind: 'users' } })).status,
      409,
    );
    const { lease_id } = await node.db
      .selectFrom('connected_servers')
      .select('lease_id')
      .where('id', '=', chat.id)
      .executeTakeFirstOrThrow();
    assert.equal((await other({ bridge: 'test', lease: lease_id })).body.lease, lease_id, 'extended');
    await chat.send(releaseLease);
    const second = await other({ bridge: 'second' });
    assert.notEqual(second.body.lease, lease_id);
    assert.equal((await chat.send(startList, { body: { kind: 'users' } })).body.id, 'connector.leased');
  });

  test('ends a minute after it was taken', async () => {
    await sql`update connected_servers set lease_until = now() - interval '1 second' where id = ${chat.id}`.execute(
      node.db,
    );
    assert.equal((await chat.send(startList, { body: { kind: 'users' } })).body.id, 'connector.leased');
    const second = await callAsBridge(node, { token: chat.token, lease: '' }, takeLease, {
      body: { bridge: 'second' },
    });
    assert.equal(second.status, 200);
  });

  test('needs a valid token', async () => {
    for (const token of ['', 'stc_short', `stc_${'a'.repeat(43)}`]) {
      const { status, body } = await callAsBridge(node, { token, lease: '' }, takeLease, { body: { bridge: 'x' } });
      assert.deepEqual([status, body.id], [401, 'connector.token_required'], token);
    }
  });
});

describe('a complete list', () => {
  test('of users keeps those of mapped teams, and knows who left', async () => {
    const users = [remoteUser({ id: 'ada', name: 'Ada' }), remoteUser({ id: 'bob', team_ids: ['other'] })];
    await sendList(chat, { users });
    assert.deepEqual(await ids('connected_users'), ['ada']);
    await sendList(chat, { users: [remoteUser({ id: 'eve' })] });
    const list = async (query: Record<string, string>) =>
      (await call(node, listConnectedUsers, { as: team.admin, params: inTeam(), query })).body.records.map(
        ({ id }: { id: string }) => id,
      );
    assert.deepEqual(await list({}), ['eve']);
    assert.deepEqual(await list({ former: '1' }), ['ada', 'eve']);
    assert.deepEqual(await list({ former: '1', search: 'ADA@' }), ['ada']);
    assert.deepEqual(await list({ former: '1', search: '%' }), []);
  });

  test('of channels keeps those of mapped teams, and direct ones only with a team that governs them', async () => {
    const channels = [
      general(),
      remoteChannel({ id: 'elsewhere', team_id: 'other' }),
      remoteChannel({ id: 'direct', type: 'D', team_id: '', member_ids: ['ada', 'bob'] }),
    ];
    await sendList(chat, { channels });
    assert.deepEqual(await ids('connected_channels'), ['general']);
    await sql`update connected_teams set direct_messages = true where server_id = ${chat.id}`.execute(node.db);
    await sendList(chat, { channels });
    assert.deepEqual(await ids('connected_channels'), ['direct', 'general']);
    await sendList(chat, { channels: [general()] });
    assert.deepEqual(await ids('connected_channels'), ['general']);
  });

  test('of messages keeps metadata by thread, and removes what is missing', async () => {
    await sendList(chat, { channels: [general()] });
    const root = remoteMessage({ id: 'root', files: [{ id: 'f1', size: 7 }] });
    const reply = remoteMessage({ id: 'reply', root_id: 'root' });
    const version = remoteMessage({ id: 'version', original_id: 'root', size: null });
    const old = remoteMessage({ id: 'old' });
    await sendList(chat, { channel_id: 'general', messages: [root, reply, version, old] });
    assert.deepEqual(
      (await storedMessages()).map(({ id, thread_id }) => [id, thread_id]),
      [
        ['old', 'old'],
        ['reply', 'root'],
        ['root', 'root'],
        ['version', 'root'],
      ],
    );
    const { body } = await sendList(chat, { channel_id: 'general', messages: [root, reply, version] });
    assert.equal(body.removed, 1);
    assert.deepEqual(await ids('connected_messages'), ['reply', 'root', 'version']);
  });

  test('keeps what arrived while it was sent', async () => {
    await sendList(chat, { channels: [general()] });
    const { body } = await chat.send(startList, { body: { kind: 'messages', channel_id: 'general' } });
    const messages = [remoteMessage({ id: 'new' })];
    await chat.send(saveRemoteMessages, { body: { channel_id: 'general', messages } });
    await chat.send(addListPage, { params: { listId: body.list_id, page: '0' }, body: { messages: [] } });
    await chat.send(finishList, { params: { listId: body.list_id }, body: { pages: 1 } });
    assert.deepEqual(await ids('connected_messages'), ['new']);
  });

  test('keeps the size that the server no longer tells', async () => {
    await sendList(chat, { channels: [general()] });
    await sendList(chat, { channel_id: 'general', messages: [remoteMessage({ id: 'm', size: 44 })] });
    const deleted = remoteMessage({ id: 'm', size: null, deleted_at: Date.now() });
    await sendList(chat, { channel_id: 'general', messages: [deleted] });
    assert.equal((await storedMessages())[0]?.size, 44);
  });

  test('refuses pages out of order, and accepts the last one again', async () => {
    await sendList(chat, { channels: [general()] });
    const { body } = await chat.send(startList, { body: { kind: 'messages', channel_id: 'general' } });
    const page = (number: string, id: string) =>
      chat.send(addListPage, {
        params: { listId: body.list_id, page: number },
        body: { messages: [remoteMessage({ id })] },
      });
    assert.equal((await page('1', 'x')).body.id, 'connector.list_order');
    for (const id of ['a', 'a']) assert.equal((await page('0', id)).status, 200);
    assert.equal((await page('1', 'b')).status, 200);
    assert.equal((await page('0', 'c')).body.id, 'connector.list_order');
    const finish = (pages: number) => chat.send(finishList, { params: { listId: body.list_id }, body: { pages } });
    assert.equal((await finish(1)).body.id, 'connector.list_order');
    assert.equal((await finish(2)).status, 200);
    assert.equal((await finish(2)).body.id, 'connector.list_order', 'it has ended');
    assert.deepEqual(await ids('connected_messages'), ['a', 'b']);
  });

  test('never takes the text of a message, or a description that is not one', async () => {
    await sendList(chat, { channels: [general()] });
    const { body } = await chat.send(startList, { body: { kind: 'messages', channel_id: 'general' } });
    const before = await snapshotTables(node);
    const bad = [
      { ...remoteMessage({ id: 'm' }), message: 'secret' },
      remoteMessage({ id: 'm', created_at: -1 }),
      remoteMessage({ id: 'm', created_at: 9e15 }),
      remoteMessage({ id: '' }),
      remoteMessage({ id: 'm', size: 1e10 }),
      remoteMessage({ id: 'm', kind: 'a\0b' }),
    ];
    for (const message of bad) {
      const sent = await chat.send(addListPage, {
        params: { listId: body.list_id, page: '0' },
        body: { messages: [message] },
      });
      assert.equal(sent.status, 400, JSON.stringify(message));
    }
    assert.deepEqual(await snapshotTables(node), before);
  });

  test('refuses a page with too many rows or bytes, and stores nothing of it', async () => {
    const { body } = await chat.send(startList, { body: { kind: 'users' } });
    const before = await snapshotTables(node);
    const page = (users: object[]) =>
      chat.send(addListPage, { params: { listId: body.list_id, page: '0' }, body: { users } });
    const many = Array.from({ length: 1_001 }, (_, at) => remoteUser({ id: `u${at}` }));
    assert.equal((await page(many)).status, 400);
    assert.equal((await page([{ ...remoteUser({ id: 'u' }), name: 'x'.repeat(10_000_000) }])).status, 413);
    assert.deepEqual(await snapshotTables(node), before);
  });

  test('takes nothing of a team whose connection no owner accepted', async () => {
    const waiting = await connectedServer(node, { teamId: team.id, acceptedBy: null });
    await sendList(waiting, { users: [remoteUser({ id: 'ada' })] });
    const { body } = await sendList(waiting, { channels: [general()] });
    assert.equal(body.removed, 0);
    const { rows } = await sql`select 1 from connected_channels where server_id = ${waiting.id}
      union all select 1 from connected_users where server_id = ${waiting.id}`.execute(node.db);
    assert.deepEqual(rows, []);
    assert.equal((await waiting.send(startList, { body: { kind: 'messages', channel_id: 'general' } })).status, 404);
  });
});

describe('a channel that moved to another team', () => {
  test('is governed by the team that it belongs to, and counts as new there', async () => {
    const other = await createTeamWithMembers(node);
    await connectedServer(node, { teamId: other.id, acceptedBy: other.owner.id, remoteTeamId: 'team2', on: chat });
    await sendList(chat, { channels: [general()] });
    await sql`update connected_channels set arrived_at = now() - interval '9 days'`.execute(node.db);
    await sendList(chat, { channels: [general()] });
    const isNew = async () => {
      const { rows } = await sql<{
        team_id: string;
        is_new: boolean;
      }>`select team_id, arrived_at > now() - interval '1 hour' as is_new
        from connected_channels where server_id = ${chat.id}`.execute(node.db);
      return rows;
    };
    assert.deepEqual(await isNew(), [{ team_id: team.id, is_new: false }]);
    await sendList(chat, { channels: [remoteChannel({ id: 'general', team_id: 'team2' })] });
    assert.deepEqual(await isNew(), [{ team_id: other.id, is_new: true }]);
    await sendList(chat, { channels: [remoteChannel({ id: 'general', team_id: 'team3' })] });
    assert.deepEqual(await isNew(), [], 'nobody governs team 3');
  });
});

test('channels to read come in the order of their last lists, page by page', async () => {
  const all = Array.from({ length: 250 }, (_, at) => `c${String(at).padStart(3, '0')}`);
  await sendList(chat, { channels: all.map((id) => remoteChannel({ id })) });
  await sendList(chat, { channel_id: 'c000', messages: [] });
  const first = (await chat.send(listChannelsToRead)).body;
  const second = (await chat.send(listChannelsToRead, { query: { last_key: first.last_key } })).body;
  const order = [...first.records, ...second.records].map(({ id }) => id);
  assert.deepEqual([first.records.length, second.last_key], [200, null]);
  assert.deepEqual(order, [...all.slice(1), 'c000']);
});

describe('a team', () => {
  test('sees the health of its connection in one word', async () => {
    assert.partialDeepStrictEqual(await connection(), { health: 'silent' });
    await reportReady(chat);
    assert.partialDeepStrictEqual(await connection(), { health: 'filling' });
    await fillMirror(chat, {
      users: [remoteUser({ id: 'ada' })],
      channels: [{ ...general(), messages: [remoteMessage({ id: 'm' })] }],
    });
    assert.partialDeepStrictEqual(await connection(), {
      health: 'ok',
      reason: '',
      users: 1,
      channels: 1,
      channels_filled: 1,
      messages: 1,
      server_version: '10.12.0',
    });
  });

  test('sees a problem if users and channels were not listed for a day', async () => {
    await reportReady(chat);
    await fillMirror(chat, { channels: [] });
    assert.partialDeepStrictEqual(await connection(), { health: 'ok' });
    await sql`update connected_servers set users_listed_at = now() - interval '25 hours'`.execute(node.db);
    const { health, reason } = await connection();
    assert.deepEqual([health, /not listed for a day/.test(reason)], ['problem', true]);
  });

  test('has nothing to do with a person of the server who has the address of an account here', async () => {
    const people = async () =>
      (await call(node, listUsers, { as: team.admin, params: { teamId: team.id } })).body.records;
    const before = await people();
    const { email } = before.find(({ id }: { id: string }) => id === team.member.id);
    const twin = remoteUser({ id: 'twin', email, name: 'Another Name', roles: ['system_admin'] });
    await fillMirror(chat, { users: [twin], channels: [] });
    await sendList(chat, { users: [{ ...twin, deactivated_at: 5, team_ids: [] }] });
    assert.deepEqual(await people(), before);
  });

  test('never meets the people of the server in its own list of users', async () => {
    await sendList(chat, { users: [remoteUser({ id: 'ada', email: 'ada@chat.test' })] });
    const { text } = await call(node, listUsers, { as: team.admin, params: { teamId: team.id } });
    assert.ok(!text.includes('ada@chat.test'));
  });

  test('accepts a connection, and forgets all of it when it leaves', async () => {
    const waiting = await connectedServer(node, { teamId: team.id, acceptedBy: null });
    const params = { teamId: team.id, connectionId: waiting.id };
    assert.equal((await call(node, acceptConnection, { as: team.owner, params })).status, 200);
    await fillMirror(waiting, {
      users: [remoteUser({ id: 'ada' })],
      channels: [{ ...general(), messages: [remoteMessage({ id: 'm' })] }],
    });
    assert.equal((await call(node, leaveConnection, { as: team.owner, params })).status, 200);
    while (await removeMessagesWithoutChannel(node.db, 1));
    for (const table of ['connected_users', 'connected_channels', 'connected_messages', 'connected_rules']) {
      const { rows } = await sql`select 1 from ${sql.table(table)} where server_id = ${waiting.id}`.execute(node.db);
      assert.deepEqual(rows, [], table);
    }
  });

  test('shows names of private channels to owners only', async () => {
    await sendList(chat, { channels: [general(), remoteChannel({ id: 'secret', type: 'P', name: 'Layoffs' })] });
    const names = async (as: TestTeam['admin']) =>
      (await call(node, listConnectedChannels, { as, params: inTeam() })).body.records.map(
        ({ name }: { name: string }) => name,
      );
    assert.deepEqual(await names(team.owner), ['Layoffs', 'general']);
    assert.deepEqual(await names(team.admin), ['', 'general']);
  });

  test('are listed alone that are default channels, and those that can become one', async () => {
    const channels = [
      remoteChannel({ id: 'general' }),
      remoteChannel({ id: 'design' }),
      remoteChannel({ id: 'old', archived_at: 5 }),
      remoteChannel({ id: 'layoffs', type: 'P' }),
    ];
    await sendList(chat, { channels });
    const names = async (query: Record<string, string>) =>
      (await call(node, listConnectedChannels, { as: team.owner, params: inTeam(), query })).body.records.map(
        ({ name }: { name: string }) => name,
      );
    assert.deepEqual(await names({ open: '1' }), ['design', 'general']);
    assert.deepEqual(await names({ defaults: '1' }), []);
    const body = { channel_ids: ['general'] };
    assert.equal((await call(node, saveConnectedDefaults, { as: team.admin, params: inTeam(), body })).status, 200);
    assert.deepEqual(await names({ defaults: '1' }), ['general']);
  });
});
