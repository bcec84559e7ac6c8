import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { PERMIT_GIVEN_MAX } from '@steward/contract/api/limits';
import {
  acceptConnection,
  leaveConnection,
  listConnectedChannels,
  listConnections,
  listOrderRows,
  listOrders,
  stopOrder,
} from '@steward/contract/connections';
import {
  beginPermit,
  finishList,
  listChannelsToRead,
  type RemoteMessage,
  reportOutcomes,
  reportRehearsal,
  reportStatus,
  startList,
  takeLease,
  takePermit,
} from '@steward/contract/connections/connector';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { inTransaction } from '#platform/database/database.ts';
import { call } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import {
  connectedRule,
  connectedServer,
  fillMirror,
  rehearse,
  remoteChannel,
  remoteMessage,
  reportReady,
  sendList,
  type TestConnection,
  waitTwoDays,
} from '#testing/workspace/connections.ts';
import { createTeamWithMembers, type TestTeam } from '#testing/workspace/factories.ts';
import { auditRows } from '#testing/workspace/snapshot-tables.ts';
import { removeMessagesWithoutChannel } from '../mirror/mirror.store.ts';
import { listChannelsToRead as listChannels } from '../mirror/reading.store.ts';
import { openOrder } from './orders.actions.ts';

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

type Filled = Record<string, { messages: RemoteMessage[]; team?: string }>;

const YEAR = { value: 1, duration: { count: 1, period: 'y' } } as const;
const toKey = (connection: TestConnection) => ({ serverId: connection.id, teamId: connection.teamId });
const params = () => ({ teamId: team.id, connectionId: chat.id });
const open = (connection = chat) => inTransaction(node.db, (trx) => openOrder(trx, node.deps, toKey(connection)));

/** Opens orders for messages that have been known for two days, rehearses, and lists the channels again. */
async function openReady(channels: Filled, connections = [chat]): Promise<void> {
  const described = Object.entries(channels).map(([id, { messages, team: team_id = 'team1' }]) => ({
    ...remoteChannel({ id, team_id }),
    messages,
  }));
  await reportReady(chat);
  await fillMirror(chat, { channels: described });
  await waitTwoDays(node);
  for (const connection of connections) {
    await connectedRule(node, connection, { rule: YEAR });
    await open(connection);
  }
  await rehearse(chat);
  for (const { id, messages } of described) await sendList(chat, { channel_id: id, messages });
}

const old = (...ids: string[]) => ({ messages: ids.map((id) => remoteMessage({ id })) });
const take = async () => (await chat.send(takePermit)).body;
const begin = (permit: { id: string }) => chat.send(beginPermit, { params: { permitId: permit.id } });
const report = (permit: { id: string }, outcomes: object[], complete = true) =>
  chat.send(reportOutcomes, { params: { permitId: permit.id }, body: { outcomes, complete } });
const gone = (...ids: string[]) => ids.map((id) => ({ id, outcome: 'gone' }));
const listIds = (permit: { rows: { id: string }[] }) => permit.rows.map(({ id }) => id);
const begunAgo = (minutes: number) =>
  sql`update connected_permits set begun_at = now() - make_interval(mins => ${minutes}) where closed_at is null`.execute(
    node.db,
  );
const sha = (text: string) => createHash('sha256').update(text).digest('hex');

async function orders() {
  return (await call(node, listOrders, { as: team.admin, params: params() })).body.records;
}

async function listOutcomes() {
  const [order] = await orders();
  const { body } = await call(node, listOrderRows, { as: team.owner, params: { ...params(), orderId: order.id } });
  return Object.fromEntries(
    body.records.map((row: { id: string; outcome: string; reason: string }) => [row.id, row.reason || row.outcome]),
  );
}

async function connection() {
  return (await call(node, listConnections, { as: team.admin, params: { teamId: team.id } })).body.records.find(
    ({ id }: { id: string }) => id === chat.id,
  );
}

const closedEvents = async () =>
  (await auditRows(node, 'connections.order_closed')).filter(({ team_id }) => team_id === team.id);

