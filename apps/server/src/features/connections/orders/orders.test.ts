import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  leaveConnection,
  listOrderRows,
  listOrders,
  pauseConnection,
  previewConnectedRules,
  saveConnectedRules,
  stopOrder,
} from '@steward/contract/connections';
import {
  beginPermit,
  listChannelsToRead,
  type RemoteMessage,
  reportOutcomes,
  reportRehearsal,
  reportStatus,
  saveRemoteMessages,
  takePermit,
} from '@steward/contract/connections/connector';
import { addHold } from '@steward/contract/retention/holds';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { inTransaction } from '#platform/database/database.ts';
import { call, type Reply } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import {
  connectedRule,
  connectedServer,
  DAY,
  fillMirror,
  rehearse,
  remoteChannel,
  remoteMessage,
  remoteUser,
  reportReady,
  sendList,
  type TestConnection,
  waitTwoDays,
} from '#testing/workspace/connections.ts';
import { createTeamWithMembers, type TestTeam } from '#testing/workspace/factories.ts';
import { legalHold } from '#testing/workspace/holds.ts';
import { auditRows } from '#testing/workspace/snapshot-tables.ts';
import { runDueOrders } from './nightly-orders.job.ts';
import { openOrder } from './orders.actions.ts';
import { chooseRows } from './permits.actions.ts';

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

const YEAR = { value: 1, duration: { count: 1, period: 'y' } } as const;
const params = () => ({ teamId: team.id, connectionId: chat.id });
const key = () => ({ serverId: chat.id, teamId: team.id });
const message = remoteMessage;
const young = () => Date.now() - 10 * DAY;

/** Lists messages of the channel general, in which they have been known for two days, with a rule of a year. */
async function fill(messages: RemoteMessage[], channel = remoteChannel({ id: 'general' })): Promise<void> {
  await reportReady(chat);
  await fillMirror(chat, { users: [remoteUser({ id: 'ada' })], channels: [{ ...channel, messages }] });
  await waitTwoDays(node);
  await connectedRule(node, chat, { rule: YEAR });
}

const open = () => inTransaction(node.db, (trx) => openOrder(trx, node.deps, key()));

/** Opens an order, rehearses, and lists the channel again, so that permits are given. */
async function openReady(messages: RemoteMessage[]): Promise<void> {
  await open();
  await rehearse(chat);
  await sendList(chat, { channel_id: 'general', messages });
}

const take = async () => (await chat.send(takePermit)).body;
const begin = (permit: { id: string }) => chat.send(beginPermit, { params: { permitId: permit.id } });
const report = (permit: { id: string }, outcomes: object[], orphans = 0) =>
  chat.send(reportOutcomes, { params: { permitId: permit.id }, body: { outcomes, orphans } });
const gone = (ids: readonly string[]) => ids.map((id) => ({ id, outcome: 'gone' }));
const listIds = (permit: { rows: { id: string }[] }) => permit.rows.map(({ id }) => id);