/** A second team of the same server, with an order of its own. */
async function secondTeam() {
  const other = await createTeamWithMembers(node);
  const connection = await connectedServer(node, {
    teamId: other.id,
    acceptedBy: other.owner.id,
    remoteTeamId: 'team2',
    on: chat,
  });
  return { other, connection };
}

describe('a permit that never gets an outcome', () => {
  test('ends after five complete attempts over ten minutes, and the next team gets its permit', async () => {
    const { connection: theirs } = await secondTeam();
    await openReady({ general: old('a', 'b'), harbor: { ...old('x'), team: 'team2' } }, [chat, theirs]);
    const { permit } = await take();
    assert.deepEqual(listIds(permit), ['a', 'b']);
    await begin(permit);
    for (let attempt = 1; attempt < 5; attempt += 1) {
      assert.deepEqual((await report(permit, attempt === 1 ? gone('a') : [])).body, { open: 1 });
      assert.deepEqual([(await take()).permit.id, (await take()).permit.last], [permit.id, false]);
    }
    await begunAgo(11);
    const last = (await take()).permit;
    assert.deepEqual([last.id, last.last, listIds(last)], [permit.id, true, ['b']]);
    assert.deepEqual((await report(permit, [{ id: 'b', outcome: 'kept', reason: 'residue' }])).body, { open: 0 });
    assert.deepEqual(listIds((await take()).permit), ['x'], 'the other team');
    const proof = sha('a gone\nb kept\n');
    assert.partialDeepStrictEqual(await orders(), [{ state: 'done', gone: 1, kept_by: { residue: 1 }, proof }]);
    assert.partialDeepStrictEqual((await closedEvents())[0]?.details, { gone: 1, kept_by: { residue: 1 }, proof });
  });

  test('keeps as unverified what the bridge reports nothing about in the last attempt', async () => {
    await openReady({ general: old('a', 'b') });
    const { permit } = await take();
    await begin(permit);
    for (let attempt = 0; attempt < 4; attempt += 1) await report(permit, []);
    await begunAgo(11);
    assert.deepEqual((await report(permit, gone('a'))).body, { open: 0 });
    assert.deepEqual(await listOutcomes(), { a: 'gone', b: 'unverified' });
    assert.equal((await report(permit, gone('b'))).body.id, 'connector.reported', 'an outcome is written once');
    assert.deepEqual((await report(permit, gone('a'))).body, { open: 0 });
    await open();
    assert.equal((await orders())[0].rows, 1, 'the next order names again what was kept');
  });

  test('stays open while attempts are incomplete, or for less than ten minutes', async () => {
    await openReady({ general: old('a') });
    const { permit } = await take();
    await begin(permit);
    for (let attempt = 0; attempt < 9; attempt += 1) assert.deepEqual((await report(permit, [])).body, { open: 1 });
    await begunAgo(11);
    assert.deepEqual((await report(permit, [], false)).body, { open: 1 });
    assert.equal((await take()).permit.last, true);
  });

  test('ends after an hour in which no bridge attempted it completely', async () => {
    await openReady({ general: old('a') });
    const { permit } = await take();
    await begin(permit);
    await sql`update connected_permits set given = ${PERMIT_GIVEN_MAX - 1} where id = ${permit.id}`.execute(node.db);
    await begunAgo(61);
    assert.equal((await take()).permit.id, permit.id, 'it was given fewer times');
    await begunAgo(59);
    assert.equal((await take()).permit.id, permit.id);
    await begunAgo(61);
    assert.deepEqual([(await take()).permit, await listOutcomes()], [null, { a: 'unverified' }]);
    assert.partialDeepStrictEqual(await orders(), [{ state: 'done', kept_by: { unverified: 1 } }]);
  });

  test('is not ended by a bridge that was away for days', async () => {
    await openReady({ general: old('a') });
    const { permit } = await take();
    await begin(permit);
    await begunAgo(72 * 60);
    assert.deepEqual([(await take()).permit.id, (await take()).permit.last], [permit.id, false]);
    await report(permit, gone('a'));
    assert.partialDeepStrictEqual(await orders(), [{ state: 'done', gone: 1 }]);
  });
});

describe('orders of two teams', () => {
  test('take turns, permit by permit', async () => {
    const { connection: theirs } = await secondTeam();
    const [one, two, three] = [old('a'), old('b'), old('c')];
    await openReady({ one, two, three, harbor: { ...old('x'), team: 'team2' } }, [chat, theirs]);
    const channels: string[] = [];
    for (let { permit } = await take(); permit !== null; { permit } = await take()) {
      channels.push(permit.channel_id);
      await begin(permit);
      await report(permit, gone(...listIds(permit)));
    }
    assert.deepEqual(channels, ['one', 'harbor', 'three', 'two']);
  });

  test('go on although a channel of one is never listed', async () => {
    const { connection: theirs } = await secondTeam();
    await openReady({ general: old('a'), harbor: { ...old('x'), team: 'team2' } }, [chat, theirs]);
    await sql`update connected_channels set list_began_at = now() - interval '1 day' where id = 'general'`.execute(
      node.db,
    );
    const seen = [];
    for (let count = 0; count < 2; count += 1) {
      const { permit, reason, channel_id } = await take();
      seen.push(permit ? permit.channel_id : `${reason} ${channel_id}`);
    }
    assert.deepEqual(seen, ['list general', 'harbor']);
  });
});

describe('a permit that was begun before its team left', () => {
  test('is only read, knows the files of its messages, and its outcomes are in the proof', async () => {
    const messages = [remoteMessage({ id: 'a', files: [{ id: 'f1', size: 1 }] }), remoteMessage({ id: 'b' })];
    await openReady({ general: { messages } });
    const { permit } = await take();
    assert.equal(permit.only_read, false);
    await begin(permit);
    await call(node, leaveConnection, { as: team.owner, params: params() });
    while (await removeMessagesWithoutChannel(node.db, 100));
    const again = (await take()).permit;
    assert.deepEqual([again.id, again.begun, again.only_read], [permit.id, true, true]);
    assert.deepEqual(again.rows, permit.rows);
    await report(again, [...gone('a'), { id: 'b', outcome: 'kept', reason: 'changed' }]);
    const [order] = await orders();
    const proof = sha('a gone\nb kept\n');
    assert.partialDeepStrictEqual(order, { state: 'stopped', gone: 1, kept_by: { changed: 1 }, proof });
    assert.partialDeepStrictEqual(
      (await closedEvents()).map(({ details }) => details),
      [{ gone: 1, kept: 1, proof }],
    );
    assert.deepEqual([(await take()).reason, await countClosed()], ['nothing', 0]);
  });

  const countClosed = async () => {
    const { rows } = await sql`select 1 from connected_permits where server_id = ${chat.id} and rows <> '[]'`.execute(
      node.db,
    );
    return rows.length;
  };

  test('stays only read if an owner accepts the connection again', async () => {
    await openReady({ general: old('a') });
    await begin((await take()).permit);
    await call(node, leaveConnection, { as: team.owner, params: params() });
    await call(node, acceptConnection, { as: team.owner, params: params() });
    assert.equal((await take()).permit.only_read, true);
  });

  test('is finished if its order was only stopped, and the proof is that of all outcomes', async () => {
    await openReady({ general: old('a') });
    const { permit } = await take();
    await begin(permit);
    const [{ id: orderId }] = await orders();
    await call(node, stopOrder, { as: team.admin, params: { ...params(), orderId } });
    const again = (await take()).permit;
    assert.deepEqual([again.begun, again.only_read], [true, false]);
    for (const _ of ['once', 'and again']) await report(permit, gone('a'));
    assert.partialDeepStrictEqual(await orders(), [{ state: 'stopped', gone: 1, proof: sha('a gone\n') }]);
    assert.equal((await closedEvents()).length, 1);
  });
});