async function listed(): Promise<string[]> {
  const rows = await node.db
    .selectFrom('connected_messages')
    .select('id')
    .where('server_id', '=', chat.id)
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

async function orders() {
  return (await call(node, listOrders, { as: team.admin, params: params() })).body.records;
}

async function listOutcomes(orderId: string) {
  const { body } = await call(node, listOrderRows, { as: team.admin, params: { ...params(), orderId } });
  return Object.fromEntries(
    body.records.map((row: { id: string; outcome: string; reason: string }) => [row.id, row.reason || row.outcome]),
  );
}

const sha = (text: string) => createHash('sha256').update(text).digest('hex');
const save = (body: object, as = team.owner) => call(node, saveConnectedRules, { as, params: params(), body });
const keep = { value: 0 };

describe('rules', () => {
  test('can be saved once everything was listed, and wait a day if stricter', async () => {
    await reportReady(chat);
    await sendList(chat, { users: [] });
    await sendList(chat, { channels: [remoteChannel({ id: 'general' })] });
    const body = { public_channels: YEAR, private_channels: keep };
    assert.equal((await save(body)).body.id, 'connections.filling');
    await sendList(chat, { channel_id: 'general', messages: [] });
    const saved = await save(body);
    assert.equal(saved.status, 200, saved.text);
    assert.ok(saved.body.public_channels.effective_at > Date.now() + 23 * 3_600_000);
    assert.deepEqual(saved.body.public_channels.in_force, keep);
    const audited = await auditRows(node, 'connections.rules_saved');
    assert.equal(audited.filter(({ team_id }) => team_id === team.id).length, 1);
    assert.equal((await save(body)).body.public_channels.effective_at, saved.body.public_channels.effective_at);
  });

  test('about direct messages are only for the team that governs them', async () => {
    await fill([]);
    const body = { public_channels: keep, private_channels: keep, direct_messages: YEAR };
    assert.equal((await save(body)).body.id, 'connections.no_direct_messages');
  });

  test('are previewed by the selection of orders', async () => {
    await fill([
      message({ id: 'a', size: 10, files: [{ id: 'f', size: 90 }] }),
      message({ id: 'b', root_id: 'a' }),
      message({ id: 'c' }),
      message({ id: 'd', root_id: 'c', created_at: young() }),
      message({ id: 'e' }),
    ]);
    await legalHold(node, { teamId: team.id, connected_user_ids: [`${chat.id}/eve`] });
    await sql`update connected_messages set user_id = 'eve' where server_id = ${chat.id} and id = 'e'`.execute(node.db);
    await chat.send(saveRemoteMessages, { body: { channel_id: 'general', messages: [message({ id: 'late' })] } });
    const { body } = await call(node, previewConnectedRules, {
      as: team.admin,
      params: params(),
      body: { public_channels: YEAR },
    });
    assert.partialDeepStrictEqual(body.public_channels, {
      threads: 1,
      rows: 2,
      files: 1,
      bytes: 110,
      held: 1,
      in_threads: 1,
      arrived: 1,
      seconds: 1,
      deletes_more: false,
    });
    await open();
    assert.partialDeepStrictEqual(await orders(), [{ state: 'open', rows: 2, threads: 1, digest: sha('a\nb\n') }]);
  });
});

describe('a thread is kept', () => {
  test('because of a young reply, a change within a day, or a date that is younger than the cutoff or in the future', async () => {
    await fill([
      message({ id: 'due' }),
      message({ id: 'replied' }),
      message({ id: 'reply', root_id: 'replied', created_at: young() }),
      message({ id: 'marked' }),
      message({ id: 'deleted', root_id: 'marked', created_at: young(), deleted_at: young() }),
      message({ id: 'edited', edited_at: Date.now() - DAY / 2 }),
      message({ id: 'reacted', updated_at: Date.now() - DAY / 2 }),
      message({ id: 'future', created_at: Date.parse('2099-01-01T00:00:00Z') }),
      message({ id: 'younger', created_at: Date.now() - 364 * DAY }),
    ]);
    await open();
    const [order] = await orders();
    assert.deepEqual(await listOutcomes(order.id), { due: '' });
  });

  test('because it arrived within a day, or its channel did', async () => {
    await fill([message({ id: 'a' })]);
    await chat.send(saveRemoteMessages, {
      body: { channel_id: 'general', messages: [message({ id: 'b', root_id: 'a' }), message({ id: 'c' })] },
    });
    await open();
    assert.deepEqual(await orders(), []);
    await waitTwoDays(node);
    await sql`update connected_channels set arrived_at = now()`.execute(node.db);
    await open();
    assert.deepEqual(await orders(), []);
  });

  test('because its date was moved back', async () => {
    await fill([message({ id: 'a', created_at: young() })]);
    await chat.send(saveRemoteMessages, { body: { channel_id: 'general', messages: [message({ id: 'a' })] } });
    await open();
    assert.deepEqual(await orders(), []);
  });

  test('because the rule is only scheduled, or keeps everything', async () => {
    await fill([message({ id: 'a' })]);
    await sql`update connected_rules set rule = '{"value": 0}', waiting = ${JSON.stringify(YEAR)},
      effective_at = now() + interval '1 hour'`.execute(node.db);
    await open();
    assert.deepEqual(await orders(), []);
    await sql`update connected_rules set effective_at = now() - interval '1 hour'`.execute(node.db);
    await open();
    assert.equal((await orders()).length, 1);
  });

  const holds: [string, () => object][] = [
    ['names an author in it', () => ({ connected_user_ids: [`${chat.id}/bob`] })],
    ['names its channel', () => ({ connected_channel_ids: [`${chat.id}/general`] })],
    ['covers files, and a reply has one', () => ({ settings: ['files'] })],
    ['covers public channels', () => ({ settings: ['public_channels'] })],
    ['covers the whole team', () => ({})],
    ['covers the date of a reply', () => ({ from: Date.now() - 399 * DAY, to: Date.now() - 397 * DAY })],
  ];
  test(`because a hold ${holds.map(([why]) => why).join(', or ')}`, async () => {
    const files = [{ id: 'f', size: 1 }];
    await fill([
      message({ id: 'a' }),
      message({ id: 'b', root_id: 'a', user_id: 'bob', created_at: Date.now() - 398 * DAY, files }),
      message({ id: 'c', created_at: Date.now() - 500 * DAY }),
    ]);
    for (const [why, hold] of holds) {
      const id = await legalHold(node, { teamId: team.id, ...hold() });
      await open();
      const named = (await orders()).map(({ rows }: { rows: number }) => rows);
      assert.ok(named.length === 0 || (named.length === 1 && named[0] === 1), `${why}: ${JSON.stringify(named)}`);
      await sql`delete from holds where team_id = ${team.id} and id = ${id}`.execute(node.db);
      await sql`delete from connected_orders where server_id = ${chat.id}`.execute(node.db);
    }
  });

  test('because a hold names a member of its direct channel', async () => {
    await sql`update connected_teams set direct_messages = true where server_id = ${chat.id}`.execute(node.db);
    const direct = remoteChannel({ id: 'direct', type: 'D', team_id: '', member_ids: ['ada', 'bob'] });
    await fill([message({ id: 'a' })], direct);
    await connectedRule(node, chat, { kind: 'direct_messages', rule: YEAR });
    await legalHold(node, { teamId: team.id, connected_user_ids: [`${chat.id}/bob`] });
    await open();
    assert.deepEqual(await orders(), []);
  });

  test('but not by holds on other people, other channels, other dates, or restored items', async () => {
    await fill([message({ id: 'a' })]);
    await legalHold(node, { teamId: team.id, connected_user_ids: [`${chat.id}/bob`] });
    await legalHold(node, { teamId: team.id, connected_channel_ids: [`${chat.id}/other`] });
    await legalHold(node, { teamId: team.id, user_ids: [team.admin.id] });
    await legalHold(node, { teamId: team.id, to: Date.now() - 500 * DAY });
    await legalHold(node, { teamId: team.id, settings: ['private_channels', 'files'] });
    await open();
    assert.partialDeepStrictEqual(await orders(), [{ state: 'open', rows: 1 }]);
  });
});

describe('an order', () => {
  test('is not opened twice, and not while the connection is paused', async () => {
    await fill([message({ id: 'a' })]);
    await call(node, pauseConnection, { as: team.admin, params: params(), body: { paused: true } });
    await runDueOrders(node.deps);
    assert.deepEqual(await orders(), []);
    await call(node, pauseConnection, { as: team.admin, params: params(), body: { paused: false } });
    await runDueOrders(node.deps);
    await runDueOrders(node.deps);
    await open();
    assert.equal((await orders()).length, 1);
  });

  test('that names more than the last complete list of a channel had is refused', async () => {
    await fill([message({ id: 'a' })]);
    await chat.send(saveRemoteMessages, { body: { channel_id: 'general', messages: [message({ id: 'b' })] } });
    await waitTwoDays(node);
    await open();
    assert.partialDeepStrictEqual(await orders(), [{ state: 'refused', rows: 0 }]);
    assert.equal((await take()).reason, 'nothing');
  });

  test('ends with proof in the audit log', async () => {
    const messages = [message({ id: 'a' }), message({ id: 'b' })];
    await fill(messages);
    await openReady(messages);
    const { permit } = await take();
    assert.deepEqual(listIds(permit), ['a', 'b']);
    await begin(permit);
    const reported = await report(permit, [...gone(['a']), { id: 'b', outcome: 'kept', reason: 'residue' }], 3);
    assert.deepEqual(reported.body, { open: 0 });
    const [order] = await orders();
    const proof = sha('a gone\nb kept\n');
    assert.partialDeepStrictEqual(order, {
      state: 'done',
      gone: 1,
      kept: 1,
      kept_by: { residue: 1 },
      orphans: 3,
      proof,
    });
    assert.deepEqual(await listed(), ['b'], 'only what is gone leaves');
    const [row] = (await auditRows(node, 'connections.order_closed')).filter(({ team_id }) => team_id === team.id);
    assert.partialDeepStrictEqual(row?.details, { proof, gone: 1, kept: 1, server_version: '10.12.0', orphans: 3 });
  });

  test('stops between permits; a permit that was begun is finished', async () => {
    const messages = [message({ id: 'a' })];
    await fill(messages);
    await openReady(messages);
    const { permit } = await take();
    await begin(permit);
    const [order] = await orders();
    const stop = () => call(node, stopOrder, { as: team.admin, params: { ...params(), orderId: order.id } });
    assert.equal((await stop()).body.state, 'stopped');
    assert.equal((await stop()).body.id, 'connections.order_ended');
    const again = (await take()).permit;
    assert.deepEqual([again.id, again.begun], [permit.id, true]);
    assert.equal((await report(permit, gone(['a']))).status, 200);
    assert.partialDeepStrictEqual(await orders(), [{ state: 'stopped', gone: 1 }]);
    assert.equal((await take()).reason, 'nothing');
  });

  test('ends when the team stops governing the server', async () => {
    const messages = [message({ id: 'a' })];
    await fill(messages);
    await openReady(messages);
    await call(node, leaveConnection, { as: team.owner, params: params() });
    assert.equal((await take()).reason, 'nothing');
    assert.partialDeepStrictEqual(await orders(), [{ state: 'stopped' }]);
  });
});

describe('a permit is not given', () => {
  const messages = () => [message({ id: 'a' })];
  beforeEach(async () => {
    await fill(messages());
    await open();
  });
  const list = () => sendList(chat, { channel_id: 'general', messages: messages() });
  const reason = async () => {
    const { permit, reason, channel_id } = await take();
    assert.equal(permit, null);
    return [reason, channel_id];
  };

  test('before a rehearsal that began after the order passed', async () => {
    await list();
    assert.deepEqual(await reason(), ['rehearsal', '']);
    await chat.send(reportRehearsal, {
      body: { server_version: '10.12.0', checks: [{ name: 'All', passed: false, detail: 'A file stayed.' }], calls: 3 },
    });
    assert.deepEqual(await reason(), ['rehearsal', '']);
    await rehearse(chat);
    assert.notEqual((await take()).permit, null);
  });

  test('before the channel was listed again', async () => {
    await rehearse(chat);
    assert.deepEqual(await reason(), ['list', 'general']);
    await list();
    await sql`update connected_channels set list_began_at = now() - interval '7 hours'`.execute(node.db);
    await sql`update connected_orders set opened_at = now() - interval '9 hours'`.execute(node.db);
    assert.deepEqual(await reason(), ['list', 'general']);
  });

  test('while a check of the server fails, or is older than a quarter of an hour', async () => {
    await rehearse(chat);
    await list();
    const checks = [{ name: 'Deletion is switched on', passed: false, detail: '' }];
    await chat.send(reportStatus, { body: { server_version: '10.12.0', checks } });
    assert.deepEqual(await reason(), ['problem', '']);
    await reportReady(chat);
    await sql`update connected_servers set reported_at = now() - interval '16 minutes'`.execute(node.db);
    assert.deepEqual(await reason(), ['problem', '']);
  });

  test('while the connection is paused', async () => {
    await rehearse(chat);
    await list();
    await call(node, pauseConnection, { as: team.admin, params: params(), body: { paused: true } });
    assert.deepEqual(await reason(), ['paused', '']);
  });
});

test('the channels that an open order needs are read before those that never were', async () => {
  await fill([message({ id: 'a' })]);
  await open();
  await sendList(chat, { channels: [remoteChannel({ id: 'general' }), remoteChannel({ id: 'fresh' })] });
  const { records } = (await chat.send(listChannelsToRead)).body;
  assert.partialDeepStrictEqual(records, [
    { id: 'general', needed: true },
    { id: 'fresh', needed: false, listed_at: 0 },
  ]);
});

describe('what changed after the order is kept', () => {
  test('a reply, an edit, a hold, a looser rule, a message that is gone', async () => {
    const all = ['replied', 'edited', 'held', 'absent', 'due'].map((id) => message({ id, user_id: id }));
    await fill(all);
    await open();
    await rehearse(chat);
    await legalHold(node, { teamId: team.id, connected_user_ids: [`${chat.id}/held`] });
    const later = [
      ...all.filter(({ id }) => !['absent', 'edited'].includes(id)),
      message({ id: 'reply', root_id: 'replied', created_at: Date.now() }),
      message({ id: 'edited', user_id: 'edited', edited_at: Date.now() }),
    ];
    await sendList(chat, { channel_id: 'general', messages: later });
    const { permit } = await take();
    assert.deepEqual(listIds(permit), ['due']);
    const [order] = await orders();
    assert.deepEqual(await listOutcomes(order.id), {
      replied: 'thread',
      edited: 'thread',
      held: 'held',
      absent: 'absent',
      due: '',
    });
    await connectedRule(node, chat, { rule: { value: 1, duration: { count: 9, period: 'y' } } });
    assert.equal((await begin(permit)).body.id, 'connector.permit_void');
    assert.equal((await take()).permit, null);
    assert.partialDeepStrictEqual(await orders(), [{ state: 'done', gone: 0, kept: 5 }]);
  });

  test('an earlier version that was found later keeps its thread until the next order', async () => {
    await fill([message({ id: 'a' })]);
    await open();
    await rehearse(chat);
    await sendList(chat, {
      channel_id: 'general',
      messages: [message({ id: 'a' }), message({ id: 'v', original_id: 'a' })],
    });
    assert.equal((await take()).permit, null);
    assert.partialDeepStrictEqual(await orders(), [{ state: 'done', kept_by: { changed: 1 } }]);
  });
});

describe('a permit', () => {
  test('names versions, then replies, then the first message, of whole threads', async () => {
    const messages = [
      message({ id: 'a-root', files: [{ id: 'f1', size: 3 }] }),
      message({ id: 'b-reply', root_id: 'a-root' }),
      message({ id: 'c-version', original_id: 'a-root' }),
      message({ id: 'd-version', root_id: 'a-root', original_id: 'b-reply' }),
    ];
    await fill(messages);
    await openReady(messages);
    const { permit } = await take();
    assert.deepEqual(listIds(permit), ['c-version', 'd-version', 'b-reply', 'a-root']);
    assert.partialDeepStrictEqual(permit, {
      channel_id: 'general',
      team_id: 'team1',
      channel_type: 'O',
      whole_threads: true,
      begun: false,
    });
    assert.deepEqual(permit.rows[3].file_ids, ['f1']);
  });

  test('splits a thread that is larger than a permit, and leaves its first message to the end', () => {
    const thread = (id: string, count: number) => Array.from({ length: count }, (_, at) => ({ thread_id: id, at }));
    assert.deepEqual(chooseRows([...thread('a', 399), ...thread('b', 2)]), {
      chosen: thread('a', 399),
      is_whole: true,
    });
    assert.deepEqual(chooseRows(thread('a', 400)), { chosen: thread('a', 400), is_whole: true });
    assert.deepEqual(chooseRows(thread('a', 401)), { chosen: thread('a', 401).slice(0, 400), is_whole: false });
  });

  test('of a large thread is followed by permits for the rest', async () => {
    const replies = Array.from({ length: 800 }, (_, at) => message({ id: `b${at}`, root_id: 'a' }));
    const messages = [message({ id: 'a' }), ...replies];
    await fill(messages);
    await openReady(messages);
    const sizes: number[] = [];
    for (let { permit } = await take(); permit !== null; { permit } = await take()) {
      sizes.push(permit.rows.length);
      await begin(permit);
      await report(permit, gone(listIds(permit)));
    }
    assert.deepEqual(sizes, [400, 400, 1]);
    assert.deepEqual(await listed(), []);
    assert.partialDeepStrictEqual(await orders(), [{ state: 'done', gone: 801 }]);
  });

  test('is void after two minutes, and when another one was taken', async () => {
    const messages = [message({ id: 'a' })];
    await fill(messages);
    await openReady(messages);
    const first = (await take()).permit;
    const second = (await take()).permit;
    assert.notEqual(first.id, second.id);
    assert.equal((await begin(first)).body.id, 'connector.permit_void');
    await sql`update connected_permits set issued_at = now() - interval '121 seconds'`.execute(node.db);
    assert.equal((await begin(second)).body.id, 'connector.permit_void');
    assert.equal((await report(second, gone(['a']))).body.id, 'connector.permit_void', 'it was never begun');
    assert.deepEqual(await listed(), ['a']);
  });

  test('does not begin if a hold was saved after it was given', async () => {
    const messages = [message({ id: 'a', user_id: 'ada' })];
    await fill(messages);
    await openReady(messages);
    const { permit } = await take();
    const body = { name: 'Case', reason: 'Dispute', connected_user_ids: [`${chat.id}/ada`] };
    const held = await call(node, addHold, { as: team.admin, params: { teamId: team.id }, body });
    assert.equal(held.body.begun, 0, held.text);
    assert.equal((await begin(permit)).body.id, 'connector.permit_void');
  });

  test('that was begun is named by a hold that comes too late', async () => {
    const messages = [message({ id: 'a', user_id: 'ada' }), message({ id: 'b', user_id: 'bob' })];
    await fill(messages);
    await openReady(messages);
    await begin((await take()).permit);
    const body = { name: 'Case', reason: 'Dispute', connected_user_ids: [`${chat.id}/ada`] };
    const held = await call(node, addHold, { as: team.admin, params: { teamId: team.id }, body });
    assert.equal(held.body.begun, 1, held.text);
  });

  test('stays open until each message has an outcome, which is written once', async () => {
    const messages = [message({ id: 'a' }), message({ id: 'b' })];
    await fill(messages);
    await openReady(messages);
    const { permit } = await take();
    for (const _ of ['once', 'and again']) assert.equal((await begin(permit)).status, 200);
    for (const _ of ['once', 'and again']) assert.deepEqual((await report(permit, gone(['a']), 2)).body, { open: 1 });
    const other: Reply = await report(permit, [{ id: 'a', outcome: 'kept', reason: 'young' }]);
    assert.equal(other.body.id, 'connector.reported');
    assert.equal((await report(permit, gone(['x']))).status, 400);
    const again = (await take()).permit;
    assert.deepEqual([again.id, listIds(again)], [permit.id, ['b']]);
    await report(permit, gone(['b']));
    assert.deepEqual((await report(permit, gone(['a', 'b']))).body, { open: 0 }, 'a repeated outcome after the end');
    assert.partialDeepStrictEqual(await orders(), [{ state: 'done', gone: 2, orphans: 2 }]);
  });
});