describe('a channel that can only be read', () => {
  const finish = async (channel_id: string, ending: object) => {
    const { body } = await chat.send(startList, { body: { kind: 'messages', channel_id } });
    return chat.send(finishList, { params: { listId: body.list_id }, body: { pages: 0, ...ending } });
  };
  const readOnly = async () => {
    const { body } = await call(node, listConnectedChannels, { as: team.owner, params: params() });
    return Object.fromEntries(body.records.map((row: { id: string; read_only: string }) => [row.id, row.read_only]));
  };

  test('is one whose list took over an hour, until a list takes less', async () => {
    await openReady({ general: old('a'), quick: old('b') });
    await sql`delete from connected_orders`.execute(node.db);
    await finish('general', { seconds: 3_601 });
    assert.deepEqual(await readOnly(), { general: 'slow', quick: '' });
    assert.partialDeepStrictEqual(await connection(), { channels_read_only: 1, health: 'ok' });
    await sendList(chat, { channel_id: 'general', messages: [remoteMessage({ id: 'a' })] });
    await finish('general', { seconds: 3_600 });
    assert.deepEqual(await readOnly(), { general: '', quick: '' });
  });

  test('is never selected for an order', async () => {
    await openReady({ general: old('a'), quick: old('b') });
    await sql`delete from connected_orders`.execute(node.db);
    await sql`update connected_channels set read_only = 'slow' where id = 'general'`.execute(node.db);
    await open();
    assert.deepEqual(await listOutcomes(), { b: '' });
  });

  test('is kept by an order that named it before, without another list', async () => {
    await openReady({ general: old('a'), quick: old('b') });
    await finish('general', { failed: true });
    await sql`update connected_channels set list_began_at = null where id = 'general'`.execute(node.db);
    const { records } = (await chat.send(listChannelsToRead)).body;
    assert.deepEqual(
      Object.fromEntries(records.map((row: { id: string; needed: boolean; read_only: string }) => [row.id, row])),
      Object.fromEntries(records.map((row: { id: string }) => [row.id, { ...row, needed: false }])),
    );
    const first = await take();
    const { permit } = first.permit ? first : await take();
    assert.deepEqual(listIds(permit), ['b']);
    await begin(permit);
    await report(permit, gone('b'));
    await take();
    assert.deepEqual(await listOutcomes(), { a: 'read_only', b: 'gone' });
    assert.partialDeepStrictEqual(await orders(), [{ state: 'done', gone: 1, kept_by: { read_only: 1 } }]);
  });

  test('stops a permit that was not begun', async () => {
    await openReady({ general: old('a') });
    const { permit } = await take();
    await finish('general', { failed: true });
    assert.equal((await begin(permit)).body.id, 'connector.permit_void');
  });

  test('keeps its messages here when a list of it fails, and does not keep rules from being saved', async () => {
    await openReady({ general: old('a'), never: old() });
    await sql`update connected_channels set listed_at = null where id = 'never'`.execute(node.db);
    assert.partialDeepStrictEqual(await connection(), { health: 'filling' });
    await finish('never', { failed: true });
    await finish('general', { failed: true });
    assert.partialDeepStrictEqual(await connection(), { health: 'ok', channels_read_only: 2, messages: 1 });
    const { rows } = await sql`select id from connected_messages where server_id = ${chat.id}`.execute(node.db);
    assert.deepEqual(rows, [{ id: 'a' }]);
  });
});

test('the time that the first fill still takes is the average of the lists so far, and unknown before one', async () => {
  await reportReady(chat);
  await sendList(chat, { users: [] });
  await sendList(chat, { channels: ['a', 'b', 'c', 'd'].map((id) => remoteChannel({ id })) });
  assert.partialDeepStrictEqual(await connection(), { health: 'filling', seconds_left: null, messages: 0 });
  for (const id of ['a', 'b']) await sendList(chat, { channel_id: id, messages: [remoteMessage({ id: `${id}1` })] });
  await sql`update connected_channels set list_began_at = listed_at - interval '90 seconds' where id = 'a'`.execute(
    node.db,
  );
  await sql`update connected_channels set list_began_at = listed_at - interval '30 seconds' where id = 'b'`.execute(
    node.db,
  );
  const { body } = await chat.send(startList, { body: { kind: 'messages', channel_id: 'c' } });
  await sql`update connected_lists set rows = 5000 where id = ${body.list_id}`.execute(node.db);
  assert.partialDeepStrictEqual(await connection(), { channels_filled: 2, seconds_left: 120, messages: 5_002 });
  for (const id of ['c', 'd']) await sendList(chat, { channel_id: id, messages: [] });
  assert.partialDeepStrictEqual(await connection(), { health: 'ok', seconds_left: null, messages: 2 });
});

test('messages of a channel that moved to another team are kept as changed, also if that team governs nothing here', async () => {
  const { connection: theirs } = await secondTeam();
  const channels = (teams: string[]) =>
    sendList(chat, { channels: teams.map((team_id, at) => remoteChannel({ id: `c${at}`, team_id })) });
  await openReady({ c0: old('a'), c1: old('b') }, [chat]);
  await channels(['team2', 'team3']);
  while (await removeMessagesWithoutChannel(node.db, 100));
  for (const _ of ['c0', 'c1']) assert.equal((await take()).permit, null);
  assert.deepEqual(await listOutcomes(), { a: 'changed', b: 'changed' });
  await connectedRule(node, theirs, { rule: YEAR });
  await open(theirs);
  assert.equal((await take()).reason, 'nothing', 'what moved waits a day in the other team');
});

test('the first message of a thread stays if a reply of it could not be deleted in an earlier permit', async () => {
  const replies = Array.from({ length: 450 }, (_, at) => remoteMessage({ id: `b${at}`, root_id: 'a' }));
  await openReady({ general: { messages: [remoteMessage({ id: 'a' }), ...replies] } });
  const { permit } = await take();
  await begin(permit);
  const [stuck, ...others] = listIds(permit);
  await report(permit, [...gone(...others), { id: stuck, outcome: 'kept', reason: 'residue' }]);
  const rest = (await take()).permit;
  assert.ok(!listIds(rest).includes('a'));
  await begin(rest);
  await report(rest, gone(...listIds(rest)));
  assert.partialDeepStrictEqual(await orders(), [{ state: 'done', gone: 449, kept_by: { residue: 1, thread: 1 } }]);
});

describe('a rehearsal is wanted', () => {
  const wants = async () =>
    (await chat.send(takeLease, { body: { bridge: 'test', lease: chat.lease } })).body.wants_rehearsal;

  test('again after one that failed', async () => {
    await openReady({ general: old('a') });
    assert.equal(await wants(), false);
    const checks = [{ name: 'Files', passed: false, detail: 'One stayed.' }];
    await chat.send(reportRehearsal, { body: { server_version: '10.12.0', checks, calls: 3 } });
    assert.deepEqual([await wants(), (await take()).reason], [true, 'rehearsal']);
    await rehearse(chat);
    assert.equal(await wants(), false);
  });

  test('again after the server got another version', async () => {
    await openReady({ general: old('a') });
    const checks = [{ name: 'All', passed: true, detail: '' }];
    await chat.send(reportStatus, { body: { server_version: '10.12.1', checks } });
    assert.deepEqual([await wants(), (await take()).reason], [true, 'rehearsal']);
  });
});

test('a server that was restored from an old backup gets back what is gone, and it waits a day', async () => {
  await openReady({ general: old('a', 'b') });
  const { permit } = await take();
  await begin(permit);
  await report(permit, gone('a', 'b'));
  await sendList(chat, { channel_id: 'general', ...old('a', 'b') });
  await open();
  assert.partialDeepStrictEqual(await orders(), [{ state: 'done', gone: 2 }]);
  assert.equal((await orders()).length, 1);
  await waitTwoDays(node);
  await open();
  assert.partialDeepStrictEqual((await orders())[0], { state: 'open', rows: 2 });
});

test('1,001 channels come to the bridge one by one, page by page', async () => {
  await sql`insert into connected_channels (server_id, id, remote_team_id, team_id, type, name, member_ids, archived_at)
    select ${chat.id}, 'c' || n, 'team1', ${team.id}, 'O', 'Channel', '{}', 0 from generate_series(1, 1001) as n`.execute(
    node.db,
  );
  const seen = new Set<string>();
  for (let after: string[] | undefined; ; ) {
    const page = await listChannels(node.db, chat.id, { after, limit: 200 });
    for (const { id } of page) seen.add(id);
    const last = page.at(-1);
    if (last === undefined) break;
    after = ['', String(last.list_began_at), last.id];
  }
  assert.equal(seen.size, 1_001);
  const { records } = (await chat.send(listChannelsToRead)).body;
  assert.equal(records.length, 200);
});
